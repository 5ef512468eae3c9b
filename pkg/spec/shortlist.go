package spec

import "github.com/birdcall/birdcall/pkg/tools"

// ShortlistPercents are the sizes of shortlists in the paper's study (appendix C.2), in
// percent of all tools.
func ShortlistPercents() []int { return []int{10, 25, 50, 75, 100} }

// Shortlist returns a share of the tools, in their order: those that the gold
// calls use, and others drawn at random until there are percent of all, rounded
// down as in the paper's table 4. No tool is there twice, and none that gold
// needs is missing, even where these alone are more than the share. The draw
// depends on the seed and the sample's name only.
func Shortlist(all []Tool, gold []tools.Call, percent int, seed uint64, sample string) []Tool {
	all = Union(all)
	keep := map[string]bool{}
	for _, c := range gold {
		keep[c.Name] = true
	}
	var others []string
	for _, s := range all {
		if !keep[s.Name] {
			others = append(others, s.Name)
		}
	}
	random := randomOf(seed, sample)
	random.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	room := len(all)*percent/100 - (len(all) - len(others))
	for _, name := range others[:min(max(room, 0), len(others))] {
		keep[name] = true
	}
	var out []Tool
	for _, s := range all {
		if keep[s.Name] {
			out = append(out, s)
		}
	}
	return out
}
