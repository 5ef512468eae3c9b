package mcpserver

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
)

// TestClientsAtOnce has many clients work in their own sessions, each with
// several calls at once. None sees what another has made.
func TestClientsAtOnce(t *testing.T) {
	url := serve(t, New(embedded(t, episode.Limits{}), Options{})) + "/mcp/slot/city_library"
	var group sync.WaitGroup
	for client := range 8 {
		group.Go(func() {
			session := between(post(t, url, newProtocol, methodCall, `{"name":"open_session","arguments":{"tables":["book"]}}`).text(t), `"session":"`, `"`)
			said := func(format string, args ...any) string {
				return post(t, url, newProtocol, methodCall, fmt.Sprintf(`{"name":%s,"session":%q}}`, fmt.Sprintf(format, args...), session)).text(t)
			}
			if got := said(`"filter_data","arguments":{"data_source":"$book$","key_name":"book_price","condition":"greater_than","value":%d`, 5+client); !strings.Contains(got, `"label":"FILTERED_DF_0"`) {
				t.Error(got)
			}
			var calls sync.WaitGroup
			for range 3 {
				calls.Go(func() {
					got := said(`"aggregate_data","arguments":{"data_source":"$FILTERED_DF_0$","aggregation_type":"min","key_name":"book_price"`)
					if want := fmt.Sprintf(`"value":%v}`, []string{"7.5", "7.5", "7.5", "8.99", "10.0", "12.0", "12.0", "12.5"}[client]); !strings.Contains(got, want) {
						t.Errorf("client %d: %s, want %s", client, got, want)
					}
				})
			}
			calls.Wait()
			if got := said(`"close_session","arguments":{"_":0`); !strings.Contains(got, "it takes session") {
				t.Error(got)
			}
		})
	}
	group.Wait()
}

// TestToolboxesAreBounded asks for the tools of more sessions than toolboxes are kept.
func TestToolboxesAreBounded(t *testing.T) {
	env := embedded(t, episode.Limits{})
	s := New(env, Options{})
	for i := range maxToolboxes + 10 {
		q := env.Dataset().Questions[i]
		task, err := env.Task(t.Context(), record.SLOT, q.DB, q.ID.String())
		if err != nil {
			t.Fatal(err)
		}
		if first := s.boxOf(task); s.boxOf(task) != first || first.task != task {
			t.Fatal("a toolbox is not kept, or is that of others")
		}
	}
	if n := s.boxes.Len(); n != maxToolboxes {
		t.Errorf("%d toolboxes are kept", n)
	}
	p := endpoint{variant: record.SEL, db: "city_library"}
	first, err := s.toolbox(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.toolbox(t.Context(), p); again != first || err != nil {
		t.Errorf("another toolbox, %v", err)
	}
}
