// Command server answers chat completions by a script, for examples that need no
// model.
//
//	server -script answers.jsonl -port 8123
//
// Each line of the script is {"question": ..., "content": ..., "tool_calls": [...]};
// several lines of one question are its turns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
)

func main() {
	file := flag.String("script", "", "file of the answers, one a line")
	port := flag.Int("port", 8123, "port of 127.0.0.1 to serve on; 0 for any")
	limited := flag.Float64("limited", 0, "share of requests that are answered with 429")
	cut := flag.Float64("cut", 0, "share of answers that are cut in the middle")
	seed := flag.Uint64("seed", 0, "seed of -limited and -cut")
	flag.Parse()
	cli.Tool("server", func(ctx context.Context) error {
		return serve(ctx, *file, *port, scripted.Random(*seed, *limited, *cut))
	})
}

func serve(ctx context.Context, file string, port int, plan scripted.Plan) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("-script: %w", err)
	}
	script, err := scripted.Read(f)
	f.Close()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/v1\n", l.Addr())
	s := &http.Server{Handler: &scripted.Server{Script: script, Plan: plan}, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() }) // nothing is lost
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
