package find_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/value"
)

// sampleWithTools opens the index of the embedded sample with its endpoints.
func sampleWithTools(t testing.TB) (*bird.Dataset, *find.Index) {
	t.Helper()
	dataset := embeddedSample(t)
	api, err := rest.Open(context.Background(), dataset, rest.Options{Immutable: true})
	if err != nil {
		t.Fatal(err)
	}
	list, err := find.Endpoints(context.Background(), api)
	if err = errors.Join(err, api.Close()); err != nil {
		t.Fatal(err)
	}
	x, err := find.Open(context.Background(), dataset, find.Options{Tools: list})
	if err != nil {
		t.Fatal(err)
	}
	return dataset, x
}

// name says what a hit is in one word, without its database.
func name(h find.Hit) string {
	switch h.Kind {
	case find.KindDatabase:
		return h.DB
	case find.KindColumn:
		return h.Table + "." + h.Column
	case find.KindTool:
		return h.Tool
	}
	return h.Table
}

// valueName says where a value is and what it is.
func valueName(h find.ValueHit) string {
	return fmt.Sprintf("%s.%s = %s", h.Table, h.Column, value.AsText(h.Value))
}

// TestFindFirst lists questions with the first hit of each kind. An empty name is not
// looked at, and "-" is that of no hit.
func TestFindFirst(t *testing.T) {
	_, x := sampleWithTools(t)
	for _, c := range []struct {
		text, evidence string
		// database, table, column, value and tool
		want [5]string
		why  string // the reason of the first value, or of the first table without one
	}{
		{"What is the district of the branch Riverside?", "", [5]string{"city_library", "branch", "branch.district", "branch.name = Riverside", "branch_districts_except_by_seats_reading_room"}, "the same text"},
		{"What is the district of the branch riverside?", "", [5]string{"city_library", "branch", "branch.district", "branch.name = Riverside", ""}, "the same words"},
		{"What is the district of the branch Rivreside?", "", [5]string{"city_library", "branch", "branch.district", "branch.name = Riverside", ""}, "one letter differs"},
		{"How old is each member of the Marchenhaus?", "", [5]string{"city_library", "", "", "branch.name = Märchenhaus", ""}, "the same words"},
		{"Which branch opened on November 30th, 1999?", "", [5]string{"city_library", "branch", "", "branch.Opened-On = 1999-11-30", ""}, "the same date"},
		{"How many ringed birds were female?", "", [5]string{"bird_club", "ringing", "", "ringing.sex = F", ""}, "F: female"},
		{"Which species are near threatened on the red list?", "", [5]string{"bird_club", "species", "species.Red List", "species.Red List = NT", ""}, "NT: near threatened"},
		{"Which books are written in Irish?", "", [5]string{"city_library", "book", "", "book.language = ga", ""}, "ga: Irish"},
		{"How many observers are active?", "", [5]string{"bird_club", "observer", "", "-", ""}, "name: observers; columns: observer_id, active"},
		{"List the common names of species with their wingspan.", "", [5]string{"bird_club", "species", "", "-", ""}, ""},
		{"List the beans with a cup score of at least 87.", "", [5]string{"coffee_roastery", "bean", "bean.Cup Score (0-100)", "", ""}, ""},
		{"Which of them are there?", "puffin refers to species_code = 'PUFFI'", [5]string{"bird_club", "species", "", "", ""}, "the same text"},
		{"Zebra giraffe", "", [5]string{"-", "-", "-", "-", "-"}, ""},
	} {
		r, err := x.Find(t.Context(), find.Query{Text: c.text, Evidence: c.evidence})
		if err != nil {
			t.Fatal(err)
		}
		got := [5]string{"-", "-", "-", "-", "-"}
		for i, list := range [][]find.Hit{r.Databases, r.Tables, r.Columns, nil, r.Tools} {
			if len(list) > 0 {
				got[i] = name(list[0])
			}
		}
		why := ""
		if len(r.Tables) > 0 {
			why = r.Tables[0].Reason
		}
		if len(r.Values) > 0 {
			got[3], why = valueName(r.Values[0]), r.Values[0].Reason
		}
		for i, want := range c.want {
			if want != "" && got[i] != want {
				t.Errorf("%s: %s first, want %s", c.text, got[i], want)
			}
		}
		if c.why != "" && why != c.why {
			t.Errorf("%s: because of %q, want %q", c.text, why, c.why)
		}
	}
}

