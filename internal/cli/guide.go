package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/internal/text/table"
)

// Guide makes the errors of a command line say what to type instead, for a command
// and all below it: an unknown flag or command names the nearest one, a word that is
// the value of a flag that flag, and a value of a wrong type what would do.
func Guide(c *cobra.Command) {
	c.SetFlagErrorFunc(flagError)
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return argumentError(c, args)
			}
			return nil
		}
	}
	for _, below := range c.Commands() {
		Guide(below)
	}
}

// otherWords are what other programs call flags of these.
var otherWords = map[string]string{
	"port": "addr", "host": "addr", "listen": "addr", "bind": "addr", "address": "addr",
	"output": "out", "output-dir": "out", "dest": "out",
	"database": "db", "databases": "db", "data": "dataset", "input": "dataset", "dir": "dataset",
	"threads": "jobs", "workers": "jobs", "parallel": "jobs", "concurrency": "jobs",
	"url": "base-url", "api-key": "api-key-env", "type": "variant", "mode": "variant",
	"memory": "question-memory", "max-memory": "question-memory", "postgres": "source", "silent": "quiet",
}

// flagError says what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	unknown := (*pflag.NotExistError)(nil)
	missing := (*pflag.ValueRequiredError)(nil)
	invalid := (*pflag.InvalidValueError)(nil)
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &missing):
		return fmt.Errorf("--%s has no value: %s", missing.GetFlag().Name, about(missing.GetFlag()))
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s %s: %s", invalid.GetFlag().Name, table.Plain(invalid.GetValue()), about(invalid.GetFlag()))
	}
	return err
}

// unknownFlag names the flag that was probably meant.
func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	name, written := err.GetSpecifiedName(), "--"+table.Plain(err.GetSpecifiedName())
	if short := err.GetSpecifiedShortnames(); short != "" {
		written = "-" + table.Plain(short)
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	near, ok := spelling.Nearest(name, known)
	for _, k := range known {
		// A single dash, where a name whose first letters are flags needs two.
		if short := err.GetSpecifiedShortnames(); len(short) > 2 && strings.HasSuffix(k, short) {
			near, ok, written = k, true, "-"+k
		}
	}
	if other := otherWords[name]; !ok && slices.Contains(known, other) {
		near, ok = other, true
	}
	if !ok {
		return fmt.Errorf("unknown flag: %s; %s --help lists those that there are", written, c.CommandPath())
	}
	return fmt.Errorf("unknown flag: %s; did you mean --%s?", written, near)
}

// about says what values a flag takes.
func about(f *pflag.Flag) string {
	one := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number of 0 or more", "float64": "a number",
		"bool": "true or false", "duration": "a duration such as 30s or 5m", "intSlice": "whole numbers, separated by commas",
		"uintSlice": "whole numbers of 0 or more, separated by commas",
	}[f.Value.Type()]
	if one == "" {
		return "give " + f.Usage
	}
	return "give " + one + ", for the " + f.Usage
}

// argumentError says what is wrong with the arguments of a command that takes others.
func argumentError(c *cobra.Command, args []string) error {
	takes := c.UseLine()
	if len(args) == 0 {
		return fmt.Errorf("an argument is missing; write %s", takes)
	}
	word := args[0]
	var commands []string
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			commands = append(commands, below.Name())
		}
	}
	if near, ok := spelling.Nearest(word, commands); ok {
		return fmt.Errorf("unknown command %q; did you mean %s %s?", word, c.CommandPath(), near)
	}
	if flag := flagOf(c, word); flag != "" {
		return fmt.Errorf("unknown command %q; did you mean --%s %s?", word, flag, word)
	}
	if info, err := os.Stat(word); err == nil {
		flags := []string{"dataset"}
		if info.Mode().IsRegular() {
			flags = []string{"predictions", "questions", "dataset"}
		}
		for _, name := range flags {
			if c.Flags().Lookup(name) != nil {
				return fmt.Errorf("%q is no command, and files and folders are given with flags; did you mean --%s %s?", word, name, table.Plain(word))
			}
		}
	}
	if len(commands) > 0 {
		return fmt.Errorf("unknown command %q; there are %s", word, strings.Join(commands, ", "))
	}
	return fmt.Errorf("too many arguments, from %q on; write %s", args[len(args)-1], takes)
}

// flagOf returns the flag of which a word is one of the values that the command
// completes, "" for none.
func flagOf(c *cobra.Command, word string) (flag string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		complete, ok := c.GetFlagCompletionFunc(f.Name)
		if !ok || flag != "" {
			return
		}
		values, _ := complete(c, nil, "")
		if slices.Contains(values, word) {
			flag = f.Name
		}
	})
	return flag
}
