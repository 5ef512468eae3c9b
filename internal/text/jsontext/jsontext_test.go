package jsontext

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMarshal(t *testing.T) {
	v := map[string]any{"sql": "a < b & c > d", "name": "Märchen"}
	for indent, want := range map[string]string{
		"":   `{"name":"Märchen","sql":"a < b & c > d"}`,
		"  ": "{\n  \"name\": \"Märchen\",\n  \"sql\": \"a < b & c > d\"\n}",
	} {
		if got, err := Marshal(v, indent); err != nil || string(got) != want {
			t.Errorf("got %s, %v", got, err)
		}
	}
	if _, err := Marshal(func() {}, ""); err == nil {
		t.Error("a function is JSON")
	}
}

func TestObject(t *testing.T) {
	got, err := Object(struct {
		Enum []int64 `json:"enum"`
	}{[]int64{9007199254740993}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"enum": []any{json.Number("9007199254740993")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Object([]int{1}); err == nil {
		t.Error("a list is an object")
	}
}
