package cli

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestNotEmpty(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", ""},
		{"--dataset bird --db a,b", ""},
		{"--dataset=", "--dataset is empty: give a folder, or leave the flag out for the embedded sample"},
		{"--split=", "--split is empty: give a name such as dev"},
		{"--db=", "--db is empty: give names of databases"},
		{"--db=,", "--db is empty: give names of databases"},
		{"--db=a,", "--db a, has an empty name: give names of databases"},
		{"--questions= --dataset=", "--dataset is empty"},
	} {
		set := pflag.NewFlagSet("program", pflag.ContinueOnError)
		for _, name := range []string{"dataset", "questions", "split"} {
			set.String(name, "", "")
		}
		set.StringSlice("db", nil, "")
		if err := set.Parse(strings.Fields(c.line)); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := NotEmpty(set, DatasetFlags...); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q: got %q, want %q", c.line, got, c.want)
		}
	}
}
