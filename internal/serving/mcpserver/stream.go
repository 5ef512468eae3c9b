package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bounds of what one client may send over a stream.
const (
	maxLine    = mcp.DefaultMaxLineLength // bytes of a line
	maxWaiting = 1000                     // requests without an answer; no more are read before
)

// stream is a transport over a client's input and output, a message a line. The SDK's
// own ends at the first line that is no message, drops what is being answered when
// the input ends, as it does at once where a file is the input, and runs calls in any
// order. Here such a line is answered, the input ends when all requests are answered,
// and calls that share results run in the order in which they came.
type stream struct {
	in      io.Reader
	out     io.Writer
	inOrder bool // whether calls share results

	room   chan struct{} // holds an element for each request without an answer
	wake   chan struct{} // has an element when there may be something to read
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex
	ready   []jsonrpc.Message     // for the server to read
	held    []*jsonrpc.Request    // calls that wait for those before them
	running jsonrpc.ID            // the call that runs; not valid if none does
	waiting map[jsonrpc.ID]*batch // the requests without an answer; nil for one by itself
	ended   bool                  // whether the input has
	failed  error
}

// batch is the answers to a list of messages, which is answered by a list.
type batch struct {
	answers [][]byte
	left    int                // requests without an answer
	places  map[jsonrpc.ID]int // of their answers
}

// Connect begins to read.
func (s *stream) Connect(context.Context) (mcp.Connection, error) {
	s.room, s.wake, s.closed = make(chan struct{}, maxWaiting), make(chan struct{}, 1), make(chan struct{})
	s.waiting = map[jsonrpc.ID]*batch{}
	go s.scan()
	return s, nil
}

// SessionID returns nothing: one stream is one session.
func (s *stream) SessionID() string { return "" }

// Close lets the connection go. Input and output are the caller's.
func (s *stream) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

