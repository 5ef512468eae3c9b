package cli

import (
	"errors"
	"fmt"
	"sync"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/engines"
	"github.com/spf13/pflag"
)

// Source is the flags by which programs find databases on a server.
type Source struct {
	URL         string
	AllowWriter bool
}

// sourceFlag is the flag that names the server.
const sourceFlag = "source"

// AddFlags adds the flags.
func (s *Source) AddFlags(set *pflag.FlagSet) {
	set.StringVar(&s.URL, sourceFlag, "", "a Postgres server that has the databases, instead of files: postgres://user@host/database with a schema for each, or postgres://user@host/{db} with a database for each")
	set.BoolVar(&s.AllowWriter, "allow-writer", false, "accept a role of --source that may write")
}

// IsSet reports whether the databases are on a server.
func (s *Source) IsSet() bool { return s.URL != "" }

// Check looks for values that make no sense. embedded says that the dataset is the
// sample inside the binary.
func (s *Source) Check(set *pflag.FlagSet, embedded bool) error {
	if err := NotEmpty(set, Flag{sourceFlag, "give the URL of a Postgres server, or leave the flag out for files"}); err != nil {
		return err
	}
	switch {
	case !s.IsSet() && s.AllowWriter:
		return errors.New("--allow-writer is about the role of --source; leave it out, or give the URL of a Postgres server")
	case !s.IsSet():
		return nil
	case embedded:
		return errors.New("--source: the sample inside this binary has databases of its own; name the questions about those on the server with --dataset or --questions")
	}
	source, err := engines.Open(s.URL, engine.Options{})
	if err != nil {
		return fmt.Errorf("--source: %w", err)
	}
	source.Close()
	return nil
}

// Once returns a function that hands each text to say the first time only.
func Once(say func(string)) func(string) {
	var mu sync.Mutex
	said := map[string]bool{}
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if !said[text] {
			said[text] = true
			say(text)
		}
	}
}
