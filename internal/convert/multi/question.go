package multi

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// templates are the ways to ask for the larger or the smaller of two numbers. The
// first is that of the paper. Each has the comparison in words of its own.
var templates = []struct {
	text  string // with the words, and the questions
	words map[Which]string
}{
	{"Which question has a %[1]s number as its answer? Q1: %[2]s Q2: %[3]s", map[Which]string{Larger: "larger", Smaller: "smaller"}},
	{"Q1: %[2]s Q2: %[3]s Which of the two questions has the %[1]s number as its answer, Q1 or Q2?", map[Which]string{Larger: "larger", Smaller: "smaller"}},
	{"Here are two questions. Q1: %[2]s Q2: %[3]s Is the answer to Q1 or the answer to Q2 the %[1]s number?", map[Which]string{Larger: "greater", Smaller: "smaller"}},
	{"Compare the answers to two questions, and say which number is the %[1]s one, that of Q1 or that of Q2. Q1: %[2]s Q2: %[3]s", map[Which]string{Larger: "higher", Smaller: "lower"}},
}

// ask writes the question of a pair.
func ask(p Pair, a, b string) string {
	t := templates[p.Template%len(templates)]
	return fmt.Sprintf(t.text, t.words[p.Which], ended(a), ended(b))
}

// ended returns a text that ends as a sentence does, so that another can follow.
func ended(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), " ,;")
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"')]`)); strings.ContainsRune(".?!", last) {
		return text
	}
	return text + "."
}

// System returns the text that says what the tools do not: the databases,
// how results are named, and, for the form SLOT, the tables that the calls start
// with. The databases are in the order of their names, which does not say which of
// them is that of Q1.
func System(r *record.Multi) string {
	parts := slices.SortedStableFunc(slices.Values(r.Parts), func(a, b record.Part) int { return strings.Compare(a.Database, b.Database) })
	databases := "the databases " + strings.Join(slices.Sorted(slices.Values(r.Databases)), " and ")
	if r.Form == record.REST {
		return fmt.Sprintf("Answer the question about %s by calling endpoints, which return rows as JSON, and then the tool that compares two numbers. Each result gets a label by the rule that this tool states; "+
			"write \"$LABEL$\" in an argument for the result of that label.\n", databases)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Answer the question about %s by calling tools on their tables, one call after another, and then the one that compares two numbers. "+
		"Each result gets a label by the rule that its tool states; write \"$LABEL$\" in an argument for the result of that label.\n", databases)
	for _, p := range parts {
		fmt.Fprintf(&b, "\nThe database %s\n\n%s", p.Database, slot.Tables(p.Start()))
	}
	return b.String()
}
