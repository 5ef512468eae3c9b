package chatapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// wireEmbeddings is a list of embeddings as it is received
// (https://platform.openai.com/docs/api-reference/embeddings).
type wireEmbeddings struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float64 `json:"embedding"`
	} `json:"data"`
	Error *wireError `json:"error"`
}

// Embeddings asks for the vectors of texts, in the order of the texts, all of one
// length. Errors are those of Complete.
func (c *Client) Embeddings(ctx context.Context, model string, texts []string) ([][]float32, error) {
	var body bytes.Buffer
	if err := jsontext.Append(&body, struct {
		Model  string   `json:"model"`
		Input  []string `json:"input"`
		Format string   `json:"encoding_format"`
	}{model, texts, "float"}); err != nil {
		return nil, fmt.Errorf("the request cannot be written: %w", err)
	}
	var out [][]float32
	_, err := c.post(ctx, c.base.JoinPath("embeddings"), body.Bytes(), func(data []byte, _ http.Header) (err error) {
		out, err = vectors(data, len(texts))
		return err
	})
	return out, err
}

// vectors reads so many vectors. Servers that give no index give them in order.
func vectors(body []byte, count int) ([][]float32, error) {
	var w wireEmbeddings
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}
	if w.Data == nil && w.Error != nil {
		return nil, w.Error
	}
	if len(w.Data) != count {
		return nil, fmt.Errorf("the answer has %d vectors, and %d were asked for", len(w.Data), count)
	}
	out := make([][]float32, count)
	for i, d := range w.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		switch {
		case at < 0 || at >= count || out[at] != nil:
			return nil, errors.New("the answer's vectors have other numbers than the texts")
		case len(d.Embedding) == 0:
			return nil, errors.New("the answer has a vector without numbers")
		case len(d.Embedding) != len(w.Data[0].Embedding):
			return nil, fmt.Errorf("the answer has vectors of %d and of %d numbers", len(w.Data[0].Embedding), len(d.Embedding))
		}
		out[at] = make([]float32, len(d.Embedding))
		for j, x := range d.Embedding {
			if math.Abs(x) > math.MaxFloat32 {
				return nil, errors.New("the answer has a number that is too large")
			}
			out[at][j] = float32(x)
		}
	}
	return out, nil
}
