package cli

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestSource lists what is said of the flags about a server. No message says a
// password.
func TestSource(t *testing.T) {
	for _, c := range []struct {
		line     string
		embedded bool
		want     string
	}{
		{"", true, ""},
		{"--source postgres://reader@127.0.0.1/bird", false, ""},
		{"--source postgres://reader@127.0.0.1/{db}?sslmode=disable --allow-writer", false, ""},
		{"--source postgres://reader@127.0.0.1/bird", true, "--source: the sample inside this binary has databases of its own; name the questions"},
		{"--source=", false, "--source is empty: give the URL"},
		{"--allow-writer", false, "--allow-writer is about the role of --source"},
		{"--source mysql://127.0.0.1/bird", false, "--source: open the server: not a URL of a Postgres server"},
		{"--source postgres://reader:s3cret@127.0.0.1/bird", false, "--source: open the server: the URL has a password; leave it out, and give it in the environment as PGPASSWORD"},
		{"--source postgres://reader@127.0.0.1/bird?password=s3cret", false, "--source: open the server: the URL has a password"},
		{"--source postgres://reader@127.0.0.1/bird?options=s3cret", false, "it has a parameter that is not one of host, port"},
	} {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		s := &Source{}
		s.AddFlags(set)
		if err := set.Parse(strings.Fields(c.line)); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := s.Check(set, c.embedded); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") || strings.Contains(got, "s3cret") {
			t.Errorf("%s: got %q, want %q", c.line, got, c.want)
		}
	}
}

func TestOnce(t *testing.T) {
	var said []string
	say := Once(func(text string) { said = append(said, text) })
	for _, text := range []string{"a", "b", "a", "b"} {
		say(text)
	}
	if got := strings.Join(said, ","); got != "a,b" {
		t.Errorf("said %s", got)
	}
}
