package mcpserver

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// TestStdioAnswersAll gives all requests at once, as a file does, with lines between
// them that are none. All are answered before the end.
func TestStdioAnswersAll(t *testing.T) {
	env := embedded(t, episode.Limits{})
	s := New(env, Options{})
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		``,
		`{"jsonrpc":"2.0","id":2,"method":`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"four","method":"tools/call","params":{"name":"filter_data","arguments":{"data_source":"$starting_table_var$","key_name":"branch_code","condition":"equal_to","value":"007"}}}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"filter_dat"}}`,
		`{"jsonrpc":"2.0","id":6,"method":"no/such"}`, // and no newline at the end
	}, "\n")
	var out bytes.Buffer
	if err := s.Stdio(t.Context(), Tools{evaluate.SLOT, "city_library", "1"}, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		got = append(got, between(line, `"id":`, ",")+" "+between(line, `"code":`, ",")+between(line, `"isError":`, "}"))
	}
	slices.Sort(got) // calls are answered when they are done
	if diff := cmp.Diff([]string{`"four" `, "1 ", "3 ", "5 true", "6 -32601", "null -32700"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, out.String())
	}
	if n, _ := env.Usage(); n != 0 {
		t.Errorf("%d episodes are open", n)
	}
}

// TestStdioEnds ends without a request, by its context, and at once where there are
// no such tools.
func TestStdioEnds(t *testing.T) {
	s := New(embedded(t, episode.Limits{}), Options{})
	of := Tools{Variant: evaluate.REST, DB: "city_library"}
	if err := s.Stdio(t.Context(), of, strings.NewReader(""), io.Discard); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, client := io.Pipe()
	defer client.Close()
	cancel()
	if err := s.Stdio(ctx, of, in, io.Discard); err != nil {
		t.Error(err)
	}
	for _, of := range []Tools{{"rest", "city", ""}, {"sql", "city_library", ""}, {"slot", "city_library", "none"}} {
		if err := s.Stdio(t.Context(), of, in, io.Discard); !isMistake(err) {
			t.Errorf("%+v: %v", of, err)
		}
	}
}

func TestAsks(t *testing.T) {
	for line, want := range map[string]bool{
		`{"id":1,"method":"ping"}`:                  true,
		`{"id":"a","method":"ping"}`:                true,
		`{"id":null,"method":"ping"}`:               false,
		`{"method":"notifications/initialized"}`:    false,
		`{"id":1,"result":{}}`:                      false,
		`[{"method":"x"},{"id":1,"method":"ping"}]`: true,
		`[{"method":"x"}]`:                          false,
		`[]`:                                        false,
		`3`:                                         false,
	} {
		if got := asks([]byte(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
