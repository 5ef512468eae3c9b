package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Flag is a flag that has a value if it is given, and what to do about one that
// has none.
type Flag struct{ Name, Hint string }

// DatasetFlags are those by which programs find a dataset.
var DatasetFlags = []Flag{
	{"dataset", "give a folder, or leave the flag out for the embedded sample"},
	{"questions", "give a file, or leave the flag out for the layout's"},
	{"split", "give a name such as dev, or leave the flag out for the layout's"},
	{"db", "give names of databases, separated by commas, or leave the flag out for all"},
}

// OneOf reports a value of a flag that is none of those that it takes.
func OneOf(flag, word string, words []string) error {
	if slices.Contains(words, word) {
		return nil
	}
	if near, ok := spelling.Nearest(word, words); ok {
		return fmt.Errorf("%s %q: did you mean %s? There are %s", flag, word, near, strings.Join(words, ", "))
	}
	return fmt.Errorf("%s %q: use %s", flag, word, strings.Join(words, ", "))
}

// NotEmpty reports the first of the flags that was given without a value, as an
// unset variable of a shell gives it, or with an empty name in a list.
func NotEmpty(set *pflag.FlagSet, flags ...Flag) error {
	for _, f := range flags {
		flag := set.Lookup(f.Name)
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		switch {
		case !flag.Changed:
		case strings.Join(values, "") == "":
			return fmt.Errorf("--%s is empty: %s", f.Name, f.Hint)
		case slices.Contains(values, ""):
			return fmt.Errorf("--%s %s has an empty name: %s", f.Name, strings.Join(values, ","), f.Hint)
		}
	}
	return nil
}