// TestAnswerable lists questions with whether they can be answered, and why.
func TestAnswerable(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	for _, c := range []struct {
		text, db, want string // the reason
		answerable     bool
	}{
		{"How many observers are active?", "", "known in bird_club: observers, active", true},
		{"How many observers are active?", "bird_club", "known in bird_club: observers, active", true},
		{"How many observers are active?", "coffee_roastery", "known in coffee_roastery: none of its words; not known: observers, active", false},
		{"Who wrote A Quiet Lighthouse?", "", "known in city_library: Quiet, Lighthouse; not known: wrote", true},
		{"How tall is the Eiffel Tower?", "", "", false},
		{"Which galaxies have spiral arms?", "", "known in city_library: none of its words; not known: galaxies, spiral, arms", false},
		{"Zebra?", "", "no table or column has a word of the question", false},
		{"Q1: How many observers are active? Q2: How many beans are organic?", "", "known in coffee_roastery and bird_club: observers, active, beans, organic", true},
	} {
		r, err := x.Find(t.Context(), find.Query{Text: c.text, DB: c.db})
		if err != nil {
			t.Fatal(err)
		}
		if r.Answerable != c.answerable || r.Answerable != (r.Confidence >= .5) || c.want != "" && r.Reason != c.want {
			t.Errorf("%s: %v, %v, %s", c.text, r.Answerable, r.Confidence, r.Reason)
		}
	}
}

