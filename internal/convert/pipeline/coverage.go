package pipeline

import (
	"context"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// Coverage writes, as Markdown, how many questions use each construct of SQL
// and how many of them are verified with each toolset, and every failure of
// the full toolset with its reason. It returns the report of the full toolset.
func Coverage(ctx context.Context, w io.Writer, opts Options) (*Report, error) {
	sets := []slot.Toolset{slot.Full, slot.Paper}
	var reports []*Report
	isVerified := make([]map[string]bool, len(sets)) // by question
	var written habits
	for i, set := range sets {
		opts.Toolset = set
		opts.Variant = record.SLOT
		report := newReport(opts)
		isVerified[i] = map[string]bool{}
		for _, info := range opts.Dataset.Databases {
			in, err := slotMaker{opts}.open(ctx, info)
			if err != nil {
				return nil, err
			}
			outcomes, err := convertAll(ctx, in, opts, opts.questions(info.ID))
			in.close()
			if err != nil {
				return nil, err
			}
			if set == slot.Full {
				if err := written.add(ctx, info, outcomes, opts); err != nil {
					return nil, err
				}
			}
			report.add(info.ID, outcomes)
			for _, o := range outcomes {
				isVerified[i][o.question.ID.String()] = o.status == ""
			}
		}
		reports = append(reports, report)
	}
	type row struct {
		name            string
		uses, full, ext int
	}
	rows := map[string]*row{}
	for _, q := range opts.Dataset.Questions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		names := []string{"(not parsed)"}
		if stmt, err := sqltree.Parse(q.SQL); err == nil {
			names = stmt.Constructs()
		}
		for _, name := range names {
			if rows[name] == nil {
				rows[name] = &row{name: name}
			}
			r := rows[name]
			r.uses++
			if isVerified[0][q.ID.String()] {
				r.full++
			}
			if isVerified[1][q.ID.String()] {
				r.ext++
			}
		}
	}
	list := make([]*row, 0, len(rows))
	for _, r := range rows {
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].uses != list[j].uses {
			return list[i].uses > list[j].uses
		}
		return list[i].name < list[j].name
	})
	var b strings.Builder
	fmt.Fprintf(&b, "Of %d questions, %d are verified with the full toolset and %d with the paper's.\n", len(opts.Dataset.Questions), reports[0].Totals.Verified, reports[1].Totals.Verified)
	for i, r := range reports {
		fmt.Fprintf(&b, "The sequences of the %s toolset have %.2f calls on average, at most %d, with %.2f slots per call.\n", sets[i], r.Sequences.AverageLength, r.Sequences.MaximumLength, r.Sequences.SlotsPerCall)
	}
	b.WriteString("\n| construct | questions | full toolset | paper's toolset |\n|---|---:|---:|---:|\n")
	for _, r := range list {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", table.Escape(r.name), r.uses, r.full, r.ext)
	}
	fmt.Fprintf(&b, "\n## Not verified with the full toolset\n\n")
	for _, f := range reports[0].Failures {
		fmt.Fprintf(&b, "- %s (%s), %s: %s. %s\n", table.Plain(f.QuestionID.String()), table.Plain(f.DB), f.Status, table.Plain(f.Construct), table.Plain(f.Reason))
	}
	if len(reports[0].Failures) == 0 {
		b.WriteString("None.\n")
	}
	written.write(&b)
	writeRefused(&b)
	_, err := io.WriteString(w, b.String())
	return reports[0], err
}

// writeRefused lists what is refused whatever the dataset is.
func writeRefused(b *strings.Builder) {
	b.WriteString("\n## What is refused\n\nThese constructs have no sequence of calls, in any dataset. A query with one of them is\nrefused by its name. It still becomes an endpoint, unless it asks for random values.\n\n| construct | what is refused | example |\n|---|---|---|\n")
	cell := strings.NewReplacer("|", `\|`)
	for _, r := range plan.RefusedConstructs() {
		fmt.Fprintf(b, "| %s | %s | `%s` |\n", r.Construct, cell.Replace(r.What), cell.Replace(r.Example))
	}
}
