package query_test

import (
	"context"
	"encoding/json"
	"fmt"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
)

// A call as a model wrote it is read, run and answered.
func ExampleDatabase_Run() {
	ctx := context.Background()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		fmt.Println(err)
		return
	}
	db, err := query.Open(ctx, dataset.Database("bird_club"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	for _, text := range []string{
		`{"collection_name": "species", "search_query": "heron", "properties": ["common_name"]}`,
		`{"collection_name": "site", "aggregations": [{"metrics": "COUNT"}], "groupby_properties": ["hide"]}`,
		`{"collection_name": "site", "groupby_properties": ["hides"]}`,
	} {
		var args tools.Arguments
		if err := json.Unmarshal([]byte(text), &args); err != nil {
			fmt.Println(err)
			return
		}
		q, err := query.Parse(args, query.Full, db.Collections())
		if err != nil {
			fmt.Println(err) // which is what to show to the model
			continue
		}
		result, err := db.Run(ctx, q)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s\n", result.JSON(query.ForModels))
	}
	// Output:
	// {"objects":[{"common_name":"Grey Heron"}],"count":1,"truncated":false}
	// {"groups":[{"group":{"hide":null},"values":[{"metrics":"COUNT","value":1}]},{"group":{"hide":false},"values":[{"metrics":"COUNT","value":6}]},{"group":{"hide":true},"values":[{"metrics":"COUNT","value":3}]}],"count":3,"truncated":false}
	// query_database: groupby_properties[0]: site has no property "hides"; use one of site_id, name, county, lat, lon, Area-ha, hide
}

// The tool is described to a model in one of four shapes.
func ExampleTools() {
	collections := []query.Collection{{Name: "dishes", Properties: []query.Property{
		{Name: "name", Type: query.Text}, {Name: "price", Type: query.Number}, {Name: "vegetarian", Type: query.Boolean},
	}}}
	for _, tool := range query.Tools(collections, query.Paper, query.PerCollection) {
		fmt.Println(tool.Name, tool.Takes())
	}
	// Output:
	// query_dishes [boolean_property_aggregation boolean_property_filter groupby_property integer_property_aggregation integer_property_filter search_query text_property_aggregation text_property_filter]
}
