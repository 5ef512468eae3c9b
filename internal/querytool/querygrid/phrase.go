package querygrid

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/inflect"
)

// phrase asks a query in plain words. Of several ways to say a thing one is drawn.
func (g *grid) phrase(p *profile, q query.Query) string {
	s := &speaker{grid: g, profile: p}
	objects := p.noun
	if q.Search != "" {
		objects += s.pick(" matching ", " that match ", " found by a search for ") + quoted(q.Search)
	}
	for _, f := range q.Filters {
		objects += " " + behind(objects, s.filter(f))
	}
	if len(q.Aggregations) > 0 {
		return s.aggregated(q, objects)
	}
	return s.listed(objects, q)
}

// behind returns a filter as it is said behind a search.
func behind(objects, filter string) string {
	first, rest, _ := strings.Cut(filter, " ")
	switch {
	case strings.Contains(objects, " that match ") && first == "that":
		return "and " + rest
	case strings.Contains(objects, " that match ") && first == "with":
		return "and have " + rest
	case strings.Contains(objects, " that match "):
		return "and " + filter
	case strings.Contains(objects, " found by ") && first == "with":
		return "that have " + rest
	}
	return filter
}

// speaker finds words for the properties of a collection.
type speaker struct {
	*grid
	profile *profile
}

func (s *speaker) pick(ways ...string) string { return one(s.grid, ways) }

func (s *speaker) property(name string) *property {
	i := slices.IndexFunc(s.profile.properties, func(p *property) bool { return p.Property.Name == name })
	return s.profile.properties[i]
}

// quoted puts a text into quotation marks that it has not itself.
func quoted(text string) string {
	if strings.Contains(text, "'") {
		return `"` + text + `"`
	}
	return "'" + text + "'"
}

// an puts an article before a noun.
func an(noun string) string {
	first, _, _ := strings.Cut(noun, " ")
	if first == strings.ToUpper(first) && !strings.ContainsAny(first[1:], "AEIOU") { // said letter by letter: an RVVT
		if strings.ContainsRune("AEFHILMNORSX", rune(first[0])) {
			return "an " + noun
		}
		return "a " + noun
	}
	if strings.ContainsRune("aeioAEIO", rune(noun[0])) || strings.HasPrefix(noun, "un") && !strings.HasPrefix(noun, "uni") {
		return "an " + noun
	}
	return "a " + noun
}

