package server

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// LogWriter gathers log lines so that a busy service does not make a system
// call for each. A line is written at most flushEvery after it is made.
type LogWriter struct {
	mu      sync.Mutex
	to      *bufio.Writer
	pending bool // whether a flush is under way
}

const (
	flushEvery = 100 * time.Millisecond
	logBuffer  = 64 << 10 // bytes
)

// NewLogWriter returns a writer of log lines to w. Flush it before the end.
func NewLogWriter(w io.Writer) *LogWriter {
	return &LogWriter{to: bufio.NewWriterSize(w, logBuffer)}
}

// Write keeps one or more whole lines.
func (l *LogWriter) Write(lines []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.pending {
		l.pending = true
		time.AfterFunc(flushEvery, l.Flush)
	}
	return l.to.Write(lines)
}

// Flush writes what is kept. Nobody can be told of an error of the log.
func (l *LogWriter) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = false
	_ = l.to.Flush()
}
