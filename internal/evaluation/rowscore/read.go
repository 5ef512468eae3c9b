package rowscore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Answer is a question of a file, with rows.
type Answer struct {
	ID       string
	DB       string
	Question string
	SQL      string // "" where the file has none
	HasRows  bool   // false where there is no answer
	Rows     [][]value.Value
	Wrong    string  // why there are no rows that can be read
	Seconds  float64 // that the answer took; 0 where the file does not say
	Line     int
}

// Kind says which rows of a file are read.
type Kind int

// The kinds.
const (
	Gold Kind = iota
	Predicted
)

// The members that are read, each the first that there is.
var (
	idNames       = []string{"QuestionID", "question_id", "id"}
	dbNames       = []string{"db_id", "db"}
	questionNames = []string{"AugmentedQuestion", "Question", "question", "utterance"}
	sqlNames      = []string{"GroundTruthSQL", "GoldSQL", "SQL", "sql", "query"}
	rowNames      = map[Kind][]string{
		Gold:      {"GroundTruthRows", "GoldRows", "Rows", "rows", "PredictedQueryRows"},
		Predicted: {"PredictedQueryRows", "PredictedRows", "Rows", "rows"},
	}
)

const timeName = "time_spent"

// Read reads a file: a JSON array, or JSON objects one behind the other. The error
// names the line.
func Read(path string, kind Kind) ([]Answer, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out, err := Parse(text, kind)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// Parse is Read of a file's content.
func Parse(text []byte, kind Kind) ([]Answer, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(text))
	isArray := bytes.HasPrefix(bytes.TrimSpace(text), []byte("["))
	if isArray {
		if _, err := d.Token(); err != nil {
			return nil, err
		}
	}
	var out []Answer
	seen := map[string]int{}
	for !isArray || d.More() {
		line := 1 + bytes.Count(text[:d.InputOffset()], []byte("\n"))
		var one json.RawMessage
		err := d.Decode(&one)
		if errors.Is(err, io.EOF) && !isArray {
			break
		}
		var a Answer
		if err == nil {
			line = 1 + bytes.Count(text[:d.InputOffset()-int64(len(one))], []byte("\n"))
			a, err = parse(one, kind)
		}
		if err == nil && seen[a.ID] > 0 {
			err = fmt.Errorf("question %s is in line %d already; keep one", a.ID, seen[a.ID])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		a.Line, seen[a.ID] = line, line
		out = append(out, a)
	}
	if len(out) == 0 {
		return nil, errors.New("there is no question in it")
	}
	return out, nil
}

// parse reads one object.
func parse(text json.RawMessage, kind Kind) (Answer, error) {
	var object tools.Arguments
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return Answer{}, errors.New("it is no JSON object")
	}
	a := Answer{ID: textOf(object, idNames), DB: textOf(object, dbNames), Question: textOf(object, questionNames), SQL: textOf(object, sqlNames)}
	if a.ID == "" {
		return a, fmt.Errorf("it has no %s", idNames[0])
	}
	if at := strings.LastIndexByte(a.ID, '.'); a.DB == "" && at > 0 {
		a.DB = a.ID[:at]
	}
	if v, ok := object.Get(timeName); ok {
		if n, isNumber := v.(json.Number); isNumber {
			a.Seconds, _ = n.Float64() // the text of a number in JSON is one
		}
	}
	for _, name := range rowNames[kind] {
		v, ok := object.Get(name)
		if !ok || v == nil {
			continue
		}
		var err error
		if a.Rows, err = rowsIn(v); err != nil {
			a.Wrong = name + ": " + err.Error()
		}
		a.HasRows = err == nil
		break
	}
	return a, nil
}

// textOf returns the first of the members that is a text or a number.
func textOf(object tools.Arguments, names []string) string {
	for _, name := range names {
		switch v, _ := object.Get(name); v := v.(type) {
		case string:
			return v
		case json.Number:
			return v.String()
		}
	}
	return ""
}

// rowsIn reads rows: a list of objects, of lists, or of values of one column; or
// one object with a list for each column. A member that only some of the objects
// have is NULL in the others.
func rowsIn(v any) ([][]value.Value, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("it is no list of rows")
	}
	if len(list) == 1 {
		if rows := byColumn(list[0]); rows != nil {
			list = rows
		}
	}
	at := map[string]int{}
	cells := make([][]any, len(list))
	width := 0
	for i, row := range list {
		switch row := row.(type) {
		case tools.Arguments:
			cells[i] = make([]any, len(at), len(at)+len(row))
			for _, c := range row {
				j, known := at[c.Name]
				if !known {
					j = len(at)
					at[c.Name] = j
					cells[i] = append(cells[i], nil)
				}
				cells[i][j] = c.Value
			}
		case []any:
			cells[i] = row
		default:
			cells[i] = []any{row}
		}
		width = max(width, len(cells[i]))
	}
	rows := make([][]value.Value, len(list))
	for i := range cells {
		rows[i] = make([]value.Value, width)
		for j, cell := range cells[i] {
			switch cell.(type) {
			case []any, tools.Arguments:
				return nil, fmt.Errorf("row %d has in column %d no single value", i+1, j+1)
			}
			var err error
			if rows[i][j], err = value.Of(cell); err != nil {
				return nil, fmt.Errorf("row %d: %w", i+1, err)
			}
		}
	}
	return rows, nil
}

// byColumn returns the rows of an object with a list for each column, as models
// write {"names": ["a", "b"]}; nil if it is none.
func byColumn(v any) []any {
	object, _ := v.(tools.Arguments)
	var rows []any
	for i, c := range object {
		list, ok := c.Value.([]any)
		if !ok || i > 0 && len(list) != len(rows) {
			return nil
		}
		if i == 0 {
			rows = make([]any, len(list))
			for j := range rows {
				rows[j] = []any{}
			}
		}
		for j, item := range list {
			row, _ := rows[j].([]any)
			rows[j] = append(row, item)
		}
	}
	return rows
}
