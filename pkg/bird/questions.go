package bird

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// readQuestions decodes a question file record by record, so that an error names its
// record. name is for messages. A record that repeats an earlier record with the same
// id is left out, with a warning: BIRD Mini-Dev has such records.
func readQuestions(name string, data []byte) ([]Question, []Warning, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	records := arrayRecords
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] == '{' {
		records = lineRecords
	}
	var questions []Question
	var warnings []Warning
	warned := map[string]bool{} // fields
	ids := map[string]int{}     // which of the questions has the id
	read := 0
	err := records(data, func(i int, record json.RawMessage) error {
		q, odd, err := question(record, i)
		if err != nil {
			return err
		}
		read++
		for _, o := range odd {
			if !warned[o.name] {
				warned[o.name] = true
				warnings = append(warnings, Warning{File: name, Text: fmt.Sprintf("record %d (the first is 0) has a field %q, which is not read; did you mean %s?", i, o.name, o.near)})
			}
		}
		q.File = baseName(name)
		if at, ok := ids[q.ID.String()]; ok {
			first := questions[at]
			if !q.repeats(first) {
				return fmt.Errorf("%w: %s is also the id of record %d, which says something else", ErrDuplicateID, q.ID, first.Record)
			}
			warnings = append(warnings, Warning{File: name, Text: fmt.Sprintf("record %d says the same as record %d (the first is 0), question %s, and is left out", i, first.Record, q.ID)})
			return nil
		}
		ids[q.ID.String()] = len(questions)
		questions = append(questions, q)
		return nil
	})
	if err != nil {
		e := &Error{Op: "read", File: name, Record: read, Err: err, Hint: "correct the record or remove it"}
		if errors.Is(err, ErrDuplicateID) {
			e.Record, e.Hint = read-1, "give every question an id of its own, or none"
		}
		return nil, nil, e
	}
	return questions, warnings, nil
}

// repeats reports whether a question differs from another in its place in the file only.
func (q Question) repeats(other Question) bool {
	q.Record = other.Record
	return q == other
}

// arrayRecords calls f for every element of a JSON array.
func arrayRecords(data []byte, f func(i int, record json.RawMessage) error) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if start, err := decoder.Token(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	} else if start != json.Delim('[') {
		return fmt.Errorf("the file starts with %v, not with [", start)
	}
	for i := 0; decoder.More(); i++ {
		var record json.RawMessage
		if err := decoder.Decode(&record); err != nil {
			return fmt.Errorf("%w: %w", ErrRecord, err)
		}
		if err := f(i, record); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("the file is cut off: %w", err)
	}
	return nil
}

// lineRecords calls f for every line that is not blank.
func lineRecords(data []byte, f func(i int, record json.RawMessage) error) error {
	i := 0
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if err := f(i, line); err != nil {
			return err
		}
		i++
	}
	return nil
}

// odd is a field of a record that is not read, but whose name resembles that of a
// readable field that the record lacks.
type odd struct{ name, near string }

// optional are the fields that records need not have.
var optional = []string{"question_id", "evidence", "difficulty"}

// foreign are fields of Spider that are not read.
var foreign = []string{"query_toks", "query_toks_no_value", "question_toks"}

// oddOf returns the odd fields of a record, by name. A dataset's own additional fields
// are not odd.
func oddOf(fields map[string]json.RawMessage) []odd {
	absent := slices.DeleteFunc(slices.Clone(optional), func(name string) bool {
		return fields[name] != nil || name == "question_id" && fields["id"] != nil
	})
	var out []odd
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if near, ok := spelling.Nearest(name, absent); ok && !slices.Contains(foreign, name) {
			out = append(out, odd{name, near})
		}
	}
	return out
}

// question returns the question of record i.
func question(record json.RawMessage, i int) (Question, []odd, error) {
	q, fields, err := questionOf(record, i)
	if err != nil {
		return q, nil, err
	}
	return q, oddOf(fields), nil
}

func questionOf(record json.RawMessage, i int) (Question, map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(record, &fields); err != nil {
		return Question{}, nil, fmt.Errorf("%w: %w", ErrRecord, err)
	}
	q := Question{ID: Number(i), Record: i}
	for _, name := range []string{"question_id", "id"} {
		raw, ok := fields[name]
		if !ok || string(raw) == "null" {
			continue
		}
		if err := q.ID.UnmarshalJSON(raw); err != nil {
			return Question{}, nil, fmt.Errorf("%w: %w", ErrRecord, err)
		}
		break
	}
	for _, field := range []struct {
		to       *string
		required bool
		names    []string
	}{
		{&q.Text, true, []string{"question"}},
		{&q.SQL, true, []string{"SQL", "sql", "query"}},
		{&q.DB, true, []string{"db_id", "db"}},
		{&q.Evidence, false, []string{"evidence"}},
		{&q.Difficulty, false, []string{"difficulty"}},
	} {
		*field.to = text(fields, field.names)
		if field.required && strings.TrimSpace(*field.to) == "" {
			return Question{}, nil, fmt.Errorf("%w: it has no text called %s%s", ErrRecord, strings.Join(field.names, " or "), misspelt(fields, field.names))
		}
	}
	if !isName(q.DB) {
		return Question{}, nil, fmt.Errorf("%w: its database %q has a character that file names have not", ErrRecord, q.DB)
	}
	return q, fields, nil
}

// misspelt returns the field that is probably a misspelling of one of these names, or
// "".
func misspelt(fields map[string]json.RawMessage, names []string) string {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if _, ok := spelling.Nearest(name, names); ok && !slices.Contains(names, name) {
			return fmt.Sprintf(", but one called %q", name)
		}
	}
	return ""
}

// isName reports whether a database's id can be part of a file name, and is not a path.
// The names of files that are read and written contain it.
func isName(id string) bool {
	return id != "." && id != ".." && !strings.ContainsFunc(id, func(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) })
}

// text returns the first of the named fields that is a string. In Spider, "query" has
// the text of the SQL and "sql" an object.
func text(fields map[string]json.RawMessage, names []string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(fields[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}