// TestFindResults holds whole results against a file: a value with a typo, a code, a
// question over two databases, one that cannot be answered, and evidence.
func TestFindResults(t *testing.T) {
	_, x := sampleWithTools(t)
	var out bytes.Buffer
	for _, q := range []find.Query{
		{Text: "What are the titles of the books written by Nuala Quin?", K: 3},
		{Text: "What is the percentage of birds ringed that were female?", DB: "bird_club", K: 2},
		{Text: "Which question has a larger number as its answer. Q1: How many branches does the library have?; Q2: How many species are vulnerable?", K: 2},
		{Text: "How tall is the Eiffel Tower?", K: 1},
		{Text: "How many books are not written in English?", Evidence: "English refers to language = 'en'", K: 2, Kinds: []find.Kind{find.KindValue, find.KindColumn}},
	} {
		r, err := x.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		e := json.NewEncoder(&out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		fmt.Fprintf(&out, "# %s\n", q.Text)
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	golden.Equal(t, filepath.Join("testdata", "results.txt"), out.String())
}

// TestFindErrors lists queries that are refused, and the largest ones that are not.
func TestFindErrors(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		q    find.Query
		err  error
		says string
	}{
		{"no text", t.Context(), find.Query{Evidence: "books"}, find.ErrText, "give the words of a question"},
		{"a long text", t.Context(), find.Query{Text: strings.Repeat("a", find.MaxText+1)}, find.ErrText, "4001 bytes; give at most 4000"},
		{"a long text with its evidence", t.Context(), find.Query{Text: strings.Repeat("é", find.MaxText/2), Evidence: "a"}, find.ErrText, "4001 bytes"},
		{"a negative k", t.Context(), find.Query{Text: "a", K: -1}, find.ErrK, "give 1 to 100"},
		{"a great k", t.Context(), find.Query{Text: "a", K: find.MaxK + 1}, find.ErrK, "101; give 1 to 100"},
		{"a nonexistent kind", t.Context(), find.Query{Text: "a", Kinds: []find.Kind{find.KindTable, "tables"}}, find.ErrKind, `"tables"; there are [database table column value tool]`},
		{"a nonexistent database", t.Context(), find.Query{Text: "a", DB: "city_libraryy"}, find.ErrDatabase, `"city_libraryy"`},
		{"a database in another case", t.Context(), find.Query{Text: "a", DB: "City_Library"}, find.ErrDatabase, "city_library"},
		{"cancelled", done, find.Query{Text: "a"}, context.Canceled, ""},

		{"the longest text", t.Context(), find.Query{Text: strings.Repeat("a ", find.MaxText/2)}, nil, ""},
		{"the longest evidence", t.Context(), find.Query{Text: "a", Evidence: strings.Repeat("a", find.MaxText-1)}, nil, ""},
		{"the greatest k", t.Context(), find.Query{Text: "a", K: find.MaxK}, nil, ""},
		{"all kinds", t.Context(), find.Query{Text: "a", Kinds: find.Kinds(), DB: "city_library"}, nil, ""},
		{"no UTF-8", t.Context(), find.Query{Text: "books \xff\xc3", Evidence: "\x80"}, nil, ""},
	} {
		r, err := x.Find(c.ctx, c.q)
		if !errors.Is(err, c.err) || err != nil && !strings.Contains(err.Error(), c.says) || (r == nil) != (err != nil) {
			t.Errorf("%s: %v, %v, want %v with %q", c.name, r, err, c.err, c.says)
		}
	}
}

// TestFindBounds says that there are no hits but of the database, the kinds and the number
// that are asked for.
func TestFindBounds(t *testing.T) {
	_, x := sampleWithTools(t)
	for _, c := range []struct {
		q    find.Query
		want [5]int // hits of each kind at most
	}{
		{find.Query{}, [5]int{3, 10, 10, 10, 10}},
		{find.Query{K: 1}, [5]int{1, 1, 1, 1, 1}},
		{find.Query{K: 100}, [5]int{3, 100, 100, 100, 100}},
		{find.Query{DB: "bird_club"}, [5]int{1, 10, 10, 10, 10}},
		{find.Query{Kinds: []find.Kind{find.KindTool}}, [5]int{0, 0, 0, 0, 10}},
		{find.Query{Kinds: []find.Kind{find.KindValue, find.KindDatabase}}, [5]int{3, 0, 0, 10, 0}},
		{find.Query{Kinds: []find.Kind{}}, [5]int{3, 10, 10, 10, 10}},
	} {
		c.q.Text = "How many books, beans and birds of the name of Riverside, Graz and Lough Ree are there in the city, the shop and the site?"
		r, err := x.Find(t.Context(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		for i, list := range [][]find.Hit{r.Databases, r.Tables, r.Columns, nil, r.Tools} {
			if len(list) > c.want[i] || c.want[i] > 0 && i != 3 && len(list) == 0 {
				t.Errorf("%+v: %d of %s, want up to %d", c.q, len(list), find.Kinds()[i], c.want[i])
			}
			for _, h := range list {
				if c.q.DB != "" && h.DB != c.q.DB || h.Kind != find.Kinds()[i] {
					t.Errorf("%+v: %+v", c.q, h)
				}
			}
		}
		if n := len(r.Values); n > c.want[3] || c.want[3] > 0 && n == 0 || slices.ContainsFunc(r.Values, func(h find.ValueHit) bool { return c.q.DB != "" && h.DB != c.q.DB }) {
			t.Errorf("%+v: %d values %+v", c.q, n, r.Values)
		}
	}
}

// TestFindSample says how many questions of the sample have their own database, their own
// endpoint, and a good confidence. It holds what there was when it was written, so that
// nobody makes it worse and does not see it.
func TestFindSample(t *testing.T) {
	dataset, x := sampleWithTools(t)
	api, err := rest.Open(t.Context(), dataset, rest.Options{Immutable: true})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	var databases, tools, endpoints, answerable float64
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		r, err := x.Find(t.Context(), find.Query{Text: q.Text, Evidence: q.Evidence})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Databases) > 0 && r.Databases[0].DB == q.DB {
			databases++
		}
		if r.Answerable {
			answerable++
		}
		if call, err := api.Call(q); err == nil {
			endpoints++
			if slices.ContainsFunc(r.Tools, func(h find.Hit) bool { return h.Tool == call.Endpoint.Name && h.DB == q.DB }) {
				tools++
			}
		}
	}
	all := float64(len(dataset.Questions))
	t.Logf("database first: %.3f, endpoint in the first 10: %.3f, answerable: %.3f", databases/all, tools/endpoints, answerable/all)
	if databases < .97*all || tools < .9*endpoints || answerable < .7*all {
		t.Errorf("database first: %.3f, endpoint in the first 10: %.3f, answerable: %.3f", databases/all, tools/endpoints, answerable/all)
	}
}

// FuzzFind asks for any text: hits are as many as may be, in the order of their scores,
// and the words that mean values are where the hits say.
func FuzzFind(f *testing.F) {
	dataset, x := sampleWithTools(f)
	for _, q := range dataset.Questions {
		f.Add(q.Text, q.Evidence, 3)
	}
	f.Add("'NaN' \"+\" -1,000 “é” L'Été à Cork; a? 2012-08-24. August 24th, 2012\n\x00\xff", "Riverside = 'Riverside'", 100)
	f.Fuzz(func(t *testing.T, text, evidence string, k int) {
		q := find.Query{Text: text, Evidence: evidence, K: k}
		r, err := x.Find(t.Context(), q)
		if err != nil {
			if !errors.Is(err, find.ErrText) && !errors.Is(err, find.ErrK) {
				t.Fatal(err)
			}
			return
		}
		if k == 0 {
			k = find.DefaultK
		}
		for _, list := range [][]find.Hit{r.Databases, r.Tables, r.Columns, r.Tools} {
			if len(list) > k || !slices.IsSortedFunc(list, func(a, b find.Hit) int { return -compare(a.Score, b.Score) }) {
				t.Fatalf("%d of %d hits, or not in their order: %+v", len(list), k, list)
			}
			for _, h := range list {
				if !(h.Score > 0) || h.Reason == "" {
					t.Fatalf("%+v", h)
				}
			}
		}
		if len(r.Values) > k || !slices.IsSortedFunc(r.Values, func(a, b find.ValueHit) int { return -compare(a.Score, b.Score) }) {
			t.Fatalf("%d of %d values, or not in their order: %+v", len(r.Values), k, r.Values)
		}
		for _, h := range r.Values {
			isText := h.Start >= 0 && strings.HasPrefix(text[min(h.Start, len(text)):], h.Span)
			if !isText && (h.Start != -1 || !strings.Contains(evidence, h.Span)) || !(h.Score > 0) {
				t.Fatalf("%+v is not in %q or %q", h, text, evidence)
			}
		}
		for _, p := range r.Parts {
			if !strings.Contains(text, p.Text) {
				t.Fatalf("the part %q is not in %q", p.Text, text)
			}
		}
		if !(r.Confidence >= 0 && r.Confidence <= 1) || r.Reason == "" {
			t.Fatalf("%v, %q", r.Confidence, r.Reason)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
