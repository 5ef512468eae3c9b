package mcpserver

import (
	"testing"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
)

// BenchmarkRequest measures requests over HTTP on the loopback address.
func BenchmarkRequest(b *testing.B) {
	env := embedded(b, episode.Limits{Calls: 1 << 30})
	url := serve(b, New(env, Options{}))
	every := serve(b, New(env, Options{Listed: 1000}))
	slot := "/mcp/s/" + openTask(b, env, record.SLOT).ID()
	sel := "/mcp/s/" + openTask(b, env, record.SEL).ID()
	for _, c := range []struct{ name, url, method, params string }{
		{"list/slot", url + slot, methodList, "{}"},
		{"list/sel", url + sel, methodList, "{}"},
		{"list/sel-whole", every + sel, methodList, "{}"},
		{"search/sel", url + sel, methodCall, `{"name":"search_tools","arguments":{"query":"name of the branch"}}`},
		{"call/slot", url + slot, methodCall, `{"name":"filter_data","arguments":{"data_source":"$starting_table_var$","key_name":"branch_code","condition":"equal_to","value":"007"}}`},
		{"call/rest", url + "/mcp/rest/city_library", methodCall, `{"name":"branch_names_by_branch_code","arguments":{"branch_code":"007"}}`},
		{"open/slot", url + "/mcp/slot/city_library", methodCall, `{"name":"open_session"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if a := post(b, c.url, newProtocol, c.method, c.params); a.Status != 200 || a.Result.IsError {
					b.Fatal(a.Body)
				}
			}
		})
	}
}
