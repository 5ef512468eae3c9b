package scripted

import (
	"encoding/json"
	"io"
	"net/http"
)

// embed answers a request for the vectors of texts.
func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	var asked struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil || len(asked.Input) == 0 {
		refuse(w, http.StatusBadRequest, "bad_request", "the request has no texts")
		return
	}
	got := s.count(r.URL.Path, asked.Input[0], 0, true, body)
	if s.Each != nil {
		s.Each(got)
	}
	if s.fail(w, r, got.Fault) {
		return
	}
	type vector struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	answer := struct {
		Object string   `json:"object"`
		Data   []vector `json:"data"`
		Model  string   `json:"model"`
	}{Object: "list", Model: asked.Model}
	for i, text := range asked.Input {
		answer.Data = append(answer.Data, vector{"embedding", i, s.Vectors(text)})
	}
	text, err := json.Marshal(answer)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "script", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if got.Fault == Cut {
		text = text[:len(text)/2]
	}
	_, _ = w.Write(text) // a client that is gone
}
