package slot_test

import (
	"context"
	"slices"
	"testing"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// names notes the names of the calls that a session runs.
type names struct {
	slot.Session
	ran []string
}

func (n *names) Run(ctx context.Context, c tools.Call) (*tools.Table, error) {
	n.ran = append(n.ran, c.Name)
	return n.Session.Run(ctx, c)
}

// A watch sees the calls of a record, under the names that the record has.
func TestWatch(t *testing.T) {
	q, d := first(t)
	for variant, convert := range map[string]func(context.Context, *bird.Question, ...slot.ConvertOption) (*record.Slot, error){
		"slot": slot.NewConverter(d, slot.Options{}).Convert,
		"sel":  sel.NewConverter(d, slot.Options{}).Convert,
	} {
		n := &names{}
		r, err := convert(t.Context(), q, slot.WithWatch(func(in slot.Session) slot.Session {
			n.Session = in
			return n
		}))
		if err != nil {
			t.Fatalf("%s: %v", variant, err)
		}
		var want []string
		for _, c := range r.Calls {
			want = append(want, c.Name)
		}
		if len(want) == 0 || !slices.Equal(n.ran, want) {
			t.Errorf("%s: %q were run, want %q", variant, n.ran, want)
		}
	}
}
