package askmodel

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// runEnv makes this test binary a process that runs until it is done or killed.
const runEnv = "BIRDCALL_TEST_RUN"

// process is what such a process is given.
type process struct {
	URL, Out  string
	Mode      evaluate.Mode
	Questions int
}

func TestMain(m *testing.M) {
	written := os.Getenv(runEnv)
	if written == "" {
		os.Exit(m.Run())
	}
	var p process
	if err := json.Unmarshal([]byte(written), &p); err != nil {
		panic(err)
	}
	o, err := newOptions(p.URL, p.Out, questions(p.Questions))
	o.Mode = p.Mode
	if err == nil {
		_, err = Run(context.Background(), o)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestKilled kills a run at five moments, with 20 % of requests limited and 5 % of
// answers cut. It says that
//
//   - no answer that was on disk is asked for again, by the server's log;
//   - for each answer that a process recorded, the attempts that it reports are the
//     requests for it that the server got from that process;
//   - the answers are those of a run that was not killed, which reports as many
//     attempts as the server got requests.
func TestKilled(t *testing.T) {
	const n = 60
	for mode, turns := range map[evaluate.Mode]int{evaluate.Direct: 1, evaluate.ReAct: 3} {
		t.Run(string(mode), func(t *testing.T) {
			samples := questions(n)
			plan := scripted.Random(1, 0.2, 0.05)
			s := &scripted.Server{Script: answers(samples, turns > 1), Plan: plan}
			var left atomic.Int64 // requests until the kill
			kill := make(chan struct{}, 1)
			s.Each = func(scripted.Request) {
				if left.Add(-1) == 0 {
					kill <- struct{}{}
				}
			}
			url := serve(t, s)
			o := Options{Out: t.TempDir(), Model: "a/model", Name: "slot"}
			before := answered{}
			for round := range 6 {
				at := fmt.Sprintf("/round/%d", round)
				left.Store(0) // which is not met again
				if round < 5 {
					left.Store(int64(1 + n*turns*(round+1)/20))
				}
				runOrKill(t, process{url + at, o.Out, mode, n}, kill, round < 5)
				sent := map[asked]int{}
				for _, r := range s.Log() {
					if strings.HasPrefix(r.Path, at) {
						sent[asked{r.Question, r.Turn}]++
					}
				}
				now := recorded(t, o, samples)
				for a := range sent {
					if _, ok := before[a]; ok {
						t.Errorf("round %d: %v was recorded and is asked for again", round, a)
					}
				}
				for a, attempts := range now {
					if _, ok := before[a]; !ok && attempts >= 0 && attempts != sent[a] {
						t.Errorf("round %d: %v reports %d attempts, %d were served", round, a, attempts, sent[a])
					}
				}
				for a := range before {
					if _, ok := now[a]; !ok {
						t.Errorf("round %d: %v is lost", round, a)
					}
				}
				t.Logf("round %d: %d answers asked for, %d recorded", round, len(sent), len(now))
				before = now
			}
			whole := &scripted.Server{Script: s.Script, Plan: plan}
			p := options(t, serve(t, whole), samples)
			p.Mode = mode
			sum, err := Run(t.Context(), p)
			if err != nil || sum.Total.Attempts != len(whole.Log()) {
				t.Errorf("not killed: %+v, %d served, %v", sum, len(whole.Log()), err)
			}
			if diff := cmp.Diff(withoutUsage(t, p), withoutUsage(t, o)); diff != "" || len(before) != n*turns {
				t.Errorf("%d answers; the killed run has others: %s", len(before), diff)
			}
		})
	}
}

// runOrKill runs a process to its end, or until the moment to kill it.
func runOrKill(t *testing.T, p process, kill <-chan struct{}, isKilled bool) {
	t.Helper()
	c := command(t, p)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case <-kill:
		_ = c.Process.Kill()
		<-ended
	case err := <-ended:
		if err != nil || isKilled {
			t.Fatalf("%s ended by itself: %v", p.URL, err)
		}
	}
}

func command(t *testing.T, p process) *exec.Cmd {
	t.Helper()
	written, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), runEnv+"="+string(written))
	c.Stdout = os.Stderr
	return c
}

// asked is a question at a turn of ReAct, which is 0 without it.
type asked struct {
	question string
	turn     int
}

// answered has the attempts that each recorded answer reports, -1 where they are
// only known for all turns together.
type answered map[asked]int

// recorded reads what is on disk.
func recorded(t *testing.T, o Options, samples []*evaluate.Sample) answered {
	t.Helper()
	out := answered{}
	question := map[string]string{}
	for _, s := range samples {
		question[s.ID.String()] = s.Question
	}
	next := map[string]int{}
	lines := strings.SplitAfter(text(t, path(o, "_loops.jsonl")), "\n")
	for _, line := range lines[:len(lines)-1] {
		var got turn
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		q := question[got.ID.String()]
		out[asked{q, next[q]}] = got.Usage.Attempts
		next[q]++
	}
	for _, p := range predictions(t, path(o, "_result.jsonl")) {
		q := question[p.ID.String()]
		if p.Mode == evaluate.Direct {
			out[asked{q, 0}] = p.Usage.Attempts
			continue
		}
		for at := range len(p.Steps) + 1 {
			if _, ok := out[asked{q, at}]; !ok {
				out[asked{q, at}] = -1
			}
		}
	}
	return out
}

// withoutUsage returns the predictions of a run without their usage, which depends
// on what was lost by kills.
func withoutUsage(t *testing.T, o Options) []string {
	t.Helper()
	var out []string
	for _, p := range predictions(t, path(o, "_result.jsonl")) {
		p.Usage = nil
		text, err := jsontext.Marshal(p, "")
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}
