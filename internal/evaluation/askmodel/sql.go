package askmodel

import (
	"regexp"
	"strings"
)

var (
	// fence is a block of code; the closing fence may be missing where the answer
	// is cut.
	fence = regexp.MustCompile("(?s)```(?:(?i:sqlite|sql)\\b|[A-Za-z]*[ \t]*\n)?(.*?)(?:```|$)")
	// selects is the first line that a statement may start with.
	selects = regexp.MustCompile(`(?im)^\s*(SELECT\b|WITH\b.*\bAS\s*\()`)
	// thinking is what some models write before their answer.
	thinking = regexp.MustCompile(`(?s)^.*</think>`)
)

// statement returns the SQL in a model's answer: the last block of code, or what
// follows the first line that starts like a statement, or all of it.
func statement(answer string) string {
	text := thinking.ReplaceAllString(answer, "")
	if blocks := fence.FindAllStringSubmatch(text, -1); len(blocks) > 0 {
		text = blocks[len(blocks)-1][1]
	} else if at := selects.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ";"))
}
