package episode_test

import (
	"context"
	"fmt"
	"log"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// A question of the sample is answered by calls, of which the first has a mistake,
// and scored.
func Example() {
	if err := answer(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// How many sites have a hide?
	// {"error":{"message":"filter_data: key_name: unknown key \"site_hides\"; use one of site_site_id, site_name, site_county, site_lat, site_lon, site_Area_ha, site_hide","tool":"filter_data","argument":"key_name","reason":"unknown key \"site_hides\"","hint":"use one of site_site_id, site_name, site_county, site_lat, site_lon, site_Area_ha, site_hide"}}
	// {"label":"FILTERED_DF_0","row_count":3,"shown":3,"truncated":false,"columns":{"site_site_id":"string","site_name":"string","site_county":"string","site_lat":"number","site_lon":"number","site_Area_ha":"number","site_hide":"integer"},"rows":[["S02","Fisherman's Point","Kerry",52.1109,-10.2033,12.0,1],["S04","North Slob","Wexford",52.36,-6.41,1000.0,1],["S07","City Park","Cork",51.8969,-8.4863,null,1]]}
	// {"label":"COUNT","row_count":1,"shown":1,"truncated":false,"columns":{"count":"integer"},"value":3}
	// reward 1, 1 of 3 calls failed
}

func answer(ctx context.Context) error {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		return err
	}
	env, err := episode.New(episode.Options{Dataset: dataset, Limits: episode.Limits{Rows: 100_000}})
	if err != nil {
		return err
	}
	defer env.Close()
	task, err := env.Task(ctx, record.SLOT, "bird_club", "87")
	if err != nil {
		return err
	}
	fmt.Println(task.Question) // a model is shown task.System and task.Tools too
	e, err := env.Open(ctx, task, "")
	if err != nil {
		return err
	}
	defer e.End()
	for _, call := range []tools.Call{
		{Name: "filter_data", Arguments: tools.Arguments{
			{Name: "data_source", Value: "$starting_table_var$"}, {Name: "key_name", Value: "site_hides"},
			{Name: "condition", Value: "equal_to"}, {Name: "value", Value: 1},
		}},
		{Name: "filter_data", Arguments: tools.Arguments{
			{Name: "data_source", Value: "$starting_table_var$"}, {Name: "key_name", Value: "site_hide"},
			{Name: "condition", Value: "equal_to"}, {Name: "value", Value: 1},
		}},
		{Name: "aggregate_data", Arguments: tools.Arguments{
			{Name: "data_source", Value: "$FILTERED_DF_0$"}, {Name: "aggregation_type", Value: "count"},
		}},
	} {
		seen, err := e.Call(ctx, call)
		if err != nil { // the service failed; the mistakes of an agent are no errors
			return err
		}
		text, err := seen.JSON()
		if err != nil {
			return err
		}
		fmt.Println(text)
	}
	score, err := e.Score(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("reward %v, %d of %d calls failed\n", score.Reward, score.Components.FailedCalls, score.Components.Calls)
	return nil
}
