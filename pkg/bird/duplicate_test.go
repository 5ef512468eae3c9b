package bird

import (
	"slices"
	"strings"
	"testing"
)

// TestMarkDuplicates lists statements with the number of the earlier statement that
// each repeats, or -1.
func TestMarkDuplicates(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string // after the database and a colon
		want       []int
	}{
		"the same":              {[]string{"a:SELECT 1", "a:SELECT 1"}, []int{-1, 0}},
		"the first is meant":    {[]string{"a:SELECT 1", "a:SELECT 1", "a:SELECT 1"}, []int{-1, 0, 0}},
		"another database":      {[]string{"a:SELECT 1", "b:SELECT 1"}, []int{-1, -1}},
		"white space":           {[]string{"a:SELECT a FROM t WHERE b=1", "a: SELECT\n  a\tFROM t\nWHERE b = 1 "}, []int{-1, 0}},
		"semicolons":            {[]string{"a:SELECT 1", "a:SELECT 1 ; ;"}, []int{-1, 0}},
		"comments":              {[]string{"a:SELECT 1, 2", "a:SELECT 1 /* one */, -- ;\n 2"}, []int{-1, 0}},
		"a comment to the end":  {[]string{"a:SELECT 1 -- , 2", "a:SELECT 1 , 2"}, []int{-1, -1}},
		"white space in quotes": {[]string{"a:SELECT 'a b'", "a:SELECT 'a  b'", `a:SELECT "a b"`, "a:SELECT [a b]", "a:SELECT `a b`"}, []int{-1, -1, -1, -1, -1}},
		"quotes in quotes":      {[]string{"a:SELECT 'it''s  ' , 1", "a:SELECT 'it''s  ',1", "a:SELECT 'it''s ',1"}, []int{-1, 0, -1}},
		"letters' case is text": {[]string{"a:SELECT a", "a:select a"}, []int{-1, -1}},
		"tokens do not run on":  {[]string{"a:SELECT a b", "a:SELECT ab", "a:SELECT 1 2", "a:SELECT 12"}, []int{-1, -1, -1, -1}},
		"what is not SQL":       {[]string{"a:'", "a:;", "a:", "a:\x00x", "a:\x00y"}, []int{-1, -1, 1, -1, -1}},
	} {
		var questions []Question
		for i, s := range c.statements {
			db, sql, _ := strings.Cut(s, ":")
			questions = append(questions, Question{ID: Number(i), DB: db, SQL: sql})
		}
		markDuplicates(questions)
		var got []int
		for _, q := range questions {
			got = append(got, slices.IndexFunc(questions, func(o Question) bool { return o.ID == q.DuplicateOf }))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
