// Package thorough lets tests try a part of what they could, so that go test ./...
// ends in minutes. With BIRDCALL_THOROUGH=1, as make thorough sets it, they try all.
package thorough

import "os"

// On reports whether tests are to try all.
func On() bool { return os.Getenv("BIRDCALL_THOROUGH") != "" }

// Every returns each nth item of a list, beginning with the one at first, or the whole
// list if On. Calls for first = 0, 1, … cover the list.
func Every[T any](list []T, n, first int) []T {
	if On() {
		return list
	}
	var out []T
	for i := first % n; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}

// Rounds returns how many rounds a random test draws: few, or many if On.
func Rounds(few, many int) int {
	if On() {
		return many
	}
	return few
}
