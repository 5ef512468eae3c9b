package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/querytool/convert"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/querytool/querygrid"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Queries say how QUERY samples are made.
type Queries struct {
	Toolset query.Toolset
	Shape   query.Shape
	// Grid has the queries of those questions that the grid made; nil for none.
	Grid *querygrid.Set
}

// queryMaker makes QUERY samples: a question's SQL is written as one call of the tool
// that queries a database.
type queryMaker struct{ Options }

func openAsker(_ context.Context, opts Options) (maker, error) { return queryMaker{opts}, nil }

func (a queryMaker) open(ctx context.Context, info *bird.Database) (database, error) {
	c, err := convert.Open(ctx, info, convert.Options{Toolset: a.Queries.Toolset, Shape: a.Queries.Shape, AsOf: a.AsOf, MaxValue: a.maxValue()})
	if err != nil {
		return nil, err
	}
	return &queryDatabase{Converter: c, id: info.ID, grid: a.Queries.Grid}, nil
}

func (a queryMaker) report(context.Context, *Report) error     { return nil }
func (a queryMaker) finish(context.Context, *outdir.Dir) error { return nil }
func (a queryMaker) close()                                    {}

// queryDatabase is a database whose questions become queries. Its samples list the same
// tools.
type queryDatabase struct {
	*convert.Converter
	id   string
	grid *querygrid.Set
}

func (d *queryDatabase) sample(ctx context.Context, o *outcome) error {
	r, err := d.convert(ctx, o.question)
	if why := (*slot.Error)(nil); errors.As(err, &why) {
		o.explain(why)
	}
	if err != nil {
		return err
	}
	o.tie = r.TieDependent
	o.sample = d.prepare(r)
	return nil
}

// convert takes a question to its record, by its SQL or by its query of the grid.
func (d *queryDatabase) convert(ctx context.Context, q *bird.Question) (*query.Record, error) {
	if d.grid != nil {
		if item, ok := d.grid.Items[q.ID]; ok {
			return d.Prove(ctx, q, item.Query)
		}
	}
	return d.Convert(ctx, q)
}

func (d *queryDatabase) prepare(r *query.Record) *prepared {
	return &prepared{
		calls: r.ToolCalls(), queryRecord: r,
		tools:  d.Tools,
		record: func(calls []tools.Call) (any, error) { return r.With(calls), nil },
	}
}

func (d *queryDatabase) tools([]*prepared) []spec.Tool { return d.Tools() }

func (d *queryDatabase) document(_ context.Context, list []spec.Tool) ([]byte, error) {
	text, err := jsontext.Marshal(spec.OpenAPI(d.id, list), "  ")
	return append(text, '\n'), err
}

func (d *queryDatabase) needs() *slot.Needs   { return nil } // all tools are listed
func (d *queryDatabase) addNeeds(*slot.Needs) {}

func (d *queryDatabase) unchanged() error { return d.Unchanged() }
func (d *queryDatabase) close()           { _ = d.Close() } // what was only read needs no Close to succeed

// observe shows what the tool returned.
func (d *queryDatabase) observe(ctx context.Context, s *prepared) error {
	r := s.queryRecord
	queries, err := query.Read(s.calls[0], r.Toolset, r.Collections)
	if err != nil {
		return err
	}
	result, err := d.Database().Run(ctx, queries[0])
	if err != nil {
		return err
	}
	text := string(result.JSON(query.ForModels))
	s.observed = &observed{
		Sample: chat.Sample{
			System: fmt.Sprintf("Answer the question about the database %s by querying it. In the answer, true is 1 and false is 0.", r.DB),
			Result: "name_of_the_tool", Time: r.AsOf,
			Question: r.Question, Evidence: r.Evidence, Returned: []string{text},
		},
		answer: func(calls []tools.Call) (string, error) {
			last := &observation.Observation{Truncated: strings.HasSuffix(text, `"truncated":true}`), RowCount: len(r.Gold.Rows)}
			return chat.Answer(last, r.GoldAnswer, calls[0].Name)
		},
	}
	return nil
}

func (d *queryDatabase) restore(o *outcome, k *shardOutcome) error {
	r := &query.Record{}
	if err := json.Unmarshal(k.Record, r); err != nil {
		return err
	}
	fields, err := readFields(k.Record)
	if err != nil {
		return err
	}
	r.GoldAnswer, _ = fields.Get(goldField) // digit by digit
	o.sample = d.prepare(r)
	o.sample.record = func(calls []tools.Call) (any, error) { return fields.Set(outputField, r.With(calls).Calls), nil }
	if k.Chat != nil {
		answer := k.Chat.Answer
		o.sample.observed = &observed{Sample: *k.Chat, answer: func([]tools.Call) (string, error) { return answer, nil }}
	}
	return nil
}

// report adds tools that are too long for some models, and combinations that the grid
// could not make.
func (d *queryDatabase) report(r *Report) {
	if d.grid != nil {
		for _, one := range d.grid.Impossible[d.id] {
			r.Impossible = append(r.Impossible, Impossible{d.id, one.Combination.String(), one.Reason})
		}
	}
	longest := 0
	for _, t := range query.Tools(d.Database().Collections(), query.Toolset(r.Toolset), query.PerCollection) {
		longest = max(longest, query.DescriptionTokens(t))
	}
	for _, t := range d.Tools() {
		if n := query.DescriptionTokens(t); n > query.MaxTokens {
			r.Wide = append(r.Wide, Wide{DB: d.id, Tool: t.Name, Tokens: n, PerCollection: longest})
		}
	}
}
