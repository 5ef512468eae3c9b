// Command soak runs the service for a while under all that users and others do
// to it at once, and fails if anything but documented answers comes back:
//
//	soak -serve ./bin/serve -for 30m
//
// Programs of their own write to the served databases, replace one of them,
// and are killed in the middle; the service is stopped and killed too; clients
// ask good and hostile questions, read slowly, or leave. Every answer must show
// one committed state, the newest one, and the same ETag must always mean the
// same answer. The programs that write must get through, and the service's
// memory must not grow.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/cli"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == writeCommand {
		if err := write(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "soak:", err)
			os.Exit(1)
		}
		return
	}
	serve := flag.String("serve", "bin/serve", "the service's program")
	length := flag.Duration("for", 30*time.Minute, "how long to run")
	addr := flag.String("addr", "127.0.0.1:18290", "where the service is to listen")
	seed := flag.Uint64("seed", 1, "of what is drawn")
	flag.Parse()
	cli.Tool("soak", func(ctx context.Context) error { return run(ctx, *serve, *addr, *length, *seed) })
}

// run soaks a service and prints what came back.
func run(ctx context.Context, serve, addr string, length time.Duration, seed uint64) (err error) {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := makeDataset(dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	r := &record{statuses: map[int]int{}, answers: map[string]uint64{}, stamps: map[string]int64{}}
	s := &service{program: serve, addr: addr, dir: dir, record: r}
	if err := s.start(ctx); err != nil {
		return err
	}
	var wait sync.WaitGroup
	random := func(i uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, i)) }
	for i, db := range databases {
		wait.Go(func() { keepWriting(ctx, dir, db.name, random(uint64(i)), r) })
	}
	const clients = 12
	for i := range uint64(clients) {
		c := &client{base: "http://" + addr, random: random(100 + i), record: r, seen: map[string]int64{}}
		wait.Go(func() { c.run(ctx, i%3 == 2) })
	}
	wait.Go(func() { s.watchMemory(ctx) })
	s.disturb(ctx, random(1000))
	wait.Wait()
	s.stop()
	return r.report(os.Stdout)
}

// command starts a program that ends with this one's interest in it.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	return c
}

// pause waits, and reports whether there is time left.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
