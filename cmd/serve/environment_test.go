package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/serving/server"
)

// parsed returns the flags of a command line.
func parsed(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	c := command()
	if err := c.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return c.Flags()
}

func TestUnknownVariables(t *testing.T) {
	for one, want := range map[string]string{
		"BIRDCALL_MAX_ROWS=7":     "[]",
		"BIRDCALL_MAX_ROW=7":      "[{BIRDCALL_MAX_ROW BIRDCALL_MAX_ROWS}]",
		"BIRDCALL_APIKEYS=secret": "[{BIRDCALL_APIKEYS BIRDCALL_API_KEYS}]",
		"BIRDCALL_API_KEY=secret": "[{BIRDCALL_API_KEY BIRDCALL_API_KEYS}]",
		"BIRDCALL_ADDR=:1":        "[]",
		"BIRDCALL_ADMINADDR=:1":   "[{BIRDCALL_ADMINADDR BIRDCALL_ADMIN_ADDR}]",
		"BIRDCALL_=":              "[{BIRDCALL_ }]",
		"BIRDCALL_PASSWORD=x":     "[{BIRDCALL_PASSWORD }]",
		"BIRDCALL_HELP=1":         "[{BIRDCALL_HELP }]",
		"PATH=/bin":               "[]",
	} {
		if got := fmt.Sprint(unknownVariables(parsed(t), []string{one})); got != want {
			t.Errorf("%s: %s, want %s", one, got, want)
		}
	}
}

// What is wrong with the environment is said at the start, without its values.
func TestWarnings(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"BIRDCALL_API_KEY":  {"s3cret", `"variable":"BIRDCALL_API_KEY","hint":"did you mean BIRDCALL_API_KEYS?"`},
		"BIRDCALL_API_KEYS": {"", `"msg":"an environment variable is empty, and the service is open to all","variable":"BIRDCALL_API_KEYS"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, c.text)
			var log bytes.Buffer
			f := flags{Options: server.Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))}}
			f.warn(parsed(t))
			if !strings.Contains(log.String(), c.want) || strings.Contains(log.String(), "s3cret") {
				t.Error(log.String())
			}
		})
	}
}

// Keys are separated as in any list of the command line, and what cannot be a
// list of keys stops the service without being given.
func TestKeyLists(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  string // of fmt, or of the error
	}{
		{nil, `[]`},
		{[]string{"a"}, `["a"]`},
		{[]string{"a, b"}, `["a" "b"]`},
		{[]string{"a", "b"}, `["a" "b"]`},
		{[]string{"a\nb\n"}, `["a" "b"]`},
		{[]string{`"a,b", c`}, `["a,b" "c"]`},
		{[]string{`"a""b"`}, `["a\"b"]`},
		{[]string{"a,"}, `["a" ""]`}, // for the service to refuse
		{[]string{`""`}, `[""]`},
		{[]string{`"s3cret`}, "cannot be read"},
		{[]string{`s3"cret`}, "cannot be read"},
		{[]string{""}, "there is no key"},
		{[]string{"\n"}, "there is no key"},
	} {
		var s secrets
		for _, text := range c.given {
			if err := s.Set(text); err != nil {
				t.Error(err)
			}
		}
		keys, err := s.keys()
		got := fmt.Sprintf("%q", keys)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) || strings.Contains(got, "s3") {
			t.Errorf("%q: %s, want %s", c.given, got, c.want)
		}
		if text := s.String(); text != "" && text != "(hidden)" {
			t.Errorf("%q is shown as %s", c.given, text)
		}
	}
}

// However keys are given, an error does not show them, and no empty one opens
// the service.
func TestBadKeysStopTheService(t *testing.T) {
	for _, text := range []string{"s3cret,", ",s3cret", `""`, `"s3cret`, " ", ",", "s3cret, ,t0p"} {
		for _, by := range []string{"flag", "variable"} {
			t.Run(by+" "+text, func(t *testing.T) {
				args := []string{"--addr", "127.0.0.1:0", "--db", "bird_club"}
				if by == "flag" {
					args = append(args, "--api-keys", text)
				} else {
					t.Setenv("BIRDCALL_API_KEYS", text)
				}
				out, err := run(context.Background(), args...)
				if err == nil || !strings.HasPrefix(err.Error(), "--api-keys: ") || strings.Contains(out+err.Error(), "s3cret") {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// The table of docs/serve.md has every flag with its variable and default, in
// the order of the help.
func TestFlagsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `--") {
			cells := strings.SplitN(line, "|", 5)
			got = append(got, strings.Join(cells[1:4], "|"))
		}
	}
	var want []string
	for _, flag := range documented(command()) {
		value := flag.DefValue
		switch value {
		case "", "[]", "false":
			value = ""
		default:
			value = "`" + value + "`"
		}
		want = append(want, strings.TrimRight(fmt.Sprintf(" `--%s` | `%s` | %s", flag.Name, variable(flag.Name), value), " ")+" ")
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("docs/serve.md has\n%s\n\nthe flags are\n%s", a, b)
	}
}

// documented returns the flags of serve but for help and version.
func documented(c *cobra.Command) (all []*pflag.Flag) {
	for _, set := range []*pflag.FlagSet{c.PersistentFlags(), c.LocalNonPersistentFlags()} {
		set.SortFlags = false
		set.VisitAll(func(flag *pflag.Flag) {
			if flag.Name != "help" && flag.Name != "version" {
				all = append(all, flag)
			}
		})
	}
	return all
}
