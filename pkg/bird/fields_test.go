package bird

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestFields lists records with additional fields, and the warnings about names that
// resemble those of readable fields.
func TestFields(t *testing.T) {
	for _, c := range []struct{ name, record, want string }{
		{"BIRD", `{"question_id": 0, "db_id": "a", "question": "?", "evidence": "", "SQL": "SELECT 1", "difficulty": "simple"}`, ""},
		{"BIRD train", `{"db_id": "a", "question": "?", "evidence": "", "SQL": "SELECT 1"}`, ""},
		{"Spider", `{"db_id": "a", "query": "SELECT 1", "query_toks": ["SELECT"], "query_toks_no_value": ["select"], "question": "?", "question_toks": ["?"], "sql": {"from": {}, "select": []}}`, ""},
		{"SParC", `{"db_id": "a", "question": "?", "query": "SELECT 1", "interaction": [], "final": {}, "database_id": "a", "utterance": "?"}`, ""},
		{"a plain one", `{"id": "q", "db": "a", "question": "?", "sql": "SELECT 1", "tags": ["x"], "source": "us", "score": 1, "answer": [[1]]}`, ""},
		{"evidnce", `{"question_id": 0, "db_id": "a", "question": "?", "evidnce": "x", "SQL": "SELECT 1"}`, `has a field "evidnce", which is not read; did you mean evidence?`},
		{"both", `{"question_id": 0, "db_id": "a", "question": "?", "evidence": "x", "evidences": "y", "SQL": "SELECT 1"}`, ""},
		{"Difficulty", `{"question_id": 0, "db_id": "a", "question": "?", "Difficulty": "hard", "SQL": "SELECT 1"}`, "did you mean difficulty?"},
		{"questionid", `{"questionid": 7, "db_id": "a", "question": "?", "SQL": "SELECT 1"}`, "did you mean question_id?"},
		{"an id", `{"id": 7, "questionid": 7, "db_id": "a", "question": "?", "SQL": "SELECT 1"}`, ""},
	} {
		files := fstest.MapFS{
			"questions.jsonl": {Data: []byte(c.record + "\n" + strings.Replace(strings.Replace(c.record, ": 0", ": 1", 1), `"id": "q"`, `"id": "r"`, 1) + "\n")},
			"a.sqlite":        {Data: []byte("SQLite")},
		}
		if strings.Contains(c.record, ": 7") {
			files["questions.jsonl"].Data = []byte(c.record)
		}
		d, err := Load(Options{FS: files})
		if err != nil {
			t.Fatal(c.name, err)
		}
		var got []string
		for _, w := range d.Warnings {
			got = append(got, w.String())
		}
		if text := strings.Join(got, "\n"); !strings.Contains(text, c.want) || (len(got) == 0) != (c.want == "") || len(got) > 1 {
			t.Errorf("%s: got %q, want %q once", c.name, got, c.want)
		}
	}
	_, err := Load(Options{FS: fstest.MapFS{"questions.jsonl": {Data: []byte(`{"db_id": "a", "questoin": "?", "SQL": "SELECT 1"}`)}, "a.sqlite": {}}})
	if err == nil || !strings.Contains(err.Error(), `it has no text called question, but one called "questoin"`) {
		t.Errorf("a question that is misspelt: %v", err)
	}
}
