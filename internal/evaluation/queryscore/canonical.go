package queryscore

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// unordered are the arguments whose lists are sets.
var unordered = []string{"filters", "any_of", "all_of", "aggregations"}

// canonical returns a JSON value as a text that equal values share: objects by
// their names, without those that are null, and numbers by their value. With sets,
// the lists that are sets and those of values to choose from have no order either.
func canonical(v any, sets bool) string {
	var b strings.Builder
	write(&b, v, sets, false)
	return b.String()
}

// write writes a value. set says that a list is one.
func write(b *strings.Builder, v any, sets, set bool) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case string:
		b.WriteString(strconv.Quote(v))
	case tools.Arguments:
		writeObject(b, v, sets)
	case []any:
		texts := make([]string, len(v))
		for i, e := range v {
			texts[i] = canonical(e, sets)
		}
		if sets && set {
			slices.Sort(texts)
			texts = slices.Compact(texts)
		}
		b.WriteString("[" + strings.Join(texts, ",") + "]")
	default:
		b.WriteString(number(v))
	}
}

func writeObject(b *strings.Builder, object tools.Arguments, sets bool) {
	names := make([]string, 0, len(object))
	for _, a := range object {
		if a.Value != nil {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	b.WriteByte('{')
	for _, name := range names {
		v, _ := object.Get(name)
		b.WriteString(strconv.Quote(name) + ":")
		write(b, v, sets, slices.Contains(unordered, name) || name == "value")
		b.WriteByte(',')
	}
	b.WriteByte('}')
}

// number returns a number's text: an integer if that is its value, so that 1 is
// 1.0. What is no number is written as JSON.
func number(v any) string {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return strconv.FormatInt(i, 10)
		}
		f, _ := strconv.ParseFloat(v.String(), 64) // one out of range is infinite
		return number(f)
	}
	text, _ := json.Marshal(v) // arguments have nothing else
	return string(text)
}
