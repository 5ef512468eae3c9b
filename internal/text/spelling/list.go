package spelling

import (
	"fmt"
	"strings"
)

// List writes words as a sentence lists them: List(words, "or") of three is
// "a, b or c".
func List[T any](words []T, conjunction string) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = fmt.Sprint(w)
	}
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " " + conjunction + " " + texts[last]
}
