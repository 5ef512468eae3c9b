package vtab

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// memo is what a statement knows of a function: a result for each list of arguments
// that it was called with.
type memo struct {
	*function
	values  map[string]apis.Result
	wanted  [][]value.Value
	keys    []string // of wanted, in values
	pending map[string]bool
}

// look returns the result for arguments, or notes that it is not known.
func (m *memo) look(args []value.Value) (apis.Result, bool) {
	var name []byte
	for _, v := range args {
		if v.IsNull() {
			return apis.Result{}, true
		}
		name = identity(name, v)
	}
	key := string(name)
	if result, ok := m.values[key]; ok {
		return result, true
	}
	if !m.Accepts(args) {
		return apis.Result{Err: m.refuse(args)}, true
	}
	if v, ok := m.kept(key); ok {
		result := apis.Result{Value: v}
		m.values[key] = result
		return result, true
	}
	if !m.pending[key] {
		m.pending[key] = true
		m.wanted, m.keys = append(m.wanted, args), append(m.keys, key)
	}
	return apis.Result{}, false
}

// refuse says that a function cannot be called with arguments.
func (m *memo) refuse(args []value.Value) error {
	text := ""
	for i, v := range args {
		if i > 0 {
			text += ", "
		}
		text += v.String()
	}
	var types []string
	for _, a := range m.Args {
		types = append(types, a.Name+" "+a.Type)
	}
	return fmt.Errorf("%w: function %s: the API cannot be called with (%s); it takes (%s)", engine.ErrComputation, m.Name, text, strings.Join(types, ", "))
}

// fetch gets the results that the run asked for, in batches: step of them at most, if
// that is not 0.
func (m *memo) fetch(ctx context.Context, meter *apis.Meter, step int) {
	size := max(1, m.Many)
	if step > 0 && step*size < len(m.wanted) {
		m.wanted = m.wanted[:step*size]
	}
	results := make([]apis.Result, len(m.wanted))
	var group errgroup.Group
	group.SetLimit(maxAtOnce)
	for from := 0; from < len(m.wanted); from += size {
		to := min(from+size, len(m.wanted))
		group.Go(func() error {
			copy(results[from:to], m.Call(ctx, meter, m.wanted[from:to]))
			return nil
		})
	}
	_ = group.Wait() // results have the errors
	for i, result := range results {
		m.values[m.keys[i]] = result
		if result.Err == nil {
			m.keep(m.keys[i], result.Value)
		}
	}
}

func (m *memo) forgetWants() {
	m.wanted, m.keys = nil, nil
	clear(m.pending)
}

// kept returns a value that a statement before has asked for.
func (f *function) kept(key string) (value.Value, bool) {
	if f.forget == nil {
		return value.Value{}, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.known) > 0 && f.forget(f.since) {
		f.known = map[string]value.Value{}
	}
	v, ok := f.known[key]
	return v, ok
}

// keep keeps a value for the statements to come.
func (f *function) keep(key string, v value.Value) {
	if f.forget == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.known) >= maxKeptValues {
		f.known = map[string]value.Value{}
	}
	if len(f.known) == 0 {
		f.since = time.Now()
	}
	f.known[key] = v
}
