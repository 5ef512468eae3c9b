package openapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/openapi"
	"github.com/birdcall/birdcall/pkg/value"
)

// orchard is the service that testdata/orchard.yaml describes. It has five trees of
// the grower ann, and gives two of them on a page.
func orchard() *httptest.Server {
	varieties := []string{"Elstar", "Gala", "Elstar", "Boskoop", "Gala"}
	tree := func(id int) map[string]any {
		return map[string]any{
			"id": id, "variety": varieties[id-1], "growerId": "ann", "planted": fmt.Sprintf("20%02d-03-01", 10+id), "height": float64(id) + 0.5,
			"healthy": id != 4, "place": map[string]any{"row": id, "field": map[string]any{"name": "west"}}, "tags": []string{"old"},
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /growers/{grower}/trees", func(w http.ResponseWriter, r *http.Request) {
		from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
		trees, next := []any{}, any(nil)
		for i := from; i < len(varieties) && r.PathValue("grower") == "ann"; i++ {
			if len(trees) == 2 {
				next = strconv.Itoa(i)
				break
			}
			trees = append(trees, tree(i+1))
		}
		answer(w, map[string]any{"result": map[string]any{"trees": trees}, "paging": map[string]any{"next_cursor": next}})
	})
	mux.HandleFunc("GET /trees/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 1 || id > len(varieties) {
			http.NotFound(w, r)
			return
		}
		answer(w, tree(id))
	})
	mux.HandleFunc("GET /score", func(w http.ResponseWriter, r *http.Request) {
		variety := r.URL.Query().Get("variety")
		answer(w, map[string]any{"variety": variety, "score": float64(len(variety)) / 4})
	})
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			http.Error(w, "who is it?", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// Example maps a service with nested rows, allOf and cursors to a table and a
// function: testdata/orchard.apis.yaml.
func Example() {
	service := orchard()
	defer service.Close()
	environment := func(name string) (string, bool) {
		v, ok := map[string]string{"ORCHARD_URL": service.URL, "ORCHARD_TOKEN": "s3cret"}[name]
		return v, ok
	}
	ctx := context.Background()
	declaration, err := openapi.Load(ctx, "testdata/orchard.apis.yaml", environment)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer declaration.Close()
	database := declaration.Database("farm")
	tree, score := database.Tables[0], database.Functions[0]
	for i, c := range tree.Columns {
		fmt.Println(i, c.Name, c.Type)
	}

	meter := apis.NewMeter(database.Limits)
	grower := apis.Condition{Column: 2, Values: []value.Value{value.Str("ann")}}
	var varieties [][]value.Value
	_, err = tree.Select(ctx, meter, []apis.Condition{grower}, 0, func(row []value.Value) error {
		fmt.Println(value.AsText(row[0]), row[1].Raw(), row[3].Raw(), row[7].Raw(), value.AsText(row[8]))
		varieties = append(varieties, row[1:2])
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range score.Call(ctx, meter, varieties[:2]) {
		fmt.Println(value.AsText(r.Value), r.Err)
	}
	fmt.Println(len(meter.Calls()), "calls")
	// Output:
	// 0 id INTEGER
	// 1 variety TEXT
	// 2 growerId TEXT
	// 3 planted DATE
	// 4 height REAL
	// 5 healthy BOOLEAN
	// 6 tags TEXT
	// 7 field TEXT
	// 8 field_row INTEGER
	// 1 Elstar 2011-03-01 west 1
	// 2 Gala 2012-03-01 west 2
	// 3 Elstar 2013-03-01 west 3
	// 4 Boskoop 2014-03-01 west 4
	// 5 Gala 2015-03-01 west 5
	// 1.5 <nil>
	// 1.0 <nil>
	// 5 calls
}
