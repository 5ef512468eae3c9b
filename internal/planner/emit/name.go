package emit

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// maxName bounds the keys that derived columns get, and maxWord the words that
// they are made of, to which a number may come.
const (
	maxName = 40
	maxWord = 37
)

// derivedKey names a derived column in the full toolset: by what the statement
// calls it, or else by what is computed of what. It is no key of a starting
// table, and no other column of the sequence has it.
func (e *emitter) derivedKey(t *table, s *plan.Derive) string {
	return e.free(t, e.name(t, s), s.Out)
}

// name is a word for what a derivation computes. It begins with a letter.
func (e *emitter) name(t *table, s *plan.Derive) string {
	word := e.alias(s.Out, e.expression(t, s))
	if word[0] >= '0' && word[0] <= '9' {
		word = short("value_"+word, maxName)
	}
	e.words[s.Out] = word
	return word
}

// alias returns what the statement calls a column, if that is a name, or else a
// word.
func (e *emitter) alias(c plan.Col, word string) string {
	if alias := e.plan.Columns[c].Alias; isName(alias) && snake(alias) != "" {
		return snake(alias)
	}
	return word
}

// free makes a key of a word that neither a starting table nor another made
// column has.
func (e *emitter) free(t *table, word string, c plan.Col) string {
	key := word
	isFree := func() bool {
		owner, given := e.owner[key]
		return !e.isStart[key] && !t.has(key) && (!given || owner == c)
	}
	for n := 2; !isFree(); n++ {
		suffix := "_" + strconv.Itoa(n)
		key = short(word, maxName-len(suffix)) + suffix
	}
	e.owner[key] = c
	return key
}

