package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxBatch is how many messages a list of them may have.
const maxBatch = 100

// batchless is the version of the protocol since which there are no lists of messages.
const batchless = "2025-06-18"

// inOrder answers lists of messages, which old versions of the protocol have, one
// message after the other. The SDK runs them in any order, so that results would get
// the labels of others.
func inOrder(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.Header.Get("Mcp-Protocol-Version") >= batchless {
			next.ServeHTTP(w, r)
			return
		}
		body := bufio.NewReader(r.Body)
		if first, err := skipSpace(body); err != nil || first != '[' {
			r.Body = struct {
				io.Reader
				io.Closer
			}{body, r.Body}
			next.ServeHTTP(w, r)
			return
		}
		text, err := io.ReadAll(http.MaxBytesReader(w, io.NopCloser(body), mcp.DefaultMaxRequestBodyBytes))
		var list []json.RawMessage
		switch long := (*http.MaxBytesError)(nil); {
		case errors.As(err, &long):
			http.Error(w, fmt.Sprintf("the body has more than %d bytes", long.Limit), http.StatusRequestEntityTooLarge)
		case err != nil:
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
		case !json.Valid(text):
			answerBatch(w, http.StatusBadRequest, refusal(jsonrpc.CodeParseError, "the body is no JSON"))
		case json.Unmarshal(text, &list) != nil || len(list) == 0 || len(list) > maxBatch:
			answerBatch(w, http.StatusBadRequest, refusal(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a list of messages has 1 to %d of them", maxBatch)))
		default:
			serveBatch(w, r, list, next)
		}
	})
}

// skipSpace reads the space before a text and returns the byte after it, which is left
// to be read.
func skipSpace(r *bufio.Reader) (byte, error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, r.UnreadByte()
		}
	}
}

// serveBatch answers the messages of a list. What a request is refused for as a whole,
// such as its host, is answered once.
func serveBatch(w http.ResponseWriter, r *http.Request, list []json.RawMessage, next http.Handler) {
	var answers [][]byte
	for _, text := range list {
		if _, wrong := messageOf(text); wrong != nil {
			answers = append(answers, wrong)
			continue
		}
		one := r.Clone(r.Context())
		one.Body, one.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		got := httptest.NewRecorder()
		next.ServeHTTP(got, one)
		switch answer := bytes.TrimSpace(got.Body.Bytes()); {
		case got.Code < 300 && len(answer) == 0: // a notification
		case got.Code < 300, got.Code == http.StatusBadRequest && json.Valid(answer):
			answers = append(answers, answer)
		case got.Code == http.StatusBadRequest:
			answers = append(answers, refusal(jsonrpc.CodeInvalidRequest, string(answer)))
		default:
			for name, values := range got.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(got.Code)
			_, _ = w.Write(got.Body.Bytes()) // which fails where the client has left
			return
		}
	}
	if len(answers) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answerBatch(w, http.StatusOK, append(append([]byte{'['}, bytes.Join(answers, []byte{','})...), ']'))
}

// answerBatch writes JSON.
func answerBatch(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // which fails where the client has left
}
