package scorereport

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// hostile is what a model may write to get out of a page.
const hostile = `</script><img src=x onerror=alert(1)>'"&{{.}}` + "\x1b[31m`|*_[x](javascript:1)"

// metric makes a metric of its counts.
func metric(tp, fp, fn int) evaluate.Metric {
	m := evaluate.Metric{Counts: evaluate.Counts{TP: tp, FP: fp, FN: fn}}
	ratio := func(a, b int) *float64 {
		if b == 0 {
			return nil
		}
		f := float64(a) / float64(b)
		return &f
	}
	m.Precision, m.Recall, m.F1 = ratio(tp, tp+fp), ratio(tp, tp+fn), ratio(2*tp, 2*tp+fp+fn)
	return m
}

// scores makes scores of n samples, of which some were completed.
func scores(n, completed, other int, errors map[evaluate.Class]int) evaluate.Scores {
	return evaluate.Scores{
		Samples: n, Intent: metric(3*completed+1, n, n-completed), IntentSet: metric(4*completed, n, 2), IntentMultiset: metric(4*completed, n, 3),
		Slot:      metric(5*completed, 2*n, n),
		Completed: completed, CompletionRate: float64(completed) / float64(n), OtherCalls: other, Errors: errors,
	}
}

func args(pairs ...any) tools.Arguments {
	var out tools.Arguments
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, tools.Argument{Name: pairs[i].(string), Value: pairs[i+1]})
	}
	return out
}

func called(name, label, returned string, a tools.Arguments) evaluate.Called {
	return evaluate.Called{Call: tools.Call{Name: name, Label: label, Arguments: a}, Returned: returned}
}