// isName reports whether an alias is a name and no text.
func isName(alias string) bool {
	for i, r := range alias {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return alias != "" && len(alias) <= maxName
}

// snake writes a name in small letters with an underscore between its words.
// What is no ASCII letter and no digit parts words.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		isWord := r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
		begins := isWord && i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
		if (!isWord || begins) && b.Len() > 0 && !strings.HasSuffix(b.String(), "_") {
			b.WriteByte('_')
		}
		if isWord {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.Trim(b.String(), "_")
}

// short cuts a word to a length, between its parts where it can.
func short(word string, length int) string {
	if length = max(length, 1); len(word) <= length {
		return word
	}
	cut := strings.LastIndexByte(word[:length+1], '_')
	if cut <= 0 {
		return word[:length]
	}
	words := strings.Split(word[:cut], "_")
	for len(words) > 1 && slices.Contains(links, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, "_")
}

// links are words at which no name ends.
var links = []string{"plus", "minus", "times", "per", "percent", "of", "if", "is", "like", "above", "below", "at", "from", "to", "first", "and", "or", "with", "not"}

// phrase joins the names of two things with words between them. Where that gets
// too long, words that both have are said once, and the rest is cut to fit.
func phrase(a, between, b string) string {
	between = short(between, maxWord/2)
	if b == "" {
		return short(a, maxWord-len(between)-1) + "_" + between
	}
	room := maxWord - len(between) - 2
	if len(a)+len(b) > room {
		b = without(b, a, false)
	}
	if len(a)+len(b) > room {
		a = without(a, b, true)
	}
	if len(a)+len(b) > room {
		a = short(a, max(room/2, room-len(b)))
		b = short(b, room-len(a))
	}
	return a + "_" + between + "_" + b
}

// without drops the words at the beginning, or at the end, that another name has
// there as well, but for the last one.
func without(word, other string, end bool) string {
	words, others := strings.Split(word, "_"), strings.Split(other, "_")
	if end {
		slices.Reverse(words)
		slices.Reverse(others)
	}
	for len(words) > 1 && len(others) > 0 && words[0] == others[0] {
		words, others = words[1:], others[1:]
	}
	if end {
		slices.Reverse(words)
	}
	return strings.Join(words, "_")
}

// column names a column: in a starting table by its own name, and a made one by
// what it is.
func (e *emitter) column(t *table, c plan.Col) string {
	word := ""
	if col := e.plan.Columns[c]; col.IsBase {
		word = snake(col.Name)
	} else if word = e.words[c]; word == "" {
		word = snake(t.of[c])
	}
	if word == "" {
		return "column"
	}
	return word
}

// reduced names what an aggregate gives, for the names of what is made of it: by
// what it is of, and where it is of some rows with one value by that.
func (e *emitter) reduced(t *table, s *plan.Aggregate) string {
	word := string(s.Func)
	if s.From != plan.None {
		word += "_" + e.column(t, s.From)
	}
	if f, ok := e.plan.Steps[s.In].(*plan.Filter); ok && f.Condition == tools.Equal && f.Args[0].Kind == plan.Constant && !s.Grouped {
		if of := e.word(t, f.Args[0]); of != "value" {
			word = phrase(of, word, "")
		}
	}
	return short(word, maxName)
}

// word names an operand.
func (e *emitter) word(t *table, o plan.Operand) string {
	switch o.Kind {
	case plan.ColumnOf:
		return e.column(t, o.Col)
	case plan.Result:
		return e.column(e.tables[o.Step], o.Col)
	case plan.Constant:
		text := value.AsText(o.Value)
		for _, text := range []string{text, strings.Trim(text, "%")} {
			if mark, ok := marks[text]; ok && !o.Value.IsNull() {
				return mark
			}
		}
		if word := snake(text); word != "" {
			return word
		}
	}
	return "value"
}

// marks are words for what separates the parts of a text.
var marks = map[string]string{
	":": "colon", ".": "point", ",": "comma", " ": "space", "-": "dash", "/": "slash", ";": "semicolon", "": "nothing", "+": "plus", "_": "underscore", "*": "star", "%": "percent",
}

// expression names what a derivation computes.
func (e *emitter) expression(t *table, s *plan.Derive) string {
	args := map[string]plan.Operand{}
	for _, a := range s.Args {
		if len(a.Values) > 0 {
			args[a.Name] = a.Values[0]
		}
	}
	if s.From == plan.None {
		return short(e.word(t, args[toolname.ArgValue]), maxName)
	}
	x := e.column(t, s.From)
	switch op := vocabulary.Of(s.Op); {
	case op.Suffix != "":
		return phrase(x, op.Suffix, "")
	case op.Infix != "":
		return e.infix(t, s, x, args, op.Infix)
	}
	switch s.Op {
	case tools.OpStrftime:
		return phrase(x, dateParts(args[toolname.ArgFormat].Value.Raw()), "")
	case tools.OpSubstring, tools.OpSubstr:
		return part(x, s.Op, args)
	case tools.OpInstr:
		return phrase(x, e.word(t, args[toolname.ArgValue])+"_place", "")
	case tools.OpCast:
		return phrase(x, kinds[args[toolname.ArgType].Value.Raw()], "")
	case tools.OpConditional:
		return e.choice(t, x, args)
	case tools.OpCall:
		return phrase(x, snake(args[toolname.ArgFunction].Value.Raw()), "")
	case tools.OpJSONExtract, tools.OpJSONQuery, tools.OpJSONValue:
		return phrase(x, e.word(t, args[toolname.ArgPath]), "")
	}
	if test, ok := vocabulary.OfCondition(tools.Condition(s.Op)); ok {
		return phrase(x, test.Infix, e.against(t, args))
	}
	return phrase(x, snake(string(s.Op)), "")
}

// kinds say what a cast gives.
var kinds = map[string]string{
	value.AffinityInteger.String(): "whole_number", value.AffinityReal.String(): "number", value.AffinityNumeric.String(): "number",
	value.AffinityText.String(): "text", value.AffinityBlob.String(): "bytes",
}

func (e *emitter) infix(t *table, s *plan.Derive, x string, args map[string]plan.Operand, between string) string {
	other, ok := args[toolname.ArgValue]
	if !ok {
		other = args[toolname.ArgValues]
	}
	y := e.word(t, other)
	if _, swapped := args[toolname.ArgSwap]; swapped {
		if s.Op == tools.OpSubtract && other.Kind == plan.Constant {
			return phrase(x, "from", y)
		}
		x, y = y, x
	}
	scale, scaled := args[toolname.ArgScale]
	if scaled && scale.Kind == plan.Constant && scale.Value.Float64() == 100 {
		between = "percent_of"
	}
	return phrase(x, between, y)
}

// dateParts says what a format of strftime writes.
func dateParts(format string) string {
	names := map[rune]string{'Y': "year", 'm': "month", 'd': "day", 'H': "hour", 'M': "minute", 'S': "second", 'j': "day_of_year", 'w': "weekday", 'W': "week", 's': "seconds", 'J': "day_number"}
	var words []string
	after := false
	for _, r := range format {
		if word, ok := names[r]; ok && after {
			words = append(words, word)
		}
		after = r == '%' && !after
	}
	if len(words) == 0 || len(words) > 3 {
		return "written"
	}
	return strings.Join(words, "_")
}

// part says which part of a text is taken.
func part(x string, op tools.Operation, args map[string]plan.Operand) string {
	first, length := args[toolname.ArgStart], args[toolname.ArgLength]
	last := "part"
	if op == tools.OpSubstring {
		first = args[toolname.ArgStartIndex]
		if end := args[toolname.ArgEndIndex]; end.Value.Kind() == value.Integer && first.Value.Kind() == value.Integer {
			from := first.Value.Int64()
			if from == 0 {
				return phrase(x, "first_"+strconv.FormatInt(end.Value.Int64(), 10), "")
			}
			last = "from_" + strconv.FormatInt(from+1, 10) + "_to_" + strconv.FormatInt(end.Value.Int64(), 10)
		}
		return phrase(x, last, "")
	}
	if first.Kind == plan.Constant && first.Value.Kind() == value.Integer && first.Value.Int64() > 0 && length == (plan.Operand{}) {
		last = "from_" + strconv.FormatInt(first.Value.Int64(), 10)
	}
	return phrase(x, last, "")
}

// against names what a condition compares with.
func (e *emitter) against(t *table, args map[string]plan.Operand) string {
	o, ok := args[toolname.ArgValue]
	if !ok {
		return ""
	}
	return e.word(t, o)
}

// choice names one of two values: "yes_or_no" of two constants, what is tested of
// 1 and 0, and elsewhere the first one and when it is taken.
func (e *emitter) choice(t *table, x string, args map[string]plan.Operand) string {
	then, otherwise := args[toolname.ArgThen], args[toolname.ArgElse]
	condition, _ := vocabulary.OfCondition(tools.Condition(args[toolname.ArgCondition].Value.Raw()))
	isText := func(o plan.Operand) bool { return o.Kind == plan.Constant && o.Value.Kind() == value.Text }
	switch {
	case isText(then) && isText(otherwise):
		return phrase(e.word(t, then), "or", e.word(t, otherwise))
	case then.Kind == plan.Constant:
		return phrase(x, condition.Infix, e.against(t, args))
	}
	when := strings.TrimSuffix(x+"_"+condition.Infix+"_"+e.against(t, args), "_")
	name := e.word(t, then) + "_if_" + when
	if of := e.against(t, args); len(name) > maxWord && of != "" && of != "value" {
		return phrase(e.word(t, then), "if", of)
	}
	return phrase(e.word(t, then), "if", when)
}
