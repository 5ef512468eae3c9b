package evaluate_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestSameMeansSameAnswer changes gold sequences at random and runs those that
// the normal form takes for the same: they must give the right answer. The
// databases, which know nothing of the form, are the oracle.
func TestSameMeansSameAnswer(t *testing.T) {
	rounds := thorough.Rounds(12, 40)
	random := rand.New(rand.NewPCG(3, 4))
	e := executor(t)
	for _, variant := range []string{record.SLOT, record.SEL} {
		d := written(t, variant, pipeline.Writing{})
		same := 0
		for range rounds {
			predictions := goldOf(d)
			for i := range predictions {
				for range 1 + random.IntN(3) {
					predictions[i].Calls = change(random, predictions[i].Calls)
				}
			}
			byForm := outcomes(t, d, predictions, nil)
			byAnswer := outcomes(t, d, predictions, e)
			for i, o := range byForm {
				if !o.Completed {
					continue
				}
				same++
				if !byAnswer[i].Completed {
					t.Fatalf("%s/%s: these calls are taken for gold's, but they answer %s, not %s\n%+v", o.DB, o.ID, byAnswer[i].Answer, o.GoldAnswer, predictions[i].Calls)
				}
			}
		}
		if least := rounds * len(d.Samples) / 10; same < least {
			t.Errorf("%s: only %d changed sequences are taken for the same, which shows little", variant, same)
		}
	}
}

func outcomes(t *testing.T, d *evaluate.Dataset, predictions []evaluate.Prediction, e evaluate.Executor) []evaluate.Outcome {
	t.Helper()
	r, err := evaluate.Score(t.Context(), d, predictions, nil, evaluate.Options{Executor: e})
	if err != nil {
		t.Fatal(err)
	}
	return r.Outcomes
}

// change returns calls with one change, which may change what they mean or not.
func change(random *rand.Rand, calls []tools.Call) []tools.Call {
	if len(calls) == 0 {
		return calls
	}
	out := slices.Clone(calls)
	c := &out[random.IntN(len(out))]
	c.Arguments = slices.Clone(c.Arguments)
	isFilter := func(c tools.Call) bool {
		return c.Name == toolname.Filter || strings.HasPrefix(c.Name, "select_data_")
	}
	switch random.IntN(10) {
	case 0:
		return shuffle(random, out)
	case 1: // what two filters say changes places
		o := &out[random.IntN(len(out))]
		if isFilter(*c) && isFilter(*o) {
			c.Name, o.Name = o.Name, c.Name
			one, other := without(c.Arguments), without(o.Arguments)
			c.Arguments, o.Arguments = slices.Concat(source(c.Arguments), other), slices.Concat(source(o.Arguments), one)
		}
	case 2: // an argument is left out
		if n := len(c.Arguments); n > 0 {
			at := random.IntN(n)
			c.Arguments = slices.Delete(c.Arguments, at, at+1)
		}
	case 3: // a direction is the other one
		if v, ok := c.Arguments.Get(toolname.ArgAscending); ok {
			if up, ok := v.(bool); ok {
				c.Arguments = c.Arguments.Set(toolname.ArgAscending, !up)
			}
		}
	case 4: // rows are drawn once
		if c.Name == toolname.Retrieve {
			c.Arguments = c.Arguments.Set(toolname.ArgDistinct, random.IntN(2) == 0)
		}
	case 5: // a value is a list of it, or the other way round
		v, ok := c.Arguments.Get(toolname.ArgValue)
		if list, isList := v.([]any); isList && len(list) > 0 {
			c.Arguments = c.Arguments.Set(toolname.ArgValue, list[0])
		} else if ok {
			c.Arguments = c.Arguments.Set(toolname.ArgValue, []any{v})
		}
		c.Arguments = maybe(random, c.Arguments, toolname.ArgCondition, "in", "equal_to", "between", "not_in")
	case 6: // the first of a sorted table is the extreme
		if c.Name == toolname.Sort {
			up, _ := c.Arguments.Get(toolname.ArgAscending)
			how := map[any]string{true: "argmin", false: "argmax"}[up]
			key, _ := c.Arguments.Get(toolname.ArgKeyName)
			c.Name = toolname.Aggregate
			c.Arguments = append(source(c.Arguments), tools.Argument{Name: toolname.ArgKeyName, Value: key}, tools.Argument{Name: toolname.ArgAggregationType, Value: how})
		}
	case 7: // a limit is none, or one
		if c.Name == toolname.Retrieve || strings.HasPrefix(c.Name, "get_") {
			c.Arguments = c.Arguments.Set(toolname.ArgLimit, random.IntN(3)-1)
		}
	case 9: // keys are called otherwise, perhaps as others are
		if out, n := rekey(out); n > 0 {
			return out
		}
		c.Arguments = maybe(random, c.Arguments, toolname.ArgOutputKey, "sighting_count", "book_price", "own_key_1", "n")
	case 8: // equal rows are dropped in the end
		last := out[len(out)-1]
		return append(out, tools.Call{Name: toolname.Unique, Label: "U", Arguments: tools.Arguments{{Name: toolname.ArgUniqueArray, Value: "$" + last.Label + "$"}}})
	}
	return out
}

func source(args tools.Arguments) tools.Arguments {
	v, _ := args.Get(toolname.ArgDataSource)
	return tools.Arguments{{Name: toolname.ArgDataSource, Value: v}}
}

func without(args tools.Arguments) tools.Arguments {
	return slices.DeleteFunc(slices.Clone(args), func(a tools.Argument) bool { return a.Name == toolname.ArgDataSource })
}

// maybe sets an argument that is there to one of the values, half of the time.
func maybe(random *rand.Rand, args tools.Arguments, name string, values ...any) tools.Arguments {
	if _, ok := args.Get(name); !ok || random.IntN(2) == 0 {
		return args
	}
	return args.Set(name, values[random.IntN(len(values))])
}
