package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// Request is one request that a server got.
type Request struct {
	Path     string // of the URL
	Question string // "" where the script has none
	Turn     int    // counted from 0
	Attempt  int    // at this turn, counted from 1
	Fault    Fault
	Body     []byte
}

// Server answers by a script. It serves any path that ends in /chat/completions and,
// with Vectors, any that ends in /embeddings.
type Server struct {
	Script *Script
	// Vectors returns the vector of a text. The question of such a request is its
	// first text.
	Vectors func(text string) []float64
	Plan    Plan // nil for no faults
	// Elsewhere is where Redirect leads to.
	Elsewhere string
	// Each, if there is one, is called with each request before it is answered.
	Each func(Request)

	mu       sync.Mutex
	log      []Request
	attempts map[turnOf]int
}

// turnOf is a turn of the dialogue about a question.
type turnOf struct {
	question string
	turn     int
}

// Log returns the requests so far, in the order in which they came.
func (s *Server) Log() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// maxRequest bounds the bytes of a request.
const maxRequest = 64 << 20

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Birdcall-Simulated", "scripted")
	if s.Vectors != nil && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/embeddings") {
		s.embed(w, r)
		return
	}
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		refuse(w, http.StatusNotFound, "not_found", "this server only knows POST .../chat/completions")
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	var asked struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "bad_request", "the request cannot be read: "+err.Error())
		return
	}
	got := s.record(r.URL.Path, asked.Messages, body)
	if s.Each != nil {
		s.Each(got)
	}
	if got.Question == "" {
		refuse(w, http.StatusBadRequest, "unknown_question", "the script has no answer to this question")
		return
	}
	if !s.fail(w, r, got.Fault) {
		s.answer(w, asked.Model, body, got)
	}
}

// record logs a request and draws its fault.
func (s *Server) record(path string, messages []message, body []byte) Request {
	question, turn, known := s.Script.find(messages)
	return s.count(path, question, turn, known, body)
}

// count logs a request about a question and draws its fault.
func (s *Server) count(path, question string, turn int, known bool, body []byte) Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attempts == nil {
		s.attempts = map[turnOf]int{}
	}
	at := turnOf{question, turn}
	s.attempts[at]++
	got := Request{Path: path, Question: question, Turn: turn, Attempt: s.attempts[at], Body: body}
	if known && s.Plan != nil {
		got.Fault = s.Plan(question, turn, got.Attempt)
	}
	s.log = append(s.log, got)
	return got
}

// fail answers with a fault that leaves no answer, and reports whether it did.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, f Fault) bool {
	switch f {
	case ContextLength:
		refuse(w, http.StatusBadRequest, "context_length_exceeded", "This model's maximum context length is 8192 tokens.")
	case BadRequest:
		refuse(w, http.StatusBadRequest, "invalid_request_error", "this request is not understood")
	case Unauthorized:
		refuse(w, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided: "+r.Header.Get("Authorization"))
	case NotFound:
		refuse(w, http.StatusNotFound, "model_not_found", "the model does not exist")
	case RateLimited:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "too many requests")
	case ServerError:
		refuse(w, http.StatusInternalServerError, "server_error", "something went wrong")
	case Redirect:
		http.Redirect(w, r, s.Elsewhere, http.StatusTemporaryRedirect)
	case Slow:
		<-r.Context().Done()
	case NotJSON:
		fmt.Fprint(w, "<html>Bad gateway</html>")
	default:
		return false
	}
	return true
}

// refuse answers with an error in OpenAI's form.
func refuse(w http.ResponseWriter, status int, code, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": text, "code": code, "type": code}})
}

// completion is a chat completion.
type completion struct {
	ID      string   `json:"id,omitempty"`
	Object  string   `json:"object"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index   int    `json:"index"`
	Message reply  `json:"message"`
	Finish  string `json:"finish_reason"`
}

type reply struct {
	Role      string           `json:"role"`
	Content   *string          `json:"content"`
	Reasoning string           `json:"reasoning_content,omitempty"`
	ToolCalls []map[string]any `json:"tool_calls,omitempty"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// answer answers with what the script has, changed by the fault.
func (s *Server) answer(w http.ResponseWriter, model string, body []byte, got Request) {
	e := s.Script.answer(got.Question, got.Turn)
	c := completion{ID: "chatcmpl-scripted", Object: "chat.completion", Model: model, Usage: tokens(body, e)}
	message := reply{Role: "assistant", Content: &e.Content, Reasoning: e.Reasoning}
	if len(e.ToolCalls) > 0 {
		if err := json.Unmarshal(e.ToolCalls, &message.ToolCalls); err != nil {
			refuse(w, http.StatusBadRequest, "script", "the script's tool_calls are no list of objects")
			return
		}
	}
	finish := "stop"
	if len(message.ToolCalls) > 0 {
		finish = "tool_calls"
	}
	switch got.Fault {
	case NullContent:
		message.Content = nil
	case NoUsage:
		c.Usage = nil
	case NoIDs:
		c.ID = ""
		for _, call := range message.ToolCalls {
			delete(call, "id")
		}
	case BrokenArguments:
		breakArguments(message.ToolCalls)
	case Length:
		half := e.Content[:len(e.Content)/2]
		message.Content, finish = &half, "length"
	case ContentFilter:
		finish = "content_filter"
	}
	if c.Choices = []choice{{Message: message, Finish: finish}}; got.Fault == NoChoices {
		c.Choices = []choice{}
	}
	var out bytes.Buffer
	if err := jsontext.Append(&out, c); err != nil {
		refuse(w, http.StatusInternalServerError, "script", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(out.Len()))
	if got.Fault == Cut { // fewer bytes than were promised
		_, _ = w.Write(out.Bytes()[:out.Len()/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(out.Bytes())
}

// breakArguments leaves away the second half of the arguments.
func breakArguments(calls []map[string]any) {
	for _, call := range calls {
		if f, ok := call["function"].(map[string]any); ok {
			if text, ok := f["arguments"].(string); ok {
				f["arguments"] = text[:len(text)/2]
			}
		}
	}
}

// tokens estimates a count of tokens: four bytes are one.
func tokens(body []byte, e Entry) *usage {
	u := &usage{Prompt: len(body) / 4, Completion: (len(e.Content) + len(e.ToolCalls)) / 4}
	u.Total = u.Prompt + u.Completion
	return u
}
