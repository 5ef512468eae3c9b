package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The kinds of problems of predictions.
const (
	kindUnreadable = "unreadable prediction"
	kindField      = "unknown field"
	kindNoID       = "prediction without sample_id"
	kindStranger   = "prediction for no sample"
	kindAmbiguous  = "prediction for several samples"
	kindTwice      = "two predictions for one sample"
)

// ReadPredictions reads a file of predictions: JSON lines, or one JSON array. A
// prediction is a Prediction, a chat completion with a sample_id, or a
// line of the code of Elder et al. What cannot be used is a Problem with its
// place. The error is that of the file.
func ReadPredictions(path string) ([]Prediction, []Problem, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; give a file of what a model answered, as JSON lines or a JSON array", err)
	}
	r := &predictionReader{file: path, reported: map[string]bool{}}
	if err := r.read(text); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return r.out, r.problems, nil
}

type predictionReader struct {
	file     string
	out      []Prediction
	problems []Problem
	reported map[string]bool // the names of misspelt fields
}

func (r *predictionReader) read(text []byte) error {
	if trimmed := bytes.TrimLeft(text, " \t\r\n\ufeff"); len(trimmed) > 0 && trimmed[0] == '[' {
		return r.array(text)
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.one(line, i+1)
		}
	}
	return nil
}

// array reads the elements of an array, and counts lines for messages.
func (r *predictionReader) array(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	line, counted := 1, int64(0)
	for d.More() {
		var one json.RawMessage
		if err := d.Decode(&one); err != nil {
			return fmt.Errorf("the array of predictions: %w", err)
		}
		begin := d.InputOffset() - int64(len(one))
		line += bytes.Count(text[counted:begin], []byte("\n"))
		counted = begin
		r.one(one, line)
	}
	if _, err := d.Token(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (r *predictionReader) problem(line int, kind, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// written is a prediction as files have it: in this package's fields, then those
// of a chat completion, then those of the code of Elder et al.
type written struct {
	Prediction
	Calls     json.RawMessage `json:"calls"`
	Message   json.RawMessage `json:"message"`
	Answer    json.RawMessage `json:"answer"`
	Choices   []choice        `json:"choices"`
	ToolCalls json.RawMessage `json:"tool_calls"`

	GeneratedText *string  `json:"generated_text"`
	Dataset       string   `json:"dataset_name"`
	ModelID       string   `json:"llm_model_id"`
	IsAgent       bool     `json:"is_agent"`
	Parsed        []string `json:"predicted_function_calls"`
	Errors        *int     `json:"num_preciedtion_parsing_errors"`
}

type choice struct {
	Message json.RawMessage `json:"message"`
	Finish  string          `json:"finish_reason"`
}

// ignored are fields that files may have and that say nothing of what a model
// answered.
var ignored = []string{
	// of a chat completion
	"id", "object", "created", "system_fingerprint", "service_tier", "index", "logprobs", "finish_reason",
	// of the code of Elder et al.
	"input", "output", "gold_answer", "initialization_step", "messages", "tools", "source_file_path", "temperature", "max_tokens",
	"gold_function_calls", "predicted_answer", "metadata", "query", "ignore",
}

// read are the names of all fields that are read.
var read = func() []string {
	var out []string
	for _, t := range []reflect.Type{reflect.TypeFor[written](), reflect.TypeFor[Prediction]()} {
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
				out = append(out, name)
			}
		}
	}
	return out
}()

func (r *predictionReader) one(text []byte, line int) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		r.problem(line, kindUnreadable, "it is no JSON object: %v", err)
		return
	}
	var w written
	if usage, ok := fields["usage"]; ok && fields["choices"] != nil {
		// A completion's own usage has other fields.
		w.Usage = usageOf(usage)
		delete(fields, "usage")
		text = []byte(jsonText(fields))
	}
	usage := w.Usage
	if err := json.Unmarshal(text, &w); err != nil {
		r.problem(line, kindUnreadable, "%v", err)
		return
	}
	if usage != nil {
		w.Usage = usage
	}
	r.misspelt(fields, line)
	p := w.Prediction
	p.File, p.Line = r.file, line
	if fields["sample_id"] == nil {
		r.problem(line, kindNoID, "give the id of the sample that it is for")
		return
	}
	if err := w.into(&p); err != nil {
		r.problem(line, kindUnreadable, "sample %s: %v", p.ID, err)
		return
	}
	r.out = append(r.out, p)
}

