package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
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
	if err := s.Stdio(t.Context(), Tools{record.SLOT, "city_library", "1"}, strings.NewReader(in), &out); err != nil {
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
	of := Tools{Variant: record.REST, DB: "city_library"}
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

// TestStdioMistakes gives lines that are no messages between two requests. Each is
// answered, and the session goes on.
func TestStdioMistakes(t *testing.T) {
	const invalid, parse = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`
	s := New(embedded(t, episode.Limits{}), Options{})
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0"}`: invalid,
		`[]`:                invalid,
		`"ping"`:            invalid,
		`7`:                 invalid,
		`null`:              invalid,
		`{"jsonrpc":"1.0","id":9,"method":"ping"}`:  invalid,
		`{"id":9,"method":"ping"}`:                  invalid,
		`{"jsonrpc":"2.0","id":9,"method":7}`:       invalid,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`: invalid,
		`[` + strings.Repeat("1,", maxBatch) + `1]`: invalid,
		`"` + strings.Repeat("x", maxLine) + `"`:    invalid,
		`ping`:                                      parse,
		`{"jsonrpc":"2.0","id":9,"method":`:         parse,
		"\x00\xff":                                  parse,
		`[1]`:                                       `[` + invalid,
		`[{"jsonrpc":"2.0","method":"notifications/cancelled"}]`: "",
		"":                                     "",
		"  ":                                   "",
		`{"jsonrpc":"2.0","id":9,"result":{}}`: "",
	} {
		in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
` + line + `
{"jsonrpc":"2.0","id":2,"method":"ping"}`
		var out bytes.Buffer
		if err := s.Stdio(t.Context(), Tools{Variant: record.REST, DB: "city_library"}, strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		ends, answered := false, want == ""
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		for _, l := range lines {
			ends = ends || strings.HasPrefix(l, `{"jsonrpc":"2.0","id":2,"result"`)
			answered = answered || strings.HasPrefix(l, want)
		}
		if most := 2 + min(len(want), 1); !ends || !answered || len(lines) != most {
			t.Errorf("%.60q: %s", line, out.String())
		}
	}
}

// TestStdioInOrder gives calls of one session at once: their results get the labels of
// their order, in a list too. A request of an id that waits for its answer is refused.
func TestStdioInOrder(t *testing.T) {
	s := New(embedded(t, episode.Limits{}), Options{})
	call := func(id, value int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"filter_data","arguments":{"data_source":"$starting_table_var$","key_name":"branch_code","condition":"equal_to","value":"%d"}}}`, id, value)
	}
	in := []string{
		`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for n := range 20 {
		in = append(in, call(n, n))
	}
	in = append(in, "["+call(20, 20)+",7,"+call(21, 21)+","+call(21, 21)+"]")
	var out bytes.Buffer
	if err := s.Stdio(t.Context(), Tools{record.SLOT, "city_library", "1"}, strings.NewReader(strings.Join(in, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	for n := range 22 {
		if want := fmt.Sprintf(`"id":%d,"result":{"content":[{"type":"text","text":"{\"label\":\"FILTERED_DF_%d\"`, n, n); !strings.Contains(out.String(), want) {
			t.Errorf("there is no %s in %s", want, out.String())
		}
	}
	if n := strings.Count(out.String(), `"id":null,"error":{"code":-32600`); n != 2 {
		t.Errorf("%d refusals: %s", n, out.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, `[{"jsonrpc":"2.0","id":20,`) || !strings.HasSuffix(last, "]") {
		t.Errorf("the answer to the list: %s", last)
	}
}
