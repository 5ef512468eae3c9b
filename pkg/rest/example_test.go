package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

func ExampleOpen() {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"coffee_roastery"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	catalog, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer catalog.Close()
	question := &dataset.Questions[5]
	call, err := catalog.Call(question)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(question.SQL)
	fmt.Println(call.URL())
	service := rest.NewService(catalog, rest.ServiceOptions{}).Handler()
	for _, url := range []string{
		"/v1/bird/coffee_roastery/bean_names_by_origin?origins=Kenya",
		"/v1/bird/coffee_roastery/bean_names_by_origin?origin=Kenya",
	} {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// SELECT name FROM bean WHERE origin IN ('Ethiopia', 'Kenya', 'India')
	// /v1/bird/coffee_roastery/bean_names_by_origin?origins=Ethiopia&origins=Kenya&origins=India
	// 200 {"data":[{"name":"Kirinyaga AA"},{"name":"Nyeri Peaberry"}],"count":2,"truncated":false}
	// 400 {"type":"about:blank","title":"Bad parameter","status":400,"detail":"origin: there is no such parameter; use origins, limit and offset.","instance":"/v1/bird/coffee_roastery/bean_names_by_origin","errors":[{"parameter":"origin","reason":"there is no such parameter","hint":"use origins, limit and offset"},{"parameter":"origins","reason":"it is missing","hint":"give a text such as Ethiopia, up to 10 times"}]}
}

// A database's endpoints as tools for a model: the name is the endpoint's, and
// the arguments have JSON Schema.
func ExampleDatabase_Tools() {
	ctx := context.Background()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"coffee_roastery"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	catalog, err := rest.Open(ctx, dataset, rest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer catalog.Close()
	tools, err := catalog.Database("coffee_roastery").Tools(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range tools {
		if tool.Name == "bean_count_by_organic" {
			text, err := json.MarshalIndent(tool, "", "  ")
			fmt.Println(string(text), err)
		}
	}
	// Output:
	// {
	//   "name": "bean_count_by_organic",
	//   "description": "Bean count. Gives bean count, for a given organic. The answer has one row at most.",
	//   "parameters": {
	//     "additionalProperties": false,
	//     "properties": {
	//       "organic": {
	//         "description": "The organic. Whether it is certified organic. 1: yes, 0: no.",
	//         "enum": [
	//           0,
	//           1
	//         ],
	//         "format": "int64",
	//         "title": "Organic",
	//         "type": "integer"
	//       }
	//     },
	//     "required": [
	//       "organic"
	//     ],
	//     "type": "object"
	//   },
	//   "path": "/v1/bird/coffee_roastery/bean_count_by_organic"
	// } <nil>
}
