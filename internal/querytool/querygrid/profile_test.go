package querygrid

import (
	"fmt"
	"testing"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestSearchedTexts says whether texts are searched, by how many objects there are and
// how many different texts a sample has.
func TestSearchedTexts(t *testing.T) {
	for _, test := range []struct {
		rows  int64
		texts int
		want  bool
	}{
		{1, 1, true},
		{manyObjects, 1, true},
		{manyObjects + 1, 1, false},
		{manyObjects + 1, fewTexts - 1, false},
		{manyObjects + 1, fewTexts, true},
	} {
		p := &profile{rows: test.rows, collection: &query.Collection{Name: "birds", Properties: []query.Property{{Name: "song", Type: query.Text}}}}
		for i := range test.texts {
			p.sample = append(p.sample, []value.Value{value.Str(fmt.Sprintf("whistled %d times", i))})
		}
		p.describe(nil)
		if got := len(p.searched) == 1; got != test.want {
			t.Errorf("%d texts of %d objects are searched: %v, want %v", test.texts, test.rows, got, test.want)
		}
	}
}
