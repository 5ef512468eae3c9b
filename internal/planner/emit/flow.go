package emit

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
)

// follow lists where the rows of each step go, and what it reads of them.
func (e *emitter) follow() {
	e.next = make([][]plan.StepID, len(e.plan.Steps))
	e.reads = make([][]plan.Col, len(e.plan.Steps))
	for i, s := range e.plan.Steps {
		for _, in := range plan.Sources(s) {
			e.next[in] = append(e.next[in], plan.StepID(i))
		}
		e.reads[i] = plan.Reads(s)
	}
}

// isRead reports whether a step that works on the rows of id, or on rows made
// from them, reads the column.
func (e *emitter) isRead(id plan.StepID, c plan.Col) bool {
	seen := make([]bool, len(e.next)) // both filters of an Either lead to it
	todo := []plan.StepID{id}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == e.plan.Result && slices.Contains(e.plan.Output, c) {
			return true
		}
		for _, n := range e.next[at] {
			if seen[n] {
				continue
			}
			seen[n] = true
			if slices.Contains(e.reads[n], c) {
				return true
			}
			todo = append(todo, n)
		}
	}
	return false
}
