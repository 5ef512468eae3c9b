package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/birdcall/birdcall/internal/dev/toolbench"
)

// inGo is an engine in Go, with the lines that it can do.
type inGo struct {
	version string // of what is not this module
	runs    map[string]func(context.Context) (checked, error)
}

// checked gives the cells of a result, for what needs no measuring.
type checked func(context.Context) (cells, error)

// open reads the file with one of the engines in Go.
func open(ctx context.Context, name, file string) (*inGo, error) {
	switch name {
	case "birdcall", "copied":
		return openBirdcall(ctx, file, name == "copied")
	case "gota":
		return openGota(file)
	}
	return nil, fmt.Errorf("no engine %q; use birdcall, copied or gota", name)
}

// serve answers requests until there are no more.
func serve(ctx context.Context, name, file string, in io.Reader, out io.Writer) error {
	e, err := open(ctx, name, file)
	if err != nil {
		return err
	}
	say, requests := json.NewEncoder(out), json.NewDecoder(in)
	greeting := hello{Version: e.version}
	for _, l := range lines {
		if e.runs[l.name] != nil {
			greeting.Lines = append(greeting.Lines, l.name)
		}
	}
	if err := say.Encode(greeting); err != nil {
		return err
	}
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer, err := e.answer(ctx, r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Line, err)
		}
		if err := say.Encode(answer); err != nil {
			return err
		}
	}
}

func (e *inGo) answer(ctx context.Context, r request) (reply, error) {
	run := e.runs[r.Line]
	if run == nil {
		return reply{}, errors.New("this engine has no such line")
	}
	runtime.GC() // what ran before is not to be paid for here
	used, start := toolbench.CPU(), time.Now()
	done, err := run(ctx)
	answer := reply{Seconds: time.Since(start).Seconds(), CPU: (toolbench.CPU() - used).Seconds()}
	if err != nil || !r.Check {
		return answer, err
	}
	c, err := done(ctx)
	if err != nil {
		return reply{}, err
	}
	for _, l := range lines {
		if l.name == r.Line {
			answer.result = l.check(c)
		}
	}
	return answer, nil
}
