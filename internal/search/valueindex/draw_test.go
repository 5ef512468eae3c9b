package valueindex

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// pieces are what texts and values are made of.
var pieces = strings.Split(`San|san|Francisco|francisco|Lake|lakes|city|cities|City|O'Brien|obrien|e-mail|email|mail|U.S.|US|us|OR|or|the|The|THE|a|A|12|1,000|1000|1|
2012-08-24|2012-08-24 00:00:00.0|2012/8/24|August 24th, 2012|24 August 2012|8/24/2012|24.8.2012|201208|August 2012|20120824|
+|-|#|'+'|"-"|'the'|É|é|Ünïon|union|Straße|strasse|schools|school|San Francisco|"San Francisco"|sanfrancisco|-5|5|3.5|women's|women|woman|TR001|tr-001|Fresno's|ﬁne|fine|½`, "|")

func drawPieces(least, limit int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for i := range rapid.IntRange(least, limit).Draw(t, "pieces") {
			if i > 0 {
				b.WriteString(rapid.SampledFrom([]string{" ", " ", " ", "-", ", ", "  ", ""}).Draw(t, "separator"))
			}
			piece := strings.TrimSpace(rapid.SampledFrom(pieces).Draw(t, "piece"))
			if rapid.IntRange(0, 5).Draw(t, "typo") == 0 {
				piece = mutate(t, piece)
			}
			b.WriteString(piece)
		}
		return b.String()
	})
}

func drawText() *rapid.Generator[string] { return drawPieces(0, 6) }

func drawValue() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		switch rapid.IntRange(0, 9).Draw(t, "class") {
		case 0:
			return value.Int(rapid.SampledFrom([]int64{1, 5, -5, 12, 1000, 2012, 201208}).Draw(t, "integer"))
		case 1:
			return value.Float(rapid.SampledFrom([]float64{1, 3.5, -5, 0.5, 1000}).Draw(t, "real"))
		}
		return value.Str(drawPieces(1, 3).Draw(t, "text"))
	})
}

// mutate makes one edit at a place.
func mutate(t *rapid.T, s string) string {
	runes := []rune(s)
	if len(runes) == 0 {
		return s
	}
	at := rapid.IntRange(0, len(runes)-1).Draw(t, "place")
	switch rapid.IntRange(0, 3).Draw(t, "edit") {
	case 0:
		runes = slices.Insert(runes, at, 'o')
	case 1:
		runes = slices.Delete(runes, at, at+1)
	case 2:
		runes[at] = 'e'
	default:
		if at > 0 {
			runes[at], runes[at-1] = runes[at-1], runes[at]
		}
	}
	return string(runes)
}
