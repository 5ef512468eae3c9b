package sel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// maxName is the longest name that function-calling interfaces take.
const maxName = 64

// hashDigits is the length of the suffix of shortened names.
const hashDigits = 8

// Getter returns the name of the function that returns the column of that key:
// get_<key>s. A key that does not fit, because the name would be longer than
// 64 characters or has one other than an ASCII letter, digit or underscore,
// gets a name of the characters that do and a hash of the whole key. Such a
// name ends with a digit of the hash and any other one with s, so the two never
// meet, and a key has the same name in every sample.
func Getter(key string) string {
	name := "get_" + key + "s"
	fit := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if fit == name && len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(key))
	suffix := "_" + hex.EncodeToString(sum[:])[:hashDigits]
	return fit[:min(len(fit), maxName-len(suffix))] + suffix
}

// binding says which argument of a tool is bound and how its functions are
// called.
type binding struct {
	tool, argument string
	prefix         string
}

// bindings are the categorical arguments; the prefixes are the paper's where it
// has the tool.
var bindings = []binding{
	{tools.ToolFilter, tools.ArgCondition, "select_data_"},
	{tools.ToolSort, tools.ArgAscending, "sort_data_"},
	{tools.ToolAggregate, tools.ArgAggregationType, "compute_data_"},
	{tools.ToolTransform, tools.ArgOperationType, "transform_data_to_"},
	{tools.ToolCombine, tools.ArgOperation, "combine_data_"},
	{tools.ToolJoin, tools.ArgJoinType, "join_data_"},
	{tools.ToolWindow, tools.ArgFunction, "window_data_"},
}

func bindingOf(tool string) (binding, bool) {
	for _, b := range bindings {
		if b.tool == tool {
			return b, true
		}
	}
	return binding{}, false
}

// word is the part of a function's name that stands for a value.
func word(v any) string {
	switch v {
	case true:
		return "ascending"
	case false:
		return "descending"
	}
	return fmt.Sprint(v)
}
