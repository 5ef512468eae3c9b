package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// defaultMaxLoops is how many loops of ReAct the paper allows (section 4.3).
const defaultMaxLoops = 10

// Options adjust Score. The zero Options score by the exact rules without running
// anything.
type Options struct {
	Rules Rules // default Exact
	// Executor runs the calls. Without one, a sample counts as completed if its
	// calls are the same as gold's, and SQL cannot be scored.
	Executor Executor
	Model    string // default: the predictions' own
	MaxLoops int    // of ReAct and agents; default 10
	Jobs     int    // samples to work on at a time; default the number of processors
	// Missing counts samples without a prediction as not completed. Without it
	// they are left out of the scores, and counted.
	Missing bool
	// Progress is called for each sample that is done; nil is for none. Calls
	// come one at a time.
	Progress func()
}

// Score holds predictions of one model, all asked in one mode, against a dataset.
// Problems are what reading the predictions found, and are kept in the report.
// Errors are those of opening databases and of ctx: what a prediction does wrong
// is in the report.
func Score(ctx context.Context, d *Dataset, predictions []Prediction, problems []Problem, o Options) (*Report, error) {
	o.Rules = cmp.Or(o.Rules, Exact)
	o.MaxLoops = cmp.Or(o.MaxLoops, defaultMaxLoops)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	if o.Rules != Exact && o.Rules != Paper {
		return nil, fmt.Errorf("there are no rules %q: use %s or %s", o.Rules, Exact, Paper)
	}
	r := &Report{
		Model: o.Model, Variant: d.Variant, Rules: o.Rules, Executed: o.Executor != nil,
		Obfuscated: d.Obfuscated, Share: d.Share, Samples: len(d.Samples),
	}
	r.Problems = append(append(r.Problems, d.Problems...), problems...)
	of, more := d.assign(predictions)
	r.Problems = append(r.Problems, more...)
	for i := range predictions {
		p := &predictions[i]
		mode := cmp.Or(p.Mode, Direct)
		if r.Mode = cmp.Or(r.Mode, mode); r.Mode != mode {
			return nil, fmt.Errorf("%s, line %d: the prediction is of mode %s, others of mode %s; score them apart", p.File, p.Line, mode, r.Mode)
		}
		r.Model = cmp.Or(r.Model, p.Model)
		r.Simulated = r.Simulated || p.Simulated
		if p.Usage != nil {
			r.Usage.Add(*p.Usage)
		}
	}
	r.Mode = cmp.Or(r.Mode, Direct)
	if !r.Mode.HasCalls() && o.Executor == nil {
		return nil, fmt.Errorf("mode %s is scored by the answer; let SQL be run", r.Mode)
	}
	j := &judge{options: o, mode: r.Mode}
	var err error
	r.Outcomes, err = j.all(ctx, d, of, r)
	if err != nil {
		return nil, err
	}
	r.sum()
	return r, nil
}

// Judge scores one prediction of the sample, in calls. Of the options it takes
// the Rules, the Executor and MaxLoops. The outcome does not show what the calls
// returned, so the gold calls are not run. Errors are those of Score.
func (s *Sample) Judge(ctx context.Context, p Prediction, o Options) (*Outcome, error) {
	o.Rules, o.MaxLoops = cmp.Or(o.Rules, Exact), cmp.Or(o.MaxLoops, defaultMaxLoops)
	return (&judge{options: o, mode: cmp.Or(p.Mode, Direct), brief: true}).one(ctx, s, &p)
}

// judge scores one sample after the other.
type judge struct {
	options Options
	mode    Mode
	brief   bool // not to show what calls returned
}