// misspelt reports fields that are not read, but have nearly the name of one that is
// and that the prediction has not: once for each name in a file. Predictions may have
// fields of whoever wrote them, which are none.
func (r *predictionReader) misspelt(fields map[string]json.RawMessage, line int) {
	absent := slices.DeleteFunc(slices.Clone(read), func(name string) bool { return fields[name] != nil })
	for _, name := range sortedKeys(fields) {
		if r.reported[name] || slices.Contains(read, name) || slices.Contains(ignored, name) {
			continue
		}
		if near, ok := spelling.Nearest(name, absent); ok {
			r.reported[name] = true
			r.problem(line, kindField, "%q is none of the fields that are read; did you mean %q?", name, near)
		}
	}
}

// into reads the answer of a prediction in whichever form it is.
func (w *written) into(p *Prediction) error {
	if p.DB == "" {
		p.DB = w.Dataset
	}
	if p.Model == "" {
		p.Model = w.ModelID
	}
	if p.Mode == "" && w.IsAgent {
		p.Mode = ReAct
	}
	if p.Status == "" {
		p.Status = Answered
	}
	_ = json.Unmarshal(w.Answer, &p.Answer) // one that is no text is shown nowhere
	if len(w.Choices) > 0 {
		w.Message, p.Finish = w.Choices[0].Message, w.Choices[0].Finish
	}
	if w.GeneratedText != nil {
		p.Text = *w.GeneratedText
	}
	switch {
	case w.Errors != nil: // that code has read the text before
		raw := []any{}
		for _, text := range w.Parsed {
			v, err := plain(json.RawMessage(text))
			if err != nil {
				return fmt.Errorf("predicted_function_calls: %w", err)
			}
			raw = append(raw, v)
		}
		p.raw, p.Text = raw, ""
	case w.Message != nil:
		m, err := messageOf(w.Message)
		p.Message = m
		return err
	case w.ToolCalls != nil && string(w.ToolCalls) != "null":
		m, err := messageOf([]byte(`{"content":` + jsonText(p.Text) + `,"tool_calls":` + string(w.ToolCalls) + `}`))
		p.Message = m
		return err
	case w.Calls != nil:
		v, err := plain(w.Calls)
		list, ok := v.([]any)
		if err != nil || !ok {
			return fmt.Errorf("calls is no list of calls")
		}
		p.raw = list
	}
	return nil
}

// messageOf reads a message of a chat completion. Arguments may be an object or a
// text.
func messageOf(text json.RawMessage) (*Message, error) {
	var m struct {
		Content   json.RawMessage `json:"content"`
		Reasoning string          `json:"reasoning_content"`
		ToolCalls []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("the message: %w", err)
	}
	out := &Message{Content: contentOf(m.Content), Reasoning: m.Reasoning}
	for _, c := range m.ToolCalls {
		one := ToolCall{ID: c.ID}
		one.Function.Name = c.Function.Name
		if json.Unmarshal(c.Function.Arguments, &one.Function.Arguments) != nil {
			one.Function.Arguments = string(c.Function.Arguments)
		}
		out.ToolCalls = append(out.ToolCalls, one)
	}
	return out, nil
}

// contentOf returns the text of a message: a text, null, or a list of parts.
func contentOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts) // another form has no text
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// usageOf reads the usage of a chat completion.
func usageOf(text json.RawMessage) *Usage {
	u := &Usage{Requests: 1, Attempts: 1}
	_ = json.Unmarshal(text, u) // null is no usage
	return u
}

func sortedKeys(m map[string]json.RawMessage) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// assign finds the sample of each prediction. The first of several for one sample
// counts.
func (d *Dataset) assign(predictions []Prediction) (of map[*Sample]*Prediction, problems []Problem) {
	byKey, byID := d.byKeys()
	of = map[*Sample]*Prediction{}
	for i := range predictions {
		p := &predictions[i]
		say := func(kind, format string, args ...any) {
			problems = append(problems, Problem{File: p.File, Line: p.Line, Kind: kind, Text: fmt.Sprintf(format, args...)})
		}
		s, isID := byKey[p.DB+"/"+p.ID.String()], false
		if s == nil && p.DB == "" {
			s, isID = byID[p.ID.String()]
		}
		switch {
		case s == nil && isID:
			say(kindAmbiguous, "several databases have a sample %s; give its db_id", p.ID)
		case s == nil:
			say(kindStranger, "the dataset has no sample %s", key(p.DB, p.ID))
		case of[s] != nil:
			say(kindTwice, "sample %s has one on line %d, which is scored", s.Key(), of[s].Line)
		default:
			of[s] = p
		}
	}
	return of, problems
}

func key(db string, id bird.ID) string {
	if db == "" {
		return id.String()
	}
	return db + "/" + id.String()
}

// GoldPrediction returns the gold calls as a prediction, in the names of the sample's list.
func (s *Sample) GoldPrediction() Prediction {
	return Prediction{DB: s.DB, ID: s.ID, Status: Answered, Mode: Direct, Calls: append([]tools.Call{}, s.Listed...)}
}
