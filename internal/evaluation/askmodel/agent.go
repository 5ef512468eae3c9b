package askmodel

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/evaluation/agent"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// agent has the model call a database and APIs, one call after the other, until it
// answers with rows. What is recorded and run again is as in ReAct.
func (e *exchange) agent(ctx context.Context) error {
	opened, err := e.Agents.Open(ctx, e.sample)
	if err != nil {
		return err
	}
	if list := opened.Tools(); e.Native && e.MaxTools > 0 && len(list) > e.MaxTools {
		e.prediction.Status = evaluate.NotRun
		e.prediction.Reason = fmt.Sprintf("an agent has %d tools, and --max-tools is %d; leave --native out", len(list), e.MaxTools)
		return nil
	}
	// The tools are the agent's, under plain names and without labels, which those of
	// REST have none of either.
	asked := e.sample
	e.sample = &evaluate.Sample{
		Variant: record.REST, DB: asked.DB, ID: asked.ID, Question: asked.Question, Evidence: asked.Evidence, Now: asked.Now, Tools: opened.Tools(),
	}
	e.shown = e.sample
	a := &acting{exchange: e, episode: opened, labels: toolnames.NewLabeler(e.sample)}
	a.done = func(c tools.Call) (bool, error) {
		if c.Name != agent.Answer {
			return false, nil
		}
		rows, err := agent.Rows(c)
		e.prediction.Rows = rows
		return true, err
	}
	err = a.converse(ctx, func(pad string) (string, error) {
		return e.Prompts.Agent(e.sample, opened.Schema(), e.Loops, pad)
	}, func() (system, user string, err error) {
		return e.Prompts.NativeAgent(e.sample, opened.Schema(), e.Loops)
	})
	if opened.HasAPIs() {
		used := opened.Asked()
		e.prediction.APIs = &used
	}
	return err
}