// scan reads the input to its end.
func (s *stream) scan() {
	r := bufio.NewReaderSize(s.in, 64<<10)
	for {
		line, long, err := readLine(r)
		switch {
		case long:
			s.refuse(refusal(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line has more than %d bytes; write shorter messages", maxLine)))
		case len(line) > 0:
			s.take(line)
		}
		if err != nil {
			s.mu.Lock()
			s.ended = true
			if !errors.Is(err, io.EOF) {
				s.failed = err
			}
			s.mu.Unlock()
			s.notify()
			return
		}
		select {
		case <-s.closed:
			return
		default:
		}
	}
}

// readLine reads a line without its end and the space around it, or leaves out one
// that is too long.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// take hands a line to the server, or answers what is wrong with it.
func (s *stream) take(line []byte) {
	var list []json.RawMessage
	switch {
	case !json.Valid(line):
		s.refuse(refusal(jsonrpc.CodeParseError, "the line is no JSON; write each message as JSON on a line of its own"))
	case line[0] != '[':
		m, wrong := s.messageOf(line, nil)
		if wrong != nil {
			s.refuse(wrong)
			return
		}
		s.hand(m, nil)
	case json.Unmarshal(line, &list) != nil || len(list) == 0 || len(list) > maxBatch:
		s.refuse(refusal(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a list of messages has 1 to %d of them", maxBatch)))
	default:
		s.takeAll(list)
	}
}

// takeAll hands a list of messages to the server.
func (s *stream) takeAll(list []json.RawMessage) {
	b := &batch{places: map[jsonrpc.ID]int{}}
	var messages []jsonrpc.Message
	for _, text := range list {
		m, wrong := s.messageOf(text, b.places)
		if wrong != nil {
			b.answers = append(b.answers, wrong)
			continue
		}
		messages = append(messages, m)
		if id, ok := asks(m); ok {
			b.places[id] = len(b.answers)
			b.answers = append(b.answers, nil)
			b.left++
		}
	}
	if b.left == 0 && len(b.answers) > 0 {
		s.refuse(b.text())
	}
	for _, m := range messages {
		s.hand(m, b)
	}
}

// asks returns the id of a request, and whether a message is one.
func asks(m jsonrpc.Message) (jsonrpc.ID, bool) {
	request, ok := m.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return jsonrpc.ID{}, false
	}
	return request.ID, true
}

// messageOf reads a message, or returns the answer to what is none, or has an id that
// an earlier request has, or one of those given.
func (s *stream) messageOf(text []byte, given map[jsonrpc.ID]int) (jsonrpc.Message, []byte) {
	m, wrong := messageOf(text)
	if id, ok := asks(m); ok {
		if _, taken := given[id]; taken || s.isTaken(id) {
			return nil, refusal(jsonrpc.CodeInvalidRequest, "another request of the same id is not answered yet")
		}
	}
	return m, wrong
}

// isTaken reports whether a request of that id waits for its answer.
func (s *stream) isTaken(id jsonrpc.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, taken := s.waiting[id]
	return taken
}

// text is the list of answers.
func (b *batch) text() []byte {
	return append(append([]byte{'['}, bytes.Join(b.answers, []byte{','})...), ']')
}

// messageOf reads a message, or returns the answer to what is none.
func messageOf(text []byte) (jsonrpc.Message, []byte) {
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, refusal(jsonrpc.CodeInvalidRequest, `the message is no request of JSON-RPC; write {"jsonrpc": "2.0", "id": 1, "method": "...", "params": {...}}`)
	}
	return m, nil
}

// refusal is the answer to what is no request, and so has no id.
func refusal(code int64, message string) []byte {
	text, _ := json.Marshal(message) // a text can be written
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`, code, text)
}

// hand gives a message to the server, now or after the calls before it. It waits while
// too many requests are not answered.
func (s *stream) hand(m jsonrpc.Message, of *batch) {
	id, isRequest := asks(m)
	if isRequest {
		select {
		case s.room <- struct{}{}:
		case <-s.closed:
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if isRequest {
		s.waiting[id] = of
		if request := m.(*jsonrpc.Request); s.inOrder && request.Method == methodCall {
			s.held = append(s.held, request)
			s.next()
			return
		}
	}
	s.ready = append(s.ready, m)
	s.notify()
}

// next lets the next call run if none does. The caller holds mu.
func (s *stream) next() {
	if s.running.IsValid() || len(s.held) == 0 {
		return
	}
	call := s.held[0]
	s.held, s.running = s.held[1:], call.ID
	s.ready = append(s.ready, call)
	s.notify()
}

// notify wakes who reads.
func (s *stream) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Read returns the next message. It ends when the input has ended and all is answered.
func (s *stream) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := s.pop()
		if m != nil || err != nil {
			return m, err
		}
		select {
		case <-s.wake:
		case <-s.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// pop returns what can be read now.
func (s *stream) pop() (jsonrpc.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.ready) > 0:
		m := s.ready[0]
		s.ready = s.ready[1:]
		return m, nil
	case s.ended && len(s.waiting) == 0 && s.failed != nil:
		return nil, s.failed
	case s.ended && len(s.waiting) == 0:
		return nil, io.EOF
	}
	return nil, nil
}

// Write writes an answer: the server asks for nothing.
func (s *stream) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, ok := m.(*jsonrpc.Response)
	if !ok {
		return s.line(text)
	}
	b, asked := s.waiting[answer.ID]
	if asked {
		delete(s.waiting, answer.ID)
		<-s.room
	}
	if b != nil {
		b.answers[b.places[answer.ID]] = text
		b.left--
		if text = nil; b.left == 0 {
			text = b.text()
		}
	}
	if text != nil {
		err = s.line(text)
	}
	if answer.ID == s.running {
		s.running = jsonrpc.ID{}
		s.next()
	}
	s.notify()
	return err
}

// refuse answers what is no request. Where that fails, the answers to requests do too,
// whose errors end the session.
func (s *stream) refuse(text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.line(text)
}

// line writes a line. The caller holds mu.
func (s *stream) line(text []byte) error {
	_, err := s.out.Write(append(text, '\n'))
	return err
}
