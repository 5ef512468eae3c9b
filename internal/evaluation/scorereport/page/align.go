package page

import (
	"slices"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

// pair is a gold call beside the predicted call that stands for it. One of them
// may be nil.
type pair struct {
	Gold, Predicted *call
	Slots           []slot
	Differs         bool // whether anything does
	NameDiffers     bool
	Moved           bool // whether the calls' numbers differ
}

type call struct {
	Number   int // counted from 1
	Name     string
	Label    string
	Returned text
	Failed   bool
	Wrong    text
}

// slot is an argument in both calls. Want and Got are nil where it is left out.
type slot struct {
	Name      text
	Want, Got *text
	Differs   bool
}

// align sets the predicted calls of a sample next to the gold ones: those that
// its differences name as a pair, and of the rest the next one of the same
// function. The order is gold's; a predicted call without a partner is
// before the pair that it comes before in the prediction.
func align(o *evaluate.Outcome) []pair {
	partner := partners(o)
	var out []pair
	used := make([]bool, len(o.Predicted))
	for _, p := range partner {
		if p >= 0 {
			used[p] = true
		}
	}
	next := 0
	alone := func(before int) {
		for ; next < before; next++ {
			if !used[next] {
				out = append(out, newPair(o, -1, next))
			}
		}
	}
	for g, p := range partner {
		if p >= 0 {
			alone(p)
		}
		out = append(out, newPair(o, g, p))
	}
	alone(len(o.Predicted))
	return out
}

// partners returns for each gold call the number of the predicted call that
// stands for it, or -1.
func partners(o *evaluate.Outcome) []int {
	partner := make([]int, len(o.Gold))
	for i := range partner {
		partner[i] = -1
	}
	taken := make([]bool, len(o.Predicted))
	single := map[[2]int]bool{} // calls that a difference says have no partner
	for _, d := range o.Differences {
		isGold, isPredicted := d.Gold >= 0 && d.Gold < len(o.Gold), d.Predicted >= 0 && d.Predicted < len(o.Predicted)
		switch {
		case isGold && isPredicted:
			if partner[d.Gold] < 0 && !taken[d.Predicted] {
				partner[d.Gold], taken[d.Predicted] = d.Predicted, true
			}
		case d.Argument == "":
			single[[2]int{d.Gold, d.Predicted}] = true
		}
	}
	for g := range o.Gold {
		if partner[g] >= 0 || single[[2]int{g, -1}] {
			continue
		}
		for p := range o.Predicted {
			if !taken[p] && o.Predicted[p].Name == o.Gold[g].Name && !single[[2]int{-1, p}] {
				partner[g], taken[p] = p, true
				break
			}
		}
	}
	return partner
}

// newPair sets two calls side by side, argument by argument.
func newPair(o *evaluate.Outcome, g, p int) pair {
	out := pair{Differs: g < 0 || p < 0, NameDiffers: g < 0 || p < 0, Moved: g >= 0 && p >= 0 && g != p}
	var gold, predicted tools.Arguments
	if g >= 0 {
		out.Gold, gold = newCall(&o.Gold[g], g), o.Gold[g].Arguments
	}
	if p >= 0 {
		out.Predicted, predicted = newCall(&o.Predicted[p], p), o.Predicted[p].Arguments
	}
	differs := map[string]evaluate.Difference{}
	var more []string // differing slots that neither call writes, such as labels
	for _, d := range o.Differences {
		switch {
		case d.Gold != g || d.Predicted != p:
			continue
		case d.Argument == "":
			out.NameDiffers = true
		default:
			differs[d.Argument] = d
			more = append(more, d.Argument)
		}
		out.Differs = true
	}
	var names []string
	for _, a := range slices.Concat(gold, predicted) {
		if !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	for _, name := range names {
		_, isDifferent := differs[name]
		out.Slots = append(out.Slots, slot{
			Name: cutText(name, maxValue), Want: value(gold, name), Got: value(predicted, name),
			Differs: isDifferent,
		})
	}
	for _, name := range more {
		if slices.Contains(names, name) {
			continue
		}
		d := differs[name]
		out.Slots = append(out.Slots, slot{Name: cutText(name, maxValue), Want: given(d.Want), Got: given(d.Got), Differs: true})
	}
	return out
}

func newCall(c *evaluate.Called, i int) *call {
	return &call{
		Number: i + 1, Name: cutText(c.Name, maxValue).Text, Label: cutText(c.Label, maxValue).Text,
		Returned: cutText(c.Returned, maxText), Failed: c.Failed, Wrong: cutText(c.Wrong, maxText),
	}
}

// value is an argument as JSON, nil where it is left out.
func value(arguments tools.Arguments, name string) *text {
	v, ok := arguments.Get(name)
	if !ok {
		return nil
	}
	written, err := jsontext.Marshal(v, "")
	if err != nil {
		written = []byte(err.Error())
	}
	out := cutText(string(written), maxValue)
	return &out
}

// given is a side of a difference, nil for nothing.
func given(s string) *text {
	if s == "" {
		return nil
	}
	out := cutText(s, maxValue)
	return &out
}

// side is one side of a slot.
type side struct {
	Text   *text
	Marked bool // whether the reader's eye should stop here
	Called bool // whether there is a call on this side
}

func newSide(s slot, gold bool, p pair) side {
	if gold {
		return side{Text: s.Want, Marked: s.Differs && p.Gold != nil, Called: p.Gold != nil}
	}
	return side{Text: s.Got, Marked: s.Differs && p.Predicted != nil, Called: p.Predicted != nil}
}
