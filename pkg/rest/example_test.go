package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/gin-gonic/gin"

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
	api, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer api.Close()
	question := &dataset.Questions[5]
	call, err := api.Call(question)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(question.SQL)
	fmt.Println(call.URL())
	service := rest.NewService(api, rest.ServiceOptions{}).Handler()
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
	// 400 {"type":"about:blank","title":"Bad parameter","status":400,"detail":"origin: there is no such parameter; use origins, limit and offset.","instance":"/v1/bird/coffee_roastery/bean_names_by_origin","errors":[{"parameter":"origin","reason":"there is no such parameter","hint":"use origins, limit and offset"},{"parameter":"origins","reason":"it is missing","hint":"give a text, up to 10 times"}]}
}

// From SQL to endpoints: two queries that differ in a value share one, which
// answers both over HTTP as SQLite does.
func ExampleConverter() {
	ctx := context.Background()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"coffee_roastery"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	dataset.Questions = nil
	for i, sql := range []string{
		"SELECT name FROM bean WHERE origin = 'Kenya'",
		"SELECT b.name FROM bean AS b WHERE b.origin = 'India'",
		"SELECT COUNT(*) FROM bean WHERE organic = 1",
	} {
		dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "coffee_roastery", SQL: sql})
	}
	converter, err := rest.NewConverter(ctx, dataset, rest.ConverterOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer converter.Close()
	for i := range dataset.Questions {
		record, err := converter.Convert(ctx, &dataset.Questions[i])
		if err != nil {
			fmt.Println(err)
			continue
		}
		call, err := json.Marshal(record.Calls[0].Arguments)
		fmt.Println(record.Calls[0].Name, string(call), record.GoldAnswer, err)
	}
	for _, e := range converter.API.Database("coffee_roastery").Endpoints {
		fmt.Println("GET", e.Path)
		fmt.Println("   ", e.SQL)
	}
	// Output:
	// bean_names_by_origin {"origin":"Kenya"} [Kirinyaga AA Nyeri Peaberry] <nil>
	// bean_names_by_origin {"origin":"India"} [Monsooned Malabar Kaapi Robusta] <nil>
	// bean_count_by_organic {"organic":1} 8 <nil>
	// GET /v1/bird/coffee_roastery/bean_names_by_origin
	//     SELECT name FROM bean WHERE origin = ?1
	// GET /v1/bird/coffee_roastery/bean_count_by_organic
	//     SELECT COUNT(*) FROM bean WHERE organic = ?1
}

// The endpoints within one's own gin engine, under a prefix and behind its
// middleware.
func ExampleService_Register() {
	ctx := context.Background()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"coffee_roastery"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := rest.Open(ctx, dataset, rest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer api.Close()
	service := rest.NewService(api, rest.ServiceOptions{MaxRows: 1000})

	gin.SetMode(gin.ReleaseMode) // the program's choice, which this package never makes
	engine := gin.New()
	engine.GET("/hello", func(c *gin.Context) { c.String(200, "hello\n") })
	data := engine.Group("/data", func(c *gin.Context) { c.Header("X-Team", "roasters") })
	service.Register(data)
	data.GET("/openapi.json", func(c *gin.Context) {
		document, err := api.Document(c, rest.DocumentOptions{Server: "/data", MaxRows: service.MaxRows()})
		if err != nil {
			service.Fail(c.Writer, c.Request, err)
			return
		}
		c.Data(200, "application/json", document)
	})

	for _, url := range []string{"/hello", "/data/v1/bird/coffee_roastery/bean_names_by_origin?origins=Kenya", "/data/openapi.json"} {
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		fmt.Println(w.Code, w.Header().Get("X-Team"), strings.TrimSpace(w.Body.String()[:min(90, w.Body.Len())]))
	}
	// Output:
	// 200  hello
	// 200 roasters {"data":[{"name":"Kirinyaga AA"},{"name":"Nyeri Peaberry"}],"count":2,"truncated":false}
	// 200 roasters {"components":{"headers":{"Retry-After":{"description":"Seconds to wait before the next tr
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
	api, err := rest.Open(ctx, dataset, rest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer api.Close()
	tools, err := api.Database("coffee_roastery").Tools(ctx)
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
	//   "description": "How many beans there are with the given organic.",
	//   "parameters": {
	//     "additionalProperties": false,
	//     "properties": {
	//       "organic": {
	//         "description": "Whether it is certified organic. 1: yes, 0: no.",
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
