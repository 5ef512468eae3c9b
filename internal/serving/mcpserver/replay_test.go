package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

var variants = []string{record.SLOT, record.SEL, record.REST}

// TestReplay has a client make the gold calls of every question of the embedded
// sample that has a sample, over HTTP. Each episode ends in the gold answer.
func TestReplay(t *testing.T) {
	env := embedded(t, episode.Limits{})
	for variant, n := range replay(t, env, variants, 4) {
		t.Logf("%s: %d episodes", variant, n)
		if n < thorough.Rounds(30, 120) {
			t.Errorf("%s: there are only %d", variant, n)
		}
	}
}

// TestReplayFolder does the same with folders that convert wrote: those of the
// variants that are in the folder that BIRDCALL_SAMPLES names, of the dataset that
// BIRDCALL_DATASET names. Of the limits, only the time is more than by default, since
// some of the endpoints' queries are slow.
func TestReplayFolder(t *testing.T) {
	dir, of := os.Getenv("BIRDCALL_SAMPLES"), os.Getenv("BIRDCALL_DATASET")
	if dir == "" || of == "" {
		t.Skip("BIRDCALL_SAMPLES and BIRDCALL_DATASET name no folders")
	}
	dataset, err := bird.Load(bird.Options{Dir: of})
	if err != nil {
		t.Fatal(err)
	}
	o := episode.Options{Dataset: dataset, Immutable: true, Limits: episode.Limits{Time: 5 * time.Minute}}
	var there []string
	for _, variant := range variants {
		if path := filepath.Join(dir, variant); exists(path) {
			o.Samples, there = append(o.Samples, path), append(there, variant)
		}
	}
	for variant, n := range replay(t, environment(t, o), there, 1) {
		t.Logf("%s: %d episodes", variant, n)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// replay makes the gold calls of each nth task of variants over MCP, and returns how many
// there are of each variant. Each must score 1.
func replay(t *testing.T, env *episode.Environment, variants []string, n int) map[string]int {
	url := serve(t, New(env, Options{}))
	count := map[string]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, variant := range variants {
		for _, q := range thorough.Every(env.Dataset().Questions, n, i) {
			task, err := env.Task(context.Background(), variant, q.DB, q.ID.String())
			if isMistake(err) {
				continue // it has no sample
			}
			if err != nil {
				t.Fatal(err)
			}
			slots <- struct{}{}
			group.Go(func() {
				defer func() { <-slots }()
				err := replayOne(t, env, url, task)
				mu.Lock()
				defer mu.Unlock()
				count[variant]++
				if err != nil {
					t.Errorf("%s %s/%s: %v", variant, q.DB, q.ID, err)
				}
			})
		}
	}
	group.Wait()
	return count
}

// replayOne makes one task's gold calls.
func replayOne(t *testing.T, env *episode.Environment, url string, task *episode.Task) error {
	e, err := env.Open(context.Background(), task, "")
	if err != nil {
		return err
	}
	defer e.End()
	b := newToolbox(task, false, nil, DefaultListed)
	aliases := map[string]string{}
	for i, tool := range task.Tools {
		aliases[tool.Name] = b.names[i]
	}
	labels := map[string]string{}
	for _, c := range task.Gold().Listed {
		params, err := json.Marshal(tools.Arguments{{Name: "name", Value: aliases[c.Name]}, {Name: "arguments", Value: relabeled(c.Arguments, labels)}})
		if err != nil {
			return err
		}
		answer := post(t, url+"/mcp/s/"+e.ID(), newProtocol, methodCall, string(params))
		if answer.Status != 200 || answer.Error != nil || answer.Result.IsError {
			return fmt.Errorf("%s: %d %s", params, answer.Status, answer.Body)
		}
		var seen struct{ Label string }
		if err := json.Unmarshal(answer.Result.StructuredContent, &seen); err != nil {
			return err
		}
		if seen.Label != c.Label {
			labels[c.Label] = seen.Label
		}
	}
	score, err := e.Score(context.Background())
	if err != nil {
		return err
	}
	if score.Reward != 1 {
		return fmt.Errorf("the score is %+v", score)
	}
	return nil
}

// relabeled returns arguments that name results by the labels that they got.
func relabeled(v any, labels map[string]string) any {
	switch v := v.(type) {
	case string:
		if to, ok := labels[strings.Trim(v, "$")]; ok && strings.HasPrefix(v, "$") {
			return "$" + to + "$"
		}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = relabeled(item, labels)
		}
		return out
	case tools.Arguments:
		out := make(tools.Arguments, len(v))
		for i, a := range v {
			out[i] = tools.Argument{Name: a.Name, Value: relabeled(a.Value, labels)}
		}
		return out
	}
	return v
}
