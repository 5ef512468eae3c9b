package fetch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// log is a Meter that prints what it is called with.
type log struct{}

func (log) Begin() error { return nil }

func (log) Made(c fetch.Call) error {
	fmt.Printf("%s: %d attempts, status %d, %d rows\n", c.Operation, c.Attempts, c.Status, c.Rows)
	return nil
}

// A listing whose second page fails once.
func ExampleClient_Pages() {
	pages := map[string]string{"": `{"birds": ["wren", "robin"], "next": "b"}`, "b": `{"birds": ["owl"]}`}
	failed := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.Query().Get("cursor")
		if at == "b" && !failed {
			failed = true
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, pages[at])
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	client := fetch.New(fetch.Options{API: "birds", Server: address})
	defer client.Close()

	var birds []string
	request := &fetch.Request{Operation: "listBirds", Method: http.MethodGet, Path: "/birds"}
	paging := fetch.Paging{Kind: fetch.Cursor, Position: "cursor"}
	whole, err := client.Pages(context.Background(), log{}, request, paging, 0, func(r *fetch.Response) (fetch.Page, error) {
		var page struct {
			Birds []string
			Next  string
		}
		if err := json.Unmarshal(r.Body, &page); err != nil {
			return fetch.Page{}, fetch.Malformed(err)
		}
		birds = append(birds, page.Birds...)
		return fetch.Page{Rows: len(page.Birds), Next: page.Next, Count: -1, Total: -1}, nil
	})
	fmt.Println(birds, whole, err)
	// Output:
	// listBirds: 1 attempts, status 200, 2 rows
	// listBirds: 2 attempts, status 200, 1 rows
	// [wren robin owl] true <nil>
}
