package episode_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// open returns an environment of the sample's databases, or of some.
func open(t *testing.T, limits episode.Limits, databases ...string) *episode.Environment {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: databases})
	if err != nil {
		t.Fatal(err)
	}
	return openWith(t, episode.Options{Dataset: dataset, Limits: limits})
}

// openWith adds what every environment of these tests has.
func openWith(t *testing.T, o episode.Options) *episode.Environment {
	t.Helper()
	api, err := rest.Open(t.Context(), o.Dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.Endpoints = api
	o.Failed = func(err error) { t.Error(err) }
	env, err := episode.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(env.Close(), api.Close()); err != nil {
			t.Error(err)
		}
	})
	return env
}

// call returns what an agent is shown.
func call(t *testing.T, e *episode.Episode, name string, args ...tools.Argument) string {
	t.Helper()
	seen, err := e.Call(t.Context(), tools.Call{Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	text, err := seen.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func arg(name string, v any) tools.Argument { return tools.Argument{Name: name, Value: v} }

// TestGold replays the gold calls of every question, which is converted for it.
func TestGold(t *testing.T) {
	env := open(t, episode.Limits{})
	for _, variant := range env.Variants() {
		if n := replay(t, env, variant); n != len(env.Dataset().Questions) {
			t.Errorf("%s: %d questions were scored", variant, n)
		}
	}
	if n, bytes := env.Usage(); n != 0 || bytes != 0 {
		t.Errorf("%d episodes are open, with %d bytes", n, bytes)
	}
}

// TestGoldOfFolders does the same with samples that convert wrote: with tools of
// strict mode, and under names that say nothing.
func TestGoldOfFolders(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"bird_club"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []pipeline.Writing{{Spec: spec.OpenAIStrict, MaxTools: 128}, {Obfuscate: true, MaxTools: 128}} {
		o := episode.Options{Dataset: dataset}
		for _, variant := range []string{record.SLOT, record.SEL, record.REST} {
			run := pipeline.Options{Dataset: dataset, Variant: variant, Out: t.TempDir(), Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: how}
			if _, err := pipeline.Run(t.Context(), run); err != nil {
				t.Fatal(err)
			}
			o.Samples = append(o.Samples, run.Folder())
		}
		env := openWith(t, o)
		for _, variant := range env.Variants() {
			if n := replay(t, env, variant); n != len(dataset.Questions) {
				t.Errorf("%+v: %s: %d questions were scored", how, variant, n)
			}
		}
	}
	if _, err := episode.New(episode.Options{Dataset: dataset, Samples: []string{t.TempDir()}}); err == nil || !strings.Contains(err.Error(), "name a folder that convert wrote") {
		t.Error(err)
	}
}

// replay runs the gold calls of the questions without their labels, and they end in
// the gold answer. It returns how many have a sample.
func replay(t *testing.T, env *episode.Environment, variant string) (scored int) {
	t.Helper()
	for i := range env.Dataset().Questions {
		q := &env.Dataset().Questions[i]
		task, err := env.Task(t.Context(), variant, q.DB, q.ID.String())
		if err != nil {
			t.Errorf("%s %s: %v", variant, q.ID, err)
			continue
		}
		e, err := env.Open(t.Context(), task, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range task.Gold().Listed {
			if seen := call(t, e, c.Name, c.Arguments...); strings.HasPrefix(seen, `{"error"`) {
				t.Errorf("%s %s: %s", variant, q.ID, seen)
			}
		}
		score, err := e.Score(t.Context())
		if err != nil || score.Reward != 1 || score.Components.IntentF1 != 1 || score.Components.SlotF1 != 1 || score.Error != "" {
			t.Errorf("%s %s: %+v, %v", variant, q.ID, score, err)
		}
		scored++
		e.End()
	}
	return scored
}

// TestMistakes lists calls that are wrong, with what an agent is shown for them, and
// none is an error.
func TestMistakes(t *testing.T) {
	env := open(t, episode.Limits{Calls: 9, Rows: 1000}, "city_library")
	task, err := env.Tables(t.Context(), record.SLOT, "city_library", "loan", "member")
	if err != nil {
		t.Fatal(err)
	}
	e, err := env.Open(t.Context(), task, "mine")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []tools.Argument
		want string
	}{
		{"filter_data", []tools.Argument{arg("data_source", "$loan$"), arg("key_name", "loan_fines"), arg("condition", "is_null"), arg("value", nil)},
			`unknown key \"loan_fines\"; use one of loan_loan_id, loan_member_id`},
		{"filter_data", []tools.Argument{arg("data_source", "$loan$"), arg("key_name", "loan_fine")}, `condition: is missing`},
		{"filter_data", []tools.Argument{arg("data_source", "$book$"), arg("key_name", "loan_fine"), arg("condition", "is_null")}, `unknown label`},
		{"filter", nil, `there is no tool \"filter\"; use one of those listed, such as filter_data`},
		{"filter_data", []tools.Argument{arg("data_source", "$loan$"), arg("key_name", "loan_fine"), arg("condition", 7)}, `condition: `},
		{"join_data", []tools.Argument{arg("data_source", "$loan$"), arg("other_data_source", "$loan$"), arg("join_type", "cross")}, `the result has more than 1000 rows; filter first or join on a key`},
		{"sort_data", []tools.Argument{arg("data_source", "$member$"), arg("key_name", "member_branch_code"), arg("ascending", true)}, `{"label":"SORTED_DF","row_count":`},
		{"sort_data", []tools.Argument{arg("data_source", "$member$"), arg("key_name", "member_branch_code"), arg("ascending", true)}, `{"label":"SORTED_DF_1",`},
		{"aggregate_data", []tools.Argument{arg("data_source", "$SORTED_DF$"), arg("aggregation_type", "count"), arg("label", "N")}, `{"label":"N","row_count":1,"shown":1,"truncated":false,"columns":{`},
		{"filter_data", nil, `the session has had 9 calls`},
	} {
		if seen := call(t, e, c.name, c.args...); !strings.Contains(seen, c.want) {
			t.Errorf("%s: %s, want %s", c.name, seen, c.want)
		}
	}
	if _, err := e.Score(t.Context()); !errors.Is(err, episode.ErrNoGold) {
		t.Error(err)
	}
	page, err := e.Table(t.Context(), "SORTED_DF", 1, 2)
	if err != nil || page.Offset != 1 || len(page.Rows) != 2 || page.Columns[1].Type != "string" {
		t.Errorf("%+v, %v", page, err)
	}
	if _, err := e.Table(t.Context(), "NOTHING", 0, 1); err == nil {
		t.Error("there is a table of no result")
	}
}

// TestNoTask lists what there are no tasks of.
func TestNoTask(t *testing.T) {
	env := open(t, episode.Limits{}, "city_library")
	for _, c := range []struct{ variant, db, id, want string }{
		{"sloth", "city_library", "1", `there is no variant "sloth"; use one of slot, sel, rest`},
		{"slot", "library", "1", `there is no database "library"; there are city_library`},
		{"slot", "city_library", "x", `the database city_library has no question with the id "x"`},
	} {
		_, err := env.Task(t.Context(), c.variant, c.db, c.id)
		var none *episode.NoTaskError
		if !errors.As(err, &none) || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	var none *episode.NoTaskError
	if _, err := env.Tables(t.Context(), "sel", "city_library", "brunch"); !errors.As(err, &none) || !strings.HasPrefix(err.Error(), `there is no table "brunch"; use branch,`) {
		t.Error(err)
	}
	if _, err := env.Tables(t.Context(), "rest", "city_library", "branch"); !errors.As(err, &none) {
		t.Error(err)
	}
}

// TestOtherData says that episodes that run at the same time do not see each
// other's results, and that a cross join or many episodes end in a limit.
func TestOtherData(t *testing.T) {
	env := open(t, episode.Limits{}, "city_library")
	task, err := env.Tables(t.Context(), record.SLOT, "city_library", "loan")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 50 {
		all.Go(func() {
			e, err := env.Open(t.Context(), task, fmt.Sprint("e", n))
			if err != nil {
				t.Error(err)
				return
			}
			var calls sync.WaitGroup
			for range 4 { // at the same time in one episode
				calls.Go(func() {
					seen, err := e.Call(context.WithoutCancel(t.Context()), tools.Call{Name: "filter_data", Arguments: tools.Arguments{
						arg("data_source", "$loan$"), arg("key_name", "loan_loan_id"), arg("condition", "equal_to"), arg("value", n+1),
					}})
					if err != nil || seen.Err != nil || seen.RowCount != 1 {
						t.Errorf("%d: %+v, %v", n, seen, err)
					}
				})
			}
			calls.Wait()
			for label := range 4 {
				page, err := e.Table(t.Context(), fmt.Sprint("FILTERED_DF_", label), 0, 10)
				if err != nil || len(page.Rows) != 1 || page.Rows[0][0].Int64() != int64(n+1) {
					t.Errorf("%d: %+v, %v", n, page, err)
				}
			}
			if n%2 == 0 {
				e.End()
			}
		})
	}
	all.Wait()
	if n, bytes := env.Usage(); n != 25 || bytes <= 0 {
		t.Errorf("%d episodes are open, with %d bytes", n, bytes)
	}
}

// TestRoom says which episodes end where there is no room for all.
func TestRoom(t *testing.T) {
	env := open(t, episode.Limits{Episodes: 2}, "city_library")
	task, err := env.Tables(t.Context(), record.SLOT, "city_library", "loan")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c"} {
		e, err := env.Open(t.Context(), task, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := env.Open(t.Context(), task, id); !errors.As(err, new(*episode.DuplicateIDError)) {
			t.Error(err)
		}
		call(t, e, "aggregate_data", arg("data_source", "$loan$"), arg("aggregation_type", "count"))
	}
	for id, want := range map[string]string{
		"a": `the session "a" is not open: newer sessions needed its place; open another one, whose results have to be made again`,
		"b": "", "c": "",
		"d": `the session "d" is not open: there is none of that id, or it ended long ago; open another one, whose results have to be made again`,
	} {
		if _, err := env.Episode(id); fmt.Sprint(err) != want && (err != nil || want != "") {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := env.Open(t.Context(), task, "a/b"); !errors.As(err, new(*episode.IDError)) {
		t.Error(err)
	}
}

// TestMemory says that a result that is too large is not kept, and the episode goes
// on.
func TestMemory(t *testing.T) {
	env := open(t, episode.Limits{Memory: 100 << 10, AllMemory: 150 << 10}, "city_library")
	task, err := env.Tables(t.Context(), record.SLOT, "city_library", "loan", "member")
	if err != nil {
		t.Fatal(err)
	}
	cross := []tools.Argument{arg("data_source", "$loan$"), arg("other_data_source", "$member$"), arg("join_type", "cross")}
	count := []tools.Argument{arg("data_source", "$loan$"), arg("aggregation_type", "count")}
	first, err := env.Open(t.Context(), task, "first")
	if err != nil {
		t.Fatal(err)
	}
	if seen := call(t, first, "join_data", cross...); !strings.Contains(seen, "would take more than the 100 KB that one may have; filter first") {
		t.Error(seen)
	}
	if seen := call(t, first, "aggregate_data", count...); !strings.Contains(seen, `"label":"COUNT"`) {
		t.Error(seen)
	}
	sorted := []tools.Argument{arg("data_source", "$loan$"), arg("key_name", "loan_due"), arg("ascending", true)}
	for n := range 200 { // each takes some memory, so that the oldest must go
		e, err := env.Open(t.Context(), task, fmt.Sprint("e", n))
		if err != nil {
			t.Fatal(err)
		}
		if seen := call(t, e, "sort_data", sorted...); !strings.Contains(seen, `"label":"SORTED_DF"`) {
			t.Error(seen)
		}
	}
	if _, bytes := env.Usage(); bytes > 150<<10 {
		t.Errorf("the results take %d bytes", bytes)
	}
	if _, err := env.Episode("first"); err == nil || !strings.Contains(err.Error(), "results of other sessions needed its memory") {
		t.Error(err)
	}
}