// filter says a filter behind a noun.
func (s *speaker) filter(f query.Filter) string {
	p := s.property(f.Property)
	switch v := f.Value.(type) {
	case bool:
		yes, no := p.says()
		if f.Operator == query.NotEqual {
			return no
		}
		return yes
	case string:
		return s.textFilter(p, f.Operator, v)
	case int64:
		return s.numberFilter(p, f.Operator, strconv.FormatInt(v, 10))
	case float64:
		return s.numberFilter(p, f.Operator, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return ""
}

func (s *speaker) textFilter(p *property, operator query.Operator, v string) string {
	verb := func(ways ...string) string {
		way := s.pick(ways...)
		if is(p.words) == "are" {
			first, rest, _ := strings.Cut(way, " ")
			way = strings.TrimSuffix(first, "s") + " " + rest
		}
		return way
	}
	switch inner := strings.Trim(v, "%"); {
	case operator == query.Equal && p.plain && s.random.IntN(2) == 0:
		return "with the " + p.words + " " + quoted(v)
	case operator == query.Equal:
		return "whose " + p.words + " " + is(p.words) + " " + quoted(v)
	case strings.HasPrefix(v, "%"):
		return "whose " + p.words + " " + verb("contains ", "includes the text ") + quoted(inner)
	default:
		return "whose " + p.words + " " + verb("starts with ", "begins with ") + quoted(inner)
	}
}

// comparisons are the operators on numbers: behind with a price, behind whose price
// is, before seats, and for years.
var comparisons = map[query.Operator][4][]string{
	query.Equal:          {{"of %s", "of exactly %s"}, {"%s", "exactly %s"}, {"exactly %s"}, {"%s"}},
	query.Less:           {{"below %s", "of less than %s"}, {"below %s", "less than %s"}, {"fewer than %s"}, {"before %s"}},
	query.Greater:        {{"above %s", "of more than %s"}, {"above %s", "greater than %s"}, {"more than %s"}, {"after %s"}},
	query.LessOrEqual:    {{"of at most %s", "of no more than %s"}, {"at most %s"}, {"at most %s", "no more than %s"}, {"%s or earlier"}},
	query.GreaterOrEqual: {{"of at least %s", "of no less than %s"}, {"at least %s"}, {"at least %s"}, {"%s or later"}},
}

func (s *speaker) numberFilter(p *property, operator query.Operator, v string) string {
	ways := comparisons[operator]
	say := func(way int) string { return fmt.Sprintf(s.pick(ways[way]...), v) }
	switch {
	case p.isYear():
		return "whose " + p.words + " is " + say(3)
	case p.plural:
		return "with " + say(2) + " " + p.words
	case p.plain && s.random.IntN(2) == 0:
		return "with " + an(p.words) + " " + say(0)
	}
	return "whose " + p.words + " is " + say(1)
}

func (p *property) isYear() bool {
	return p.kind == query.Number && (p.words == "year" || strings.HasSuffix(p.words, " year"))
}

// says returns what a boolean says of objects that have it, and of those that have
// it not: that are vegetarian, that do not allow pets.
func (p *property) says() (yes, no string) {
	first, rest, more := strings.Cut(p.words, " ")
	switch {
	case !more && p.isAdjective():
		return "that are " + p.words, "that are not " + p.words
	case !more:
	case first == "is":
		return "that are " + rest, "that are not " + rest
	case first == "has":
		return "that have " + rest, "that do not have " + rest
	case p.isVerb():
		return "that " + first[:len(first)-1] + " " + rest, "that do not " + first[:len(first)-1] + " " + rest
	}
	return "for which " + p.words + " is true", "for which " + p.words + " is not true"
}

// isVerb reports whether the name begins with a verb: allows pets.
func (p *property) isVerb() bool {
	first, _, more := strings.Cut(p.words, " ")
	return more && slices.Contains([]string{"accepts", "allows", "contains", "gives", "includes", "needs", "offers", "requires", "serves", "supports", "takes", "uses", "wants"}, first)
}

// isAdjective reports whether the name looks like one: active, closed, available.
func (p *property) isAdjective() bool {
	return p.plain && slices.ContainsFunc([]string{"ive", "ed", "able", "ible", "ful", "al", "free"}, func(end string) bool { return strings.HasSuffix(p.words, end) })
}

// whether returns a boolean as a question about objects: whether they are
// vegetarian; "" if it has no such form.
func (p *property) whether() string {
	yes, _ := p.says()
	if rest, ok := strings.CutPrefix(yes, "that "); ok {
		return "whether they " + rest
	}
	return "whether " + p.words + " is true"
}

// listed asks for objects.
func (s *speaker) listed(objects string, q query.Query) string {
	ways := []string{"list the " + objects, "show me all " + objects, "show the " + objects}
	if !strings.Contains(objects, " found by ") {
		ways = append(ways, "find the "+objects)
	}
	which := s.which(objects)
	if len(q.GroupBy) == 0 {
		if which != "" && s.random.IntN(3) == 0 {
			return "Which " + which + "?"
		}
		return capital(s.pick(ways...)) + "."
	}
	by := s.property(q.GroupBy[0])
	if by.kind == query.Boolean {
		return capital(s.pick(ways...)) + ", grouped by " + by.whether() + "."
	}
	each := by.counted()
	ways = []string{
		capital(s.pick(ways...)) + ", grouped by " + each + ".",
		"For each " + each + ", " + s.pick(ways...) + ".",
		capital(s.pick(ways...)) + ", separately for each " + each + ".",
	}
	if which != "" {
		ways = append(ways, "For each "+each+", which "+which+"?")
	}
	return s.pick(ways...)
}

// which asks which objects there are, behind that word: dishes match 'smoky'. It is
// "" where that would be awkward.
func (s *speaker) which(objects string) string {
	noun := s.profile.noun
	rest := strings.TrimPrefix(objects, noun)
	switch {
	case rest == "":
		return noun + " are there"
	case strings.HasPrefix(rest, " that ") && !strings.Contains(rest, " whose "):
		return noun + strings.TrimPrefix(rest, " that")
	case strings.HasPrefix(rest, " with ") && !strings.HasPrefix(rest, " with the "):
		return noun + " have " + strings.TrimPrefix(rest, " with ")
	}
	return ""
}

// aggregated asks for an aggregation of objects, or of those of each group.
func (s *speaker) aggregated(q query.Query, objects string) string {
	a, group := q.Aggregations[0], q.GroupBy
	p := s.property(a.Property)
	asked := s.number(p, a, objects)
	switch p.kind {
	case query.Text:
		asked = s.text(p, a, objects)
	case query.Boolean:
		asked = s.boolean(p, a, objects)
		if a.Metric == query.Count && len(q.Filters) > 0 && q.Filters[0].Property == a.Property {
			asked = "how many of the " + objects + " have that on record"
		}
	}
	if len(group) == 0 {
		return capital(asked) + "?"
	}
	by := s.property(group[0])
	if by.kind == query.Boolean {
		return capital(asked) + ", grouped by " + by.whether() + "?"
	}
	each := by.counted()
	return s.pick(
		capital(asked)+", for each "+each+"?",
		"For each "+each+", "+asked+"?",
		capital(asked)+", grouped by "+each+"?",
	)
}

func (s *speaker) number(p *property, a query.Aggregation, objects string) string {
	of := s.pick(" of the ", " among the ") + objects
	lowest, highest := s.pick("lowest", "smallest"), s.pick("highest", "largest")
	switch {
	case p.isYear():
		lowest, highest = "earliest", "latest"
	case !p.plural:
		lowest, highest = "lowest", "highest"
	}
	switch what := p.counted(); a.Metric {
	case query.Mean:
		return "what is the " + s.pick("average ", "mean ") + what + of
	case query.Min:
		return "what is the " + lowest + " " + what + of
	case query.Max:
		return "what is the " + highest + " " + what + of
	case query.Median:
		return "what is the median " + what + of
	case query.Mode:
		return "what is the most " + s.pick("common ", "frequent ") + what + of
	case query.Sum:
		if p.plural || !p.plain {
			return "what is the total " + what + " of the " + objects
		}
		return "what is the " + s.pick("total "+what, "sum of the "+p.several()) + " of the " + objects
	case query.Count:
		return s.known(what, objects)
	default:
		return typed(what, objects)
	}
}

// is returns the verb for a property, most of which are one thing.
func is(what string) string {
	if !strings.HasPrefix(what, "number of ") && inflect.IsPlural(what[strings.LastIndex(what, " ")+1:]) {
		return "are"
	}
	return "is"
}

// known asks for how many objects there is a value.
func (s *speaker) known(what, objects string) string {
	known := "for how many " + objects + " " + is(what) + " the " + what + " " + s.pick("known", "given")
	if is(what) == "are" || strings.HasPrefix(what, "number of ") {
		return known
	}
	return s.pick(known, "how many of the "+objects+" have "+an(what)+" on record")
}

// typed asks for the type of a property.
func typed(what, objects string) string {
	return "what type of data " + is(what) + " the " + what + " of the " + objects
}

func (s *speaker) text(p *property, a query.Aggregation, objects string) string {
	switch a.Metric {
	case query.TopOccurrences:
		what := p.several()
		if !p.plain {
			what = "values of " + p.words
		}
		top := ""
		if a.Limit > 0 {
			top = strconv.Itoa(a.Limit) + " "
		}
		return s.pick(
			"what are the "+top+"most "+s.pick("common ", "frequent ")+what+" of the "+objects,
			"which "+top+what+" are the most "+s.pick("common", "frequent")+" among the "+objects,
		)
	case query.Count:
		return s.known(p.words, objects)
	}
	return typed(p.words, objects)
}

func (s *speaker) boolean(p *property, a query.Aggregation, objects string) string {
	yes, no := p.says()
	if isPhrase := strings.HasPrefix(yes, "that "); isPhrase {
		yes, no = strings.TrimPrefix(yes, "that "), strings.TrimPrefix(no, "that ")
		switch a.Metric {
		case query.TotalTrue:
			return "how many of the " + objects + " " + yes
		case query.TotalFalse:
			return "how many of the " + objects + " " + no
		case query.PercentageTrue:
			return "what percentage of the " + objects + " " + yes
		case query.PercentageFalse:
			return "what percentage of the " + objects + " " + no
		case query.Count:
			return "for how many of the " + objects + " is it known " + p.whether()
		}
		return "what type of data tells whether the " + objects + " " + yes
	}
	switch a.Metric {
	case query.TotalTrue:
		return "for how many of the " + objects + " is " + p.words + " true"
	case query.TotalFalse:
		return "for how many of the " + objects + " is " + p.words + " false"
	case query.PercentageTrue:
		return "for what percentage of the " + objects + " is " + p.words + " true"
	case query.PercentageFalse:
		return "for what percentage of the " + objects + " is " + p.words + " false"
	case query.Count:
		return "for how many of the " + objects + " is " + p.words + " known"
	}
	return typed(p.words, objects)
}

// capital begins a sentence.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
