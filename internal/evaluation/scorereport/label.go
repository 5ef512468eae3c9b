package scorereport

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// What is said of numbers that are not what they seem.
const (
	simulatedMark = " (simulated)"
	simulatedNote = "Simulated: no model was asked. These are the answers of a scripted server, and say nothing of any model."
	sameCallsMark = "*"
	sameCallsNote = "* Nothing was run: completion means the same calls, and not the right answer."
)

// share returns the percentage of its tools that a sample lists. A report that
// does not say so is of all.
func share(r *evaluate.Report) int { return cmp.Or(r.Share, 100) }

// dataset says which samples a report is about.
func dataset(r *evaluate.Report) string {
	text := strings.ToUpper(r.Variant)
	if r.Obfuscated {
		text += " obfuscated"
	}
	if s := share(r); s < 100 {
		text += fmt.Sprintf(" %d%% tools", s)
	}
	return text
}

// model names a report's model, and says if there was none.
func model(r *evaluate.Report) string {
	if r.Simulated {
		return r.Model + simulatedMark
	}
	return r.Model
}

// mode says how a model was asked.
func mode(r *evaluate.Report) evaluate.Mode {
	if r.Mode == "" {
		return evaluate.Direct
	}
	return r.Mode
}

// heading says what a report is about, without its model.
func heading(r *evaluate.Report) string {
	return fmt.Sprintf("%s, %s, by the %s rules", dataset(r), mode(r), r.Rules)
}

// completion is a rate of completion, marked where it is not of answers.
func completion(r *evaluate.Report) string {
	if r.Total.Samples == 0 {
		return table.Dash
	}
	text := table.Decimal(&r.Total.CompletionRate)
	if !r.Executed {
		text += sameCallsMark
	}
	return text
}

// key distinguishes evaluations of one model.
type key struct {
	variant    string
	obfuscated bool
	share      int
	mode       evaluate.Mode
	rules      evaluate.Rules
}

func keyOf(r *evaluate.Report) key {
	return key{r.Variant, r.Obfuscated, share(r), mode(r), r.Rules}
}

// category is the evaluation's name without its rules, such as
// slot_obfuscated_25pct_react.
func (k key) category() string {
	parts := []string{k.variant}
	if k.obfuscated {
		parts = append(parts, "obfuscated")
	}
	if k.share < 100 {
		parts = append(parts, fmt.Sprintf("%dpct", k.share))
	}
	return strings.Join(append(parts, string(k.mode)), "_")
}

// name is the evaluation's name in file names.
func (k key) name() string { return k.category() + "_" + string(k.rules) }
