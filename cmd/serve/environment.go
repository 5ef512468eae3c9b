package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/spf13/pflag"
)

// environment is what the names of environment variables start with.
const environment = "BIRDCALL_"

// variable returns the name of the environment variable of a flag.
func variable(flag string) string {
	return environment + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// hasVariable reports whether a flag is for the environment too: those that print
// something and end are not.
func hasVariable(flag *pflag.Flag) bool { return flag.Name != "help" && flag.Name != "version" }

// fromEnvironment sets the flags that are not on the command line.
func fromEnvironment(set *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var errs []error
	set.VisitAll(func(flag *pflag.Flag) {
		name := variable(flag.Name)
		text, ok := lookup(name)
		if !ok || text == "" || flag.Changed || !hasVariable(flag) {
			return
		}
		if err := set.Set(flag.Name, text); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	})
	return errors.Join(errs...)
}

// unknown is a variable with the program's prefix that is no flag's.
type unknown struct {
	name string
	near string // the variable that it is a slip of, or ""
}

// unknownVariables returns those in an environment as os.Environ gives it, by
// their names. Their values may be secrets.
func unknownVariables(set *pflag.FlagSet, environ []string) []unknown {
	var names []string
	set.VisitAll(func(flag *pflag.Flag) {
		if hasVariable(flag) {
			names = append(names, variable(flag.Name))
		}
	})
	var out []unknown
	for _, one := range environ {
		name, _, _ := strings.Cut(one, "=")
		if strings.HasPrefix(name, environment) && !slices.Contains(names, name) {
			out = append(out, unknown{name, nearVariable(name, names)})
		}
	}
	slices.SortFunc(out, func(a, b unknown) int { return strings.Compare(a.name, b.name) })
	return out
}

// nearVariable returns the name that another is a slip of, or "". The prefix that all
// have says nothing.
func nearVariable(name string, known []string) string {
	rest := make([]string, len(known))
	for i, k := range known {
		rest[i] = strings.TrimPrefix(k, environment)
	}
	if near, ok := spelling.Nearest(strings.TrimPrefix(name, environment), rest); ok {
		return environment + near
	}
	return ""
}
