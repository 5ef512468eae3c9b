package server

import (
	"io"
	"sync"
	"time"
)

// LogWriter gathers log lines so that a busy service neither makes a system
// call for each nor waits for one. A line is written at most flushEvery after
// it is made.
type LogWriter struct {
	mu      sync.Mutex
	lines   []byte
	pending bool // whether a flush will come

	writing sync.Mutex // held around the writes; never taken while mu is held
	to      io.Writer
	spare   []byte
}

const (
	flushEvery = 100 * time.Millisecond
	logBuffer  = 1 << 20 // bytes; whoever logs waits when there are more
)

// NewLogWriter returns a writer of log lines to w. Flush it before the end.
func NewLogWriter(w io.Writer) *LogWriter { return &LogWriter{to: w} }

// Write keeps one or more whole lines.
func (l *LogWriter) Write(lines []byte) (int, error) {
	l.mu.Lock()
	l.lines = append(l.lines, lines...)
	full := len(l.lines) > logBuffer
	if !l.pending {
		l.pending = true
		time.AfterFunc(flushEvery, l.Flush)
	}
	l.mu.Unlock()
	if full {
		l.Flush()
	}
	return len(lines), nil
}

// Flush writes what is kept. Nobody can be told of an error of the log.
func (l *LogWriter) Flush() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	lines := l.lines
	l.lines, l.pending = l.spare[:0], false
	l.mu.Unlock()
	_, _ = l.to.Write(lines)
	l.spare = lines
}
