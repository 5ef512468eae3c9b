package sel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// maxName is the longest name that function-calling interfaces take.
const maxName = 64

// hashDigits is the length of the suffix of shortened names.
const hashDigits = 8

// Getter returns the name of the function that returns the column of that key: get_ and
// the key in the plural (get_races_years) or, if its last word has no plural,
// get_<key>_list (get_lapTimes_milliseconds_list). A function's name has at most 64
// characters, all of them ASCII letters, digits or underscores. A key that does not fit
// gets a name of those of its characters that fit and a hash of the whole key. The
// three kinds of names end with s, with _list and with a digit of the hash, and a
// plural is used only if it leads back to its key. So no two keys share a name, and a
// key has the same name in every sample.
func Getter(key string) string {
	name := "get_" + key + "_list"
	if several, ok := plural(key); ok {
		name = "get_" + several
	}
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

// bindings are the categorical arguments. The prefixes are the paper's if the paper has
// the tool.
var bindings = []binding{
	{toolname.Filter, toolname.ArgCondition, "select_data_"},
	{toolname.Sort, toolname.ArgAscending, "sort_data_"},
	{toolname.Aggregate, toolname.ArgAggregationType, "compute_data_"},
	{toolname.Transform, toolname.ArgOperationType, "transform_data_to_"},
	{toolname.Combine, toolname.ArgOperation, "combine_data_"},
	{toolname.Join, toolname.ArgJoinType, "join_data_"},
	{toolname.Window, toolname.ArgFunction, "window_data_"},
}

func bindingOf(tool string) (binding, bool) {
	for _, b := range bindings {
		if b.tool == tool {
			return b, true
		}
	}
	return binding{}, false
}

// name returns the name of the function for a value of the bound argument.
func (b binding) name(v any) string {
	choice := word(v)
	if b.tool == toolname.Transform && tools.Operation(choice).IsCondition() {
		return b.prefix + "whether_" + choice
	}
	return b.prefix + choice
}

// word returns the part of a function's name that represents a value.
func word(v any) string {
	switch v {
	case true:
		return "ascending"
	case false:
		return "descending"
	}
	return fmt.Sprint(v)
}