// fixture is a report with every class of error, in several databases, with
// texts that are long, hostile, or in other scripts.
func fixture() *evaluate.Report {
	gold := []evaluate.Called{
		called("filter_data", "FILTERED_DF_0", "12 rows", args("data_source", "$starting_table_var$", "key_name", "schools_County", "value", "Alameda", "condition", "equal_to")),
		called("sort_data", "SORTED_DF_1", "12 rows", args("data_source", "$FILTERED_DF_0$", "key_name", "satscores_NumTstTakr", "ascending", false)),
		called("retrieve_data", "RETRIEVED_DATA_2", `["Oakland Charter", "Berkeley High"]`, args("data_source", "$SORTED_DF_1$", "key_name", "schools_School", "distinct", true, "limit", json.Number("9007199254740993"))),
	}
	failing := func(i int, db string, class evaluate.Class, predicted []evaluate.Called, text string, d ...evaluate.Difference) evaluate.Outcome {
		return evaluate.Outcome{
			DB: db, ID: bird.Number(i), Question: fmt.Sprintf("Question %d: which schools in Alameda County have the most test takers?", i),
			Difficulty: "moderate", Constructs: []string{"ORDER BY", "LIMIT"}, Tools: 10, Error: class, Reason: "why it is " + string(class),
			Gold: gold, Predicted: predicted, Text: text, Differences: d, SQL: "SELECT School FROM schools WHERE County = 'Alameda' ORDER BY NumTstTakr DESC LIMIT 2",
			GoldAnswer: `["Oakland Charter", "Berkeley High"]`, Answer: `["Berkeley High"]`,
		}
	}
	wrongValue := []evaluate.Called{
		called("filter_data", "A", "3 rows", args("data_source", "$starting_table_var$", "key_name", "schools_County", "value", "Contra Costa", "condition", "equal_to")),
		called("aggregate_data", "X", "no column schools_Sex; nearest is schools_Sec", args("data_source", "$A$", "aggregation_type", "max")),
		called("sort_data", "B", "3 rows", args("data_source", "$A$", "key_name", "satscores_NumTstTakr", "order", "descending")),
		called("retrieve_data", "C", `["Berkeley High"]`, args("data_source", "$B$", "key_name", "schools_School", "distinct", true, "limit", json.Number("9007199254740993"))),
	}
	wrongValue[1].Failed = true
	broken := called("retrieve_data", "", "", nil)
	broken.Wrong = `arguments: invalid character '}' after {"data_source": `
	evil := called(hostile, hostile, hostile, args(hostile, hostile))
	evil.Failed, evil.Wrong = true, hostile
	hostileOne := failing(8, "hostile<db>", evaluate.HallucinatedName, []evaluate.Called{evil}, hostile,
		evaluate.Difference{Gold: -1, Predicted: 0}, evaluate.Difference{Gold: 0, Predicted: -1}, evaluate.Difference{Gold: 1, Predicted: -1}, evaluate.Difference{Gold: 2, Predicted: -1})
	hostileOne.Question, hostileOne.Reason, hostileOne.Answer, hostileOne.GoldAnswer, hostileOne.SQL = hostile, hostile, hostile, hostile, hostile
	hostileOne.Constructs, hostileOne.Difficulty = []string{hostile}, hostile
	react := failing(5, "城市_library", evaluate.WrongName, wrongValue[:2], "", evaluate.Difference{Gold: 1, Predicted: 1, Want: "sort_data", Got: "aggregate_data"}, evaluate.Difference{Gold: 2, Predicted: -1})
	react.Question = "哪个图书馆的读者最多？ Größe, naïve, 👩‍🔬"
	react.Loops, react.LastLoop, react.Stuck, react.StuckSame = 10, true, true, true
	missing := failing(6, "california_schools", evaluate.MissingParameter, []evaluate.Called{gold[0]}, "", evaluate.Difference{Gold: 0, Predicted: 0, Argument: "label", Want: `"FILTERED_DF_0"`, Got: `"X"`})
	missing.Tied = true
	outcomes := []evaluate.Outcome{
		{DB: "california_schools", ID: bird.Number(0), Question: "completed", Completed: true, Gold: gold, Predicted: gold},
		failing(1, "california_schools", evaluate.ValueError, wrongValue, "",
			evaluate.Difference{Gold: 0, Predicted: 0, Argument: "value", Want: `"Alameda"`, Got: `"Contra Costa"`},
			evaluate.Difference{Gold: -1, Predicted: 1},
			evaluate.Difference{Gold: 1, Predicted: 2, Argument: "ascending", Want: "false"},
			evaluate.Difference{Gold: 1, Predicted: 2, Argument: "order", Got: `"descending"`}),
		failing(2, "california_schools", evaluate.InstructionAlignment, nil, "I think the answer is "+strings.Repeat("Berkeley High, ", 400)),
		failing(3, "california_schools", evaluate.FunctionCount, gold[:1], ""),
		failing(4, "california_schools", evaluate.FunctionFormat, []evaluate.Called{gold[0], gold[1], broken}, ""),
		react, missing,
		failing(7, "城市_library", evaluate.UnexpectedParameter, gold, ""),
		hostileOne,
	}
	errors := map[evaluate.Class]int{}
	for _, o := range outcomes {
		if o.Error != "" {
			errors[o.Error]++
		}
	}
	errors[evaluate.ValueError] = 1203
	total := scores(1534, 324, 12, errors)
	total.Slot = metric(0, 0, 3) // no precision
	return &evaluate.Report{
		Model: "meta-llama/Llama-3.3-70B-Instruct", Variant: record.SLOT, Mode: evaluate.Direct, Rules: evaluate.Exact, Executed: true, Share: 100,
		Samples: 1540, Unpredicted: 3, NotRun: 2, Failed: 1, Total: total,
		Databases: []evaluate.Group{
			{Name: "california_schools", Scores: scores(1000, 200, 10, map[evaluate.Class]int{evaluate.ValueError: 500, evaluate.InstructionAlignment: 200, evaluate.FunctionCount: 100})},
			{Name: "hostile<db>", Scores: scores(34, 24, 0, map[evaluate.Class]int{evaluate.HallucinatedName: 10})},
			{Name: "城市_library", Scores: scores(500, 100, 2, map[evaluate.Class]int{evaluate.WrongName: 300, evaluate.UnexpectedParameter: 100})},
		},
		Difficulties: []evaluate.Group{{Name: "simple", Scores: scores(900, 300, 12, nil)}, {Name: "moderate", Scores: scores(634, 24, 0, nil)}},
		Constructs:   []evaluate.Group{{Name: "GROUP BY", Scores: scores(300, 60, 1, nil)}, {Name: "LIMIT", Scores: scores(500, 40, 1, nil)}, {Name: "correlated subquery", Scores: scores(20, 1, 0, nil)}},
		Lengths:      []evaluate.Group{{Name: "1", Scores: scores(100, 80, 1, nil)}, {Name: "2", Scores: scores(700, 200, 1, nil)}, {Name: "3", Scores: scores(700, 44, 1, nil)}, {Name: "10", Scores: scores(34, 0, 0, nil)}},
		Universes:    []evaluate.Group{{Name: "1-10", Scores: scores(1534, 324, 12, nil)}},
		Usage:        evaluate.Usage{Requests: 1534, Attempts: 1601, PromptTokens: 4567890, CompletionTokens: 234567, Unmeasured: 4, Cost: 12.345},
		Problems: []evaluate.Problem{
			{File: "calls.jsonl", Line: 7, Kind: "two predictions", Text: "california_schools/5 has one in line 3 already; keep one"},
			{File: "calls.jsonl", Line: 9, Kind: "no sample", Text: hostile},
			{File: "calls.jsonl", Line: 17, Kind: "two predictions", Text: "california_schools/6 has one in line 4"},
			{File: "calls.jsonl", Line: 18, Kind: "two predictions", Text: "california_schools/7 has one in line 5"},
			{File: "calls.jsonl", Line: 19, Kind: "two predictions", Text: "california_schools/8 has one in line 6"},
			{Kind: "record without gold", Text: "california_schools/99: add the calls"},
		},
		Outcomes: outcomes,
	}
}

// variation is the fixture as another evaluation.
func variation(change func(*evaluate.Report)) *evaluate.Report {
	r := fixture()
	change(r)
	return r
}

// reacting makes the fixture one of ReAct that no model has answered.
func reacting(r *evaluate.Report) {
	r.Mode, r.Simulated, r.Obfuscated, r.Share = evaluate.ReAct, true, true, 25
	r.Total.Loops = &evaluate.Loops{Average: 3.284, OutOfBudget: 51, Stuck: 320, StuckSame: 12, Unclassified: 590}
}

// unexecuted makes the fixture one by the paper's rules of which nothing was
// run.
func unexecuted(r *evaluate.Report) {
	r.Executed, r.Rules, r.Problems, r.Usage = false, evaluate.Paper, nil, evaluate.Usage{}
	r.Unpredicted, r.NotRun, r.Failed = 0, 0, 0
}

// inSQL makes the fixture one of a model that wrote SQL.
func inSQL(r *evaluate.Report) {
	r.Mode = evaluate.SQL
	r.Total.CompletionRate, r.Total.Completed = 0.35, 537
	for i := range r.Outcomes {
		r.Outcomes[i].Predicted, r.Outcomes[i].Text = nil, "SELECT School\nFROM schools -- "+hostile
	}
}
