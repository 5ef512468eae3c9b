package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/db/fingerprint"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// Pairs say how MULTI samples are made.
type Pairs struct {
	Form  string // whose calls answer the parts; default SLOT
	Count int    // how many pairs; 0 for as many as there are questions that qualify
}

// PartCounts say how many questions of a database can be a part of a pair.
type PartCounts struct {
	DB        string `json:"db_id"`
	Questions int    `json:"questions"`
	Verified  int    `json:"verified"` // as samples of the form
	Mismatch  int    `json:"mismatch"` // which are among the failures
	Qualified int    `json:"qualified"`
	Drawn     int    `json:"drawn"` // times that one of them is a part
}

// pairs is the databases of a dataset together: it converts their questions, draws
// pairs of those that qualify, and makes the samples of these.
type pairs struct {
	Options
	databases map[string]*slotDatabase
	endpoints *rest.Converter        // nil for the form SLOT
	lists     map[string][]spec.Tool // the tools of each database, of the form REST
	generic   []spec.Tool            // what the pairs need of the tools of SLOT, once they are drawn; of that form
	compare   spec.Tool
	parts     []*multi.Verified
	drawn     map[bird.ID]multi.Pair
	counts    []PartCounts
	read      []fingerprint.Database // which data they have
	failures  []Failure

	validator spec.Validator
	mu        sync.Mutex // of forgetting columns
}

// paired is the method of MULTI.
type paired struct{}

func (paired) toolset(opts Options) string {
	if opts.Pairs.Form == record.REST {
		return ""
	}
	return string(opts.Toolset)
}

func (paired) maker(context.Context, Options) (maker, error) {
	return nil, errors.New("pairs are drawn from all questions, and made of no single one")
}

func (paired) write(ctx context.Context, opts Options, out *outdir.Dir) (*Report, error) {
	w := newWriter(out, opts)
	report := newReport(opts)
	report.Stats = w.stats
	p, err := openPairs(ctx, opts)
	if p != nil {
		defer p.close()
	}
	if err != nil {
		return nil, err
	}
	outcomes, err := p.convert(ctx)
	if err != nil {
		return nil, err
	}
	report.add(record.MULTI, outcomes)
	report.Calls, report.Parts, report.Data = p.Pairs.Form, p.counts, p.read
	report.Failures = append(p.failures, report.Failures...)
	if err := w.database(ctx, record.MULTI, p, verified(outcomes)); err != nil {
		return nil, err
	}
	if err := w.examples(ctx); err != nil {
		return nil, err
	}
	if err := w.finish(report); err != nil {
		return nil, err
	}
	report.Answering = w.answering
	return report, out.JSON(folder.ReportFile, report)
}

// examples makes three pairs of questions.
func (paired) examples(ctx context.Context, opts Options, questions []bird.ID) ([]*outcome, error) {
	opts.Dataset.Questions = slices.DeleteFunc(opts.Dataset.Questions, func(q bird.Question) bool { return !slices.Contains(questions, q.ID) })
	opts.Writing.Seed, opts.Pairs.Count, opts.Progress = 0, 3, nil
	p, err := openPairs(ctx, opts)
	defer p.close()
	if err != nil {
		return nil, err
	}
	return p.convert(ctx)
}

