package chatapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/retry"
)

// The errors that callers distinguish, with errors.Is.
var (
	// ErrContextLength is about one request.
	ErrContextLength = errors.New("the text is longer than the model reads")
	// ErrUnauthorized and ErrNotFound are about all requests.
	ErrUnauthorized = errors.New("the endpoint refuses the key, or has none")
	ErrNotFound     = errors.New("the endpoint knows no such model or path")
)

// wireError is what endpoints say is wrong.
type wireError struct {
	Message text `json:"message"`
	Code    text `json:"code"`
	Type    text `json:"type"`
}

func (e *wireError) Error() string { return string(e.Message) }

// UnmarshalJSON reads an object, or a text that says it all.
func (e *wireError) UnmarshalJSON(data []byte) error {
	type fields wireError
	if err := json.Unmarshal(data, (*fields)(e)); err == nil {
		return nil
	}
	return e.Message.UnmarshalJSON(data)
}

// tooLong matches what servers say of a text that is too long, in the code, the
// type or the message.
var tooLong = regexp.MustCompile(`(?i)context.?(length|window|size)|prompt is too long|max_new_tokens.{0,3} must be|too many tokens`)

func (e *wireError) isTooLong() bool {
	return tooLong.MatchString(string(e.Code) + "\n" + string(e.Type) + "\n" + string(e.Message))
}

// maxMessage bounds the bytes that an error repeats of what an endpoint said.
const maxMessage = 300

// refusal returns the error of an answer with another status than 2xx, and
// whether the same request may fare better later.
func (c *Client) refusal(res *http.Response, body []byte) (err error, again bool) {
	said := messageOf(body)
	status := fmt.Sprintf("%d %s", res.StatusCode, http.StatusText(res.StatusCode))
	if short := c.show(string(said.Message)); short != "" {
		status += ": " + short
	}
	switch code := res.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("%w; put it into the environment variable that %s names (%s)", ErrUnauthorized, c.opts.Flags.Key, status), false
	case code == http.StatusNotFound:
		return fmt.Errorf("%w; see %s and %s (%s)", ErrNotFound, c.opts.Flags.Model, c.opts.Flags.Address, status), false
	case retry.Status(code) || code == http.StatusConflict:
		return errors.New(status), true
	case code >= 300 && code < 400:
		to := "elsewhere"
		if at, err := res.Location(); err == nil && at.Host != "" {
			to = "to " + at.Scheme + "://" + at.Host
		}
		return fmt.Errorf("%s: the endpoint redirects %s, which is not followed; give the right %s", status, c.show(to), c.opts.Flags.Address), false
	case said.isTooLong():
		return fmt.Errorf("%w (%s)", ErrContextLength, status), false
	}
	return errors.New(status), false
}

// messageOf reads what an endpoint says is wrong: an error in JSON, or any text.
func messageOf(body []byte) wireError {
	var w struct {
		Error   *wireError `json:"error"`
		Message text       `json:"message"` // of servers without "error"
		Detail  text       `json:"detail"`
	}
	if err := json.Unmarshal(body, &w); err == nil {
		switch {
		case w.Error != nil:
			return *w.Error
		case w.Message != "":
			return wireError{Message: w.Message}
		case w.Detail != "":
			return wireError{Message: w.Detail}
		}
	}
	return wireError{Message: text(body)}
}

// show returns the start of a text in one line and without the key.
func (c *Client) show(s string) string {
	s = strings.Join(strings.Fields(c.redact(strings.ToValidUTF8(s, "?"))), " ")
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + "…"
	}
	return s
}

// placeholder stands for the key in texts.
const placeholder = "[key]"

// redact takes the key out of a text.
func (c *Client) redact(s string) string {
	if c.key == "" {
		return s
	}
	s = strings.ReplaceAll(s, c.key, placeholder)
	if quoted, err := json.Marshal(c.key); err == nil {
		s = strings.ReplaceAll(s, strings.Trim(string(quoted), `"`), placeholder)
	}
	return s
}