// all scores the samples database by database, so that only one is held at a
// time.
func (j *judge) all(ctx context.Context, d *Dataset, of map[*Sample]*Prediction, r *Report) ([]Outcome, error) {
	var out []Outcome
	for first := 0; first < len(d.Samples); {
		db := d.Samples[first].DB
		last := first
		var work []*Sample
		for ; last < len(d.Samples) && d.Samples[last].DB == db; last++ {
			s := d.Samples[last]
			switch p := of[s]; {
			case p == nil:
				r.Unpredicted++
				if j.options.Missing {
					work = append(work, s)
				}
			case p.Status == NotRun:
				r.NotRun++
			case p.Status == Failed:
				r.Failed++
			default:
				work = append(work, s)
			}
		}
		first = last
		outcomes, err := j.some(ctx, work, of)
		if err != nil {
			return nil, err
		}
		out = append(out, outcomes...)
		if j.options.Executor != nil {
			if err := j.options.Executor.Release(db); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// some scores samples, several at a time, and returns them in their order.
func (j *judge) some(ctx context.Context, work []*Sample, of map[*Sample]*Prediction) ([]Outcome, error) {
	out, errs := make([]Outcome, len(work)), make([]error, len(work))
	var wait sync.WaitGroup
	var said sync.Mutex
	free := make(chan struct{}, j.options.Jobs)
	for i, s := range work {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			if errs[i] = ctx.Err(); errs[i] != nil {
				return
			}
			p := of[s]
			if p == nil {
				p = &Prediction{}
			}
			var o *Outcome
			if o, errs[i] = j.one(ctx, s, p); errs[i] == nil {
				out[i] = *o
			}
			if j.options.Progress != nil {
				said.Lock()
				j.options.Progress()
				said.Unlock()
			}
		})
	}
	wait.Wait()
	return out, errors.Join(distinct(errs)...)
}

// one scores a sample.
func (j *judge) one(ctx context.Context, s *Sample, p *Prediction) (*Outcome, error) {
	out := &Outcome{
		DB: s.DB, ID: s.ID, Question: s.Question, Difficulty: s.Facts.Difficulty, Constructs: s.Facts.Constructs,
		Tools: len(s.Tools), Tied: s.Facts.TieDependent, GoldAnswer: cut(string(s.Answer)),
	}
	switch j.mode {
	case SQL:
		return out, j.sql(ctx, s, p, out)
	case Agent:
		return out, j.agent(ctx, s, p, out)
	}
	gold := wellFormed(s.Gold)
	written, meant, c, readErr := j.read(s, p, gold)
	out.Intent, out.IntentSet, out.IntentMultiset, out.Slot = c.prefix, c.set, c.multi, c.slot
	out.Gold, out.Predicted = called(gold), called(meant)
	if out.Completed = c.same; j.options.Executor != nil && (readErr == nil || len(s.Gold) == 0) {
		if err := j.run(ctx, s, gold, meant, out); err != nil {
			return nil, err
		}
	}
	j.both(s, p, c, out)
	out.OtherCalls = out.Completed && !c.same
	if !out.Completed {
		out.Differences = c.differences
		if readErr != nil {
			out.Error, out.Reason, out.Text = InstructionAlignment, readErr.Error(), p.text()
		} else {
			out.Error, out.Reason = classify(s, written, c)
		}
	}
	j.loops(p, out)
	return out, nil
}

// read reads the calls of a prediction by the rules and holds them against gold.
// It returns them as they are written, and under their real names. The error says
// why no calls could be read: then the prediction is an empty one.
func (j *judge) read(s *Sample, p *Prediction, gold []calltext.Call) (written, meant []calltext.Call, c *compared, err error) {
	if j.options.Rules == Exact {
		written, err = readCalls(p)
		meant = s.named(s.reveal(written))
		return written, meant, compareForms(newForm(s, gold), newForm(s, meant)), err
	}
	want, err := paperCalls(entriesOf(s.Gold), s.HasLabels())
	if err != nil {
		return nil, nil, nil, err // gold calls have names
	}
	entries, labelled, err := readPaper(s, p)
	var got []paperCall
	if err == nil {
		written = callsOf(entries, labelled)
		got, err = paperCalls(s.revealEntries(entries), labelled)
	}
	return written, s.reveal(written), comparePaper(want, got), err
}

// reveal gives calls their real names.
func (s *Sample) reveal(calls []calltext.Call) []calltext.Call {
	out := slices.Clone(calls)
	for i, c := range calls {
		if c.Malformed == "" {
			out[i].Call = s.Reveal(c.Call)
		}
	}
	return out
}

// revealEntries gives calls in JSON their real names.
func (s *Sample) revealEntries(entries []any) []any {
	if s.names == nil && !s.strict {
		return entries
	}
	out := slices.Clone(entries)
	for i, e := range entries {
		object, ok := e.(tools.Arguments)
		name, _ := object.Get("name")
		text, named := name.(string)
		if !ok || !named {
			continue
		}
		for _, field := range []string{"arguments", "parameters"} {
			v, _ := object.Get(field)
			if arguments, ok := v.(tools.Arguments); ok {
				c := s.Reveal(tools.Call{Name: text, Arguments: arguments})
				object = object.Set("name", c.Name).Set(field, c.Arguments)
			}
		}
		out[i] = object
	}
	return out
}

func wellFormed(calls []tools.Call) []calltext.Call {
	out := make([]calltext.Call, len(calls))
	for i, c := range calls {
		out[i].Call = c
	}
	return out
}

func called(calls []calltext.Call) []Called {
	out := make([]Called, len(calls))
	for i, c := range calls {
		out[i] = Called{Call: c.Call, Wrong: c.Malformed}
	}
	return out
}

// run runs the calls and says whether their answer is right. Where it is not,
// gold is run too, to show what its calls return.
func (j *judge) run(ctx context.Context, s *Sample, gold, predicted []calltext.Call, out *Outcome) error {
	if len(predicted) == 0 {
		out.Completed = len(gold) == 0
		return nil
	}
	e := j.options.Executor
	t, err := try(ctx, e, s, predicted)
	if err != nil {
		return err
	}
	if out.Pair, err = t.pairResult(ctx, s); err != nil {
		return err
	}
	var answer any // by the paper's code
	if j.options.Rules == Exact {
		out.Answer, out.Completed, err = t.exact(ctx, s)
	} else if answer, err = t.paper(ctx, s); err == nil {
		out.Answer = shown(answer)
		out.Completed, err = s.isPaperAnswer(answer)
	}
	if out.Completed || err != nil || j.brief && j.options.Rules == Exact {
		return err
	}
	g, err := try(ctx, e, s, gold)
	if err != nil {
		return err
	}
	if j.options.Rules == Paper {
		// The gold calls' own answer is right too: the code was given what they
		// return, and SQL may give the same rows in another order.
		own, err := g.paper(ctx, s)
		if err != nil {
			return err
		}
		if out.Completed = paperEqual(answer, own, s.variant()); out.Completed {
			return nil
		}
	}
	if j.brief {
		return nil
	}
	if err := t.show(ctx, out.Predicted); err != nil {
		return err
	}
	return g.show(ctx, out.Gold)
}

// show notes what calls returned.
func (t *trial) show(ctx context.Context, calls []Called) error {
	for i, r := range t.results {
		if r.Err != nil {
			calls[i].Returned, calls[i].Failed = r.Err.Error(), true
			continue
		}
		var err error
		if calls[i].Returned, err = r.Show(ctx); err != nil {
			return err
		}
	}
	return nil
}

// loops counts the loops of ReAct and of agents.
func (j *judge) loops(p *Prediction, out *Outcome) {
	if j.mode != ReAct && j.mode != Agent {
		return
	}
	out.Loops = len(p.Steps)
	if out.Completed {
		return
	}
	out.LastLoop = out.Loops >= j.options.MaxLoops
	for i := 1; i < len(p.Steps); i++ {
		before, now := p.Steps[i-1].Call, p.Steps[i].Call
		if before == nil || now == nil || before.Name != now.Name {
			continue
		}
		out.Stuck = true
		if jsonText(sorted(before.Arguments)) == jsonText(sorted(now.Arguments)) {
			out.StuckSame = true
		}
	}
}

// maxShown is how many bytes of an answer a report has.
const maxShown = 2000

// shown writes an answer as JSON, cut where it is long.
func shown(answer any) string {
	if list, ok := answer.([]any); ok && len(list) > maxShown {
		answer = list[:maxShown] // the rest would be cut, and need not be written
	}
	text, err := jsontext.Marshal(answer, "")
	if err != nil {
		return ""
	}
	return cut(string(text))
}

// cut returns a text without what is too long to be shown.
func cut(text string) string {
	if len(text) <= maxShown {
		return text
	}
	end := maxShown
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// distinct returns errors without those whose text an earlier one has: a database that
// is missing is so for all of its samples.
func distinct(errs []error) []error {
	seen := map[string]bool{}
	var out []error
	for _, err := range errs {
		if err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			out = append(out, err)
		}
	}
	return out
}
