package page

import (
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Bounds of what a page shows, so that a browser can open it.
const (
	// MaxSamples is how many failed samples a page has at most.
	MaxSamples = 2000
	maxCalls   = 60   // of a sample, of gold and predicted together
	maxValue   = 400  // characters of an argument
	maxText    = 2000 // characters of any other text
)

// Samples are those that failed.
type Samples struct {
	Outcomes []evaluate.Outcome
	File     string // which has all of them
	SQL      bool   // whether the model wrote SQL
	Rules    evaluate.Rules
}

// samplesView is Samples as the template reads them.
type samplesView struct {
	*Samples
	Shown     []*sample
	Left      int // how many are not shown
	Databases []string
	Classes   []evaluate.Class
}

// sample is one failed sample.
type sample struct {
	Key, DB  string
	Class    evaluate.Class
	Question text
	Reason   text
	Facts    []string
	Pairs    []pair
	MorePair int // pairs that are not shown
	GoldSQL  text
	Wrote    text // by the model
	WroteSQL bool
	Gold     text // answer
	Answer   text
	None     bool // whether there are no predicted calls
}

// text is a text that may have been cut.
type text struct {
	Text string
	Cut  int // how many characters are left out
}

// cutText shortens a text to n characters.
func cutText(s string, n int) text {
	if len(s) <= n {
		return text{Text: s}
	}
	runes := []rune(s)
	if len(runes) <= n {
		return text{Text: s}
	}
	return text{Text: string(runes[:n]), Cut: len(runes) - n}
}

func (s *Samples) view() *samplesView {
	v := &samplesView{Samples: s}
	databases, classes := map[string]bool{}, map[evaluate.Class]bool{}
	for i := range s.Outcomes {
		o := &s.Outcomes[i]
		if o.Completed {
			continue
		}
		if len(v.Shown) == MaxSamples {
			v.Left++
			continue
		}
		v.Shown = append(v.Shown, s.sample(o))
		if !databases[o.DB] {
			databases[o.DB] = true
			v.Databases = append(v.Databases, o.DB)
		}
		classes[o.Error] = true
	}
	slices.Sort(v.Databases)
	for _, c := range evaluate.Classes() {
		if classes[c] {
			v.Classes = append(v.Classes, c)
		}
	}
	return v
}

func (s *Samples) sample(o *evaluate.Outcome) *sample {
	out := &sample{
		Key: o.DB + "/" + o.ID.String(), DB: o.DB, Class: o.Error,
		Question: cutText(o.Question, maxText), Reason: cutText(o.Reason, maxText),
		GoldSQL: cutText(o.SQL, maxText), Wrote: cutText(o.Text, maxText), WroteSQL: s.SQL,
		Gold: cutText(o.GoldAnswer, maxText), Answer: cutText(o.Answer, maxText),
		None: len(o.Predicted) == 0,
	}
	if !s.SQL {
		out.Pairs = align(o)
		if len(out.Pairs) > maxCalls {
			out.MorePair = len(out.Pairs) - maxCalls
			out.Pairs = out.Pairs[:maxCalls]
		}
		if o.Tools > 0 { // agents have others than the sample's
			out.Facts = append(out.Facts, plural(o.Tools, "tool")+" listed")
		}
	}
	if o.Difficulty != "" {
		out.Facts = append(out.Facts, o.Difficulty)
	}
	if len(o.Constructs) > 0 {
		out.Facts = append(out.Facts, o.Constructs...)
	}
	if o.Tied {
		out.Facts = append(out.Facts, "several answers are right")
	}
	if o.Loops > 0 {
		out.Facts = append(out.Facts, plural(o.Loops, "loop"))
	}
	if o.LastLoop {
		out.Facts = append(out.Facts, "out of budget")
	}
	switch {
	case o.StuckSame:
		out.Facts = append(out.Facts, "stuck on the very same call")
	case o.Stuck:
		out.Facts = append(out.Facts, "stuck")
	}
	return out
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
