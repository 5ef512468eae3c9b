package evaluate

import "github.com/birdcall/birdcall/pkg/spec"

// Shorten cuts the samples' tool lists to at most that number of tools, as a
// spec.Limiter chooses them: the gold ones, those nearest to the question, and
// others drawn by the seed. Shorter lists stay as they are.
func (d *Dataset) Shorten(most int, seed uint64) {
	universes := map[string][]spec.Tool{}
	for _, s := range d.Samples {
		universes[s.DB] = spec.Union(universes[s.DB], s.Tools)
	}
	limiters := map[string]*spec.Limiter{}
	for db, universe := range universes {
		limiters[db] = spec.NewLimiter(universe, most, seed)
	}
	for _, s := range d.Samples {
		if len(s.Tools) > most {
			s.Tools = limiters[s.DB].Limit(s.Tools, s.Listed, s.Question, s.Key())
		}
	}
}