// openPairs converts the questions of all databases, and keeps those that qualify.
// What it returns must be closed, also with an error.
func openPairs(ctx context.Context, opts Options) (*pairs, error) {
	opts.Pairs.Form = cmp.Or(opts.Pairs.Form, record.SLOT)
	p := &pairs{Options: opts, databases: map[string]*slotDatabase{}, lists: map[string][]spec.Tool{}, compare: multi.Tool(opts.Pairs.Form)}
	if opts.Pairs.Form == record.REST {
		var err error
		if p.endpoints, err = restConverter(ctx, opts); err != nil {
			return p, err
		}
	}
	parts := opts
	parts.Variant, parts.Writing.Messages = record.SLOT, false
	for _, info := range opts.Dataset.Databases {
		opts.data.open(info)
		in, err := (slotMaker{parts}).open(ctx, info)
		if err != nil {
			return p, err
		}
		p.databases[info.ID] = in.(*slotDatabase)
		opts.data.start(ctx, info)
		outcomes, err := convertAll(ctx, in, parts, opts.questions(info.ID))
		if err != nil {
			return p, err
		}
		read, err := opts.data.of(info)
		if err != nil {
			return p, err
		}
		p.read = append(p.read, read)
		if err := p.qualify(ctx, info.ID, outcomes); err != nil {
			return p, err
		}
		p.databases[info.ID].Forget()
		if p.endpoints != nil {
			if p.lists[info.ID], err = p.endpoints.Tools(ctx, info.ID); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// qualify keeps the questions of a database that can be parts.
func (p *pairs) qualify(ctx context.Context, db string, outcomes []*outcome) error {
	counts := PartCounts{DB: db, Questions: len(outcomes)}
	for _, o := range outcomes {
		if o.status == Mismatch {
			counts.Mismatch++
			p.failures = append(p.failures, Failure{QuestionID: o.question.ID, DB: db, Status: o.status, Construct: o.construct, Reason: o.reason})
		}
		if o.status != "" {
			continue
		}
		counts.Verified++
		r := o.sample.slotRecord
		rows, err := valuesOf(r.Gold.Rows)
		if err != nil {
			return fmt.Errorf("%s, question %v: %w", db, o.question.ID, err)
		}
		number, ok := multi.Number(r.Facts, rows)
		if !ok {
			continue
		}
		part := &multi.Verified{Question: o.question, Number: number, Facts: r.Facts, Slot: r}
		if p.endpoints != nil {
			if part.Rest, err = p.endpoints.Convert(ctx, o.question); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				continue // convert --variant rest says why
			}
		}
		counts.Qualified++
		p.parts = append(p.parts, part)
	}
	p.counts = append(p.counts, counts)
	return nil
}

// valuesOf returns the cells of a small answer as values.
func valuesOf(rows [][]any) ([][]value.Value, error) {
	if len(rows) != 1 || len(rows[0]) != 1 {
		return nil, nil
	}
	text, err := jsontext.Marshal(rows, "")
	if err != nil {
		return nil, err
	}
	return evaluate.ReadRows(text)
}

// errNoPairs says that there is nothing to draw from.
var errNoPairs = errors.New("no two questions qualify for a pair: it takes verified questions of two databases whose answers are one number each; give a dataset with more of them, or leave --db out")

// convert draws pairs and makes their samples.
func (p *pairs) convert(ctx context.Context) ([]*outcome, error) {
	candidates := make([]multi.Candidate, len(p.parts))
	for i, part := range p.parts {
		candidates[i] = multi.Candidate{Database: part.Question.DB, Number: part.Number}
	}
	p.drawn = map[bird.ID]multi.Pair{}
	var used slot.Needs
	var questions []*bird.Question
	for i, pair := range multi.Draw(candidates, cmp.Or(p.Pairs.Count, len(candidates)), p.Writing.Seed) {
		id := bird.Number(i)
		p.drawn[id] = pair
		r := p.record(id)
		questions = append(questions, &bird.Question{ID: id, DB: record.MULTI, Text: r.Question, Evidence: r.Evidence})
		for _, part := range r.Parts {
			at := slices.IndexFunc(p.counts, func(c PartCounts) bool { return c.DB == part.Database })
			p.counts[at].Drawn++
		}
		if p.Pairs.Form == record.SLOT {
			used.Add(slices.Concat(p.parts[pair.First].Slot.Calls, p.parts[pair.Second].Slot.Calls))
		}
	}
	if len(questions) == 0 {
		return nil, errNoPairs
	}
	if p.Pairs.Form == record.SLOT {
		p.generic = slot.Specs(p.Toolset.Definitions(&used))
	}
	opts := p.Options
	opts.Progress = nil // the questions have been counted
	return convertAll(ctx, p, opts, questions)
}

// record returns the record of a pair that was drawn.
func (p *pairs) record(id bird.ID) *record.Multi {
	pair := p.drawn[id]
	return multi.New(id, pair, p.parts[pair.First], p.parts[pair.Second], p.Pairs.Form)
}

// sample runs the calls of a pair, whose results have to be the answers of the
// questions' SQL.
func (p *pairs) sample(ctx context.Context, o *outcome) error {
	r := p.record(o.question.ID)
	run, err := p.run(ctx, r)
	if err != nil {
		return err
	}
	pair := p.drawn[o.question.ID]
	for i, part := range []*multi.Verified{p.parts[pair.First], p.parts[pair.Second]} {
		want := [][]value.Value{{part.Number}}
		if verdict := verify.Compare(want, run.rows[r.Parts[i].Result], verify.Options{}); !verdict.Equal {
			o.fail(Mismatch, "answer", "%s: %s", r.Parts[i].Result, verdict.Reason)
			return errors.New(o.reason)
		}
	}
	last := r.Calls[len(r.Calls)-1]
	if got := run.rows[last.Label]; len(got) != 1 || len(got[0]) != 1 || got[0][0] != value.Str(r.GoldAnswer) {
		o.fail(Mismatch, "answer", "the calls answer %v, and the SQL %v", got, r.GoldAnswer)
		return errors.New(o.reason)
	}
	list := p.list(r.Databases...)
	if err := p.validator.Validate(list, r.Calls); err != nil {
		return err
	}
	o.sample = &prepared{
		calls: r.Calls, multiRecord: r,
		tools:  func() []spec.Tool { return list },
		record: func(calls []tools.Call) (any, error) { return multiWith(r, calls), nil },
	}
	return nil
}

// list returns the tools of databases, and the one that compares. Those of the
// databases are in one order, which does not say which of them is Q1's.
func (p *pairs) list(databases ...string) []spec.Tool {
	out := slices.Clone(p.generic)
	for _, info := range p.Dataset.Databases {
		if slices.Contains(databases, info.ID) {
			out = append(out, p.lists[info.ID]...)
		}
	}
	return append(out, p.compare)
}

func (p *pairs) tools([]*prepared) []spec.Tool {
	var all []string
	for _, info := range p.Dataset.Databases {
		all = append(all, info.ID)
	}
	return p.list(all...)
}

func (p *pairs) document(_ context.Context, list []spec.Tool) ([]byte, error) {
	text, err := jsontext.Marshal(spec.OpenAPI(record.MULTI, list), "  ")
	return append(text, '\n'), err
}

// answers asks other endpoints of a part's database. No tool of tables is another
// name of one.
func (p *pairs) answers(ctx context.Context, s *prepared) spec.Answers {
	return func(t spec.Tool) (bool, error) {
		if p.endpoints == nil || t.Name == multi.CompareTool {
			return false, nil
		}
		pair := p.drawn[s.multiRecord.ID]
		for _, i := range []int{pair.First, pair.Second} {
			part := p.parts[i].Rest
			if slices.ContainsFunc(p.lists[part.DB], func(one spec.Tool) bool { return one.Name == t.Name }) {
				return p.endpoints.Answers(ctx, part, t.Name)
			}
		}
		return false, nil
	}
}

// Shards do not divide pairs, which are drawn from all questions.

func (p *pairs) restore(*outcome, *shardOutcome) error { return errors.New("a pair is in no shard") }
func (p *pairs) needs() *slot.Needs                    { return nil }
func (p *pairs) addNeeds(*slot.Needs)                  {}

func (p *pairs) report(*Report) {}
func (p *pairs) unchanged() error {
	for _, info := range p.Dataset.Databases {
		if err := p.databases[info.ID].Unchanged(); err != nil {
			return err
		}
	}
	return nil
}

func (p *pairs) close() {
	for _, d := range p.databases {
		d.close()
	}
	if p.endpoints != nil {
		_ = p.endpoints.Close() // what was only read needs no Close to succeed
	}
}
