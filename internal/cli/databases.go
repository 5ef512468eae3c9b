package cli

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// databases is the value of --db: names or files, separated by commas. The flag may be
// given several times.
type databases struct{ list *[]string }

// DatabasesVar adds the flag --db, which sets list. A file that is there may have commas
// in its name.
func DatabasesVar(set *pflag.FlagSet, list *[]string, usage string) {
	set.Var(databases{list}, "db", usage)
}

// Set adds what one flag names.
func (d databases) Set(text string) error {
	if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
		return d.Append(text)
	}
	names := []string{}
	if text != "" {
		var err error
		if names, err = csv.NewReader(strings.NewReader(text)).Read(); err != nil {
			return err
		}
	}
	*d.list = append(*d.list, names...)
	return nil
}

// Type is that of a list in pflag.
func (d databases) Type() string { return "strings" }

// String returns the list in brackets.
func (d databases) String() string {
	if d.list == nil {
		return "[]"
	}
	return "[" + strings.Join(*d.list, ",") + "]"
}

// Append adds a name.
func (d databases) Append(name string) error {
	*d.list = append(*d.list, name)
	return nil
}

// Replace sets the names.
func (d databases) Replace(names []string) error {
	*d.list = slices.Clone(names)
	return nil
}

// GetSlice returns the names.
func (d databases) GetSlice() []string { return slices.Clone(*d.list) }
