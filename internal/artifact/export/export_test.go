package export

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// columns are those of SLOT and SEL records.
var columns = ColumnsOf(record.Slot{})

// records that are hard to keep: NULL as an answer and in one, integers beyond
// 2^53, reals, text that is not ASCII or reads like JSON or HTML, and fields
// that are left out.
var hard = []string{
	`{"query":"SELECT 1","input":"?","dataset_name":"d","sample_id":1,"gold_answer":null}`,
	`{"query":"SELECT 'é' <> \"日本\" & '\\'","input":"¿Dónde?\n🦜","dataset_name":"d","sample_id":"a-1","gold_answer":[["9007199254740993",9007199254740993,null,1.0,-9223372036854775808],[1e999,"null",[],{"blob":"00ff"}]]}`,
	`{"query":"","input":"null","dataset_name":"{}","sample_id":18446744073709551616,"gold_answer":"null","tie_dependent":true,"time_dependent":true,"as_of":"2025-01-01T00:00:00Z"}`,
	`{"gold_answer":[]}`,
}

func roundTrip(t interface{ Fatal(...any) }, f Format, columns []Column, records []json.RawMessage) []json.RawMessage {
	var b bytes.Buffer
	if err := Write(&b, f, columns, records); err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()), f, columns)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func texts(records []json.RawMessage) []string {
	var out []string
	for _, r := range records {
		out = append(out, string(r))
	}
	return out
}

func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	var records []json.RawMessage
	for _, r := range hard {
		records = append(records, json.RawMessage(r))
	}
	for _, f := range Formats() {
		if diff := cmp.Diff(hard, texts(roundTrip(t, Format(f), columns, records))); diff != "" {
			t.Errorf("%s (-written +read):\n%s", f, diff)
		}
		if got := roundTrip(t, Format(f), columns, nil); len(got) != 0 {
			t.Errorf("%s: no record becomes %s", f, got)
		}
	}
}

// The form of a list's objects.
type (
	outer struct {
		Text string  `json:"text" parquet:"text"`
		May  string  `json:"may,omitempty" parquet:"may,optional"`
		In   []inner `json:"in,omitempty" parquet:"in,list"`
	}
	inner struct {
		ID   string `json:"id" parquet:"id"`
		Deep deep   `json:"deep" parquet:"deep"`
	}
	deep struct {
		Text string `json:"text" parquet:"text"`
	}
)

// TestAnyRecordRoundTrips does the same with random cells and numbers of rows.
func TestAnyRecordRoundTrips(t *testing.T) {
	columns := []Column{{Name: "a"}, {Name: "b", Kind: Flag}, {Name: "c", Kind: JSON}, {Name: "d", Kind: JSON}, ListOf[outer]("e")}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, values *rapid.Generator[any]) cell {
			if rapid.Bool().Draw(t, label+" is left out") {
				return nil
			}
			return values.Draw(t, label)
		}
		asJSON := rapid.Custom(func(t *rapid.T) any {
			var b bytes.Buffer
			var v any = rapid.String().Draw(t, "text")
			if rapid.Bool().Draw(t, "number") {
				v = rapid.Int64().Draw(t, "n")
			}
			if err := jsontext.Append(&b, v); err != nil {
				t.Fatal(err)
			}
			return b.String()
		})
		lists := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) outer {
			return outer{
				Text: rapid.String().Draw(t, "text"), May: rapid.String().Draw(t, "may"),
				In: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) inner {
					return inner{ID: rapid.String().Draw(t, "id"), Deep: deep{rapid.String().Draw(t, "deep")}}
				}), 0, 3).Draw(t, "in"),
			}
		}), 1, 4).AsAny()
		var records []json.RawMessage
		for range rapid.IntRange(0, 3*batch).Draw(t, "rows") {
			r, err := recordOf(columns, []cell{
				draw("a", rapid.String().AsAny()), draw("b", rapid.Bool().AsAny()), draw("c", asJSON), draw("d", asJSON), draw("e", lists),
			})
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
		for _, f := range []Format{Lines, Parquet} {
			if diff := cmp.Diff(texts(records), texts(roundTrip(t, f, columns, records))); diff != "" {
				t.Fatalf("%s (-written +read):\n%s", f, diff)
			}
		}
	})
}

// TestSameBytes says that a Parquet file holds neither a clock nor a version.
func TestSameBytes(t *testing.T) {
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := Write(w, Parquet, columns, []json.RawMessage{json.RawMessage(hard[1])}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two files of the same record differ")
	}
}

// TestRepetitionCostsLittle says that a hundred records with the same list of
// tools make a Parquet file little larger than one list.
func TestRepetitionCostsLittle(t *testing.T) {
	list, err := json.Marshal(slot.Specs(tools.Definitions()))
	if err != nil {
		t.Fatal(err)
	}
	r := json.RawMessage(`{"tools":` + string(list) + `}`)
	var b bytes.Buffer
	if err := Write(&b, Parquet, columns, slices.Repeat([]json.RawMessage{r}, 100)); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 2*len(list) {
		t.Errorf("100 lists of %d bytes take %d", len(list), b.Len())
	}
}

// TestErrors lists records that do not fit, and what the error says.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:            "record 0: is no JSON object",
		`{"query":1}`:   "record 0: field query",
		`{"weather":1}`: "record 0: field weather has no column",
	} {
		for _, f := range []Format{Lines, Parquet} {
			err := Write(&bytes.Buffer{}, f, columns, []json.RawMessage{json.RawMessage(text)})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v, want %q", f, text, err, want)
			}
		}
	}
	for f, text := range map[Format]string{Array: "[", Lines: `{"gold_answer":"{"}`, Parquet: "PAR1"} {
		if _, err := Read(strings.NewReader(text), int64(len(text)), f, columns); err == nil {
			t.Errorf("%s: %q is read", f, text)
		}
	}
	if _, err := Parse("xml"); err == nil || !strings.Contains(err.Error(), "json, jsonl, parquet") {
		t.Errorf("got %v", err)
	}
}

func TestCard(t *testing.T) {
	var b bytes.Buffer
	card := Card{
		Title: "Birds: slot", Summary: "Questions, and calls that answer them.", Split: "dev", License: "cc-by-4.0", Source: "a bird list",
		Files: []string{"a.parquet", "b.parquet"}, Columns: slices.Concat(columns, []Column{ListOf[outer]("messages")}), Rows: 1200,
	}
	if err := card.Write(&b); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", CardFile), b.String())
}

// TestCardWithoutLicense says that a card states that the licence is not known.
func TestCardWithoutLicense(t *testing.T) {
	var b bytes.Buffer
	if err := (Card{Split: "questions"}).Write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "license:") || !strings.Contains(text, "those of the split `questions`. Nothing tells the licence") {
		t.Error(text)
	}
}

func TestCheckLicense(t *testing.T) {
	for name, want := range map[string]bool{
		"": true, "cc-by-sa-4.0": true, "mit": true, "gpl-3.0": true, "other": true, "c-uda": true,
		"MIT": false, "CC BY 4.0": false, "mit\nx: y": false, "-": false, "a--b": false,
	} {
		if err := CheckLicense(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}
