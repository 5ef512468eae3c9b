package find

// splits is how much more two databases have to say than the best one, of all clauses
// together, for a question to be about both.
const splits = 1.3

// Bounds of the search for the two: clauses, and databases that may be of them.
const (
	maxClauses    = 16
	maxCandidates = 32
)

// partsOf returns the clauses of a question that is about two databases with the
// places of these; nil where it is about one. The two are those that cover the clauses
// best, if they do so much better than any database alone; so a second database that
// adds nothing is dropped.
func (n *names) partsOf(list []clause, hits [][]hit) (dbs []int) {
	if len(list) < 2 {
		return nil
	}
	list = list[:min(len(list), maxClauses)]
	scores := make([][]float64, len(list)) // by clause and database
	alone := make([]float64, len(n.schemas))
	for i, c := range list {
		scores[i] = n.rank(c.terms, hits[i]).database
		for d, s := range scores[i] {
			alone[d] += s
		}
	}
	candidates := order(alone)
	candidates = candidates[:min(len(candidates), maxCandidates)]
	first, second, most := -1, -1, 0.
	for i, a := range candidates {
		for _, b := range candidates[i+1:] {
			sum, ofA, ofB := 0., false, false
			for _, s := range scores {
				sum += max(s[a], s[b])
				ofA, ofB = ofA || s[a] >= s[b], ofB || s[b] > s[a]
			}
			if ofA && ofB && sum > most {
				first, second, most = a, b, sum
			}
		}
	}
	if first < 0 || most <= splits*alone[candidates[0]] {
		return nil
	}
	dbs = make([]int, len(list))
	for i, s := range scores {
		dbs[i] = first
		if s[second] > s[first] {
			dbs[i] = second
		}
	}
	return dbs
}
