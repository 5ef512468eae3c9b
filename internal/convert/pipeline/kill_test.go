package pipeline

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/convert/shard"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

const (
	// taskEnv makes this test binary a process that works on a shard of the
	// embedded sample, or merges all of them: variant, shard or "merge", folder.
	taskEnv = "BIRDCALL_TEST_TASK"
	// killsEnv is how many processes TestKills kills, such as 20.
	killsEnv = "BIRDCALL_KILLS"
)

// runTask prints a line for each question that is done.
func runTask(task string) int {
	words := strings.SplitN(task, " ", 3)
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		panic(err)
	}
	opts := Options{
		Dataset: dataset, Variant: words[0], Out: words[2], Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
		Progress: func() { fmt.Println("question") },
	}
	if number, err := shard.Parse(words[1]); err == nil {
		_, err = RunShard(context.Background(), opts, number)
		return exitCode(err)
	}
	folders, err := shard.Folders(opts.Folder())
	if err == nil {
		_, err = Merge(context.Background(), opts, folders)
	}
	return exitCode(err)
}

func exitCode(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestKills kills shards and merges after some of their questions, also after the
// last one, when files are written and folders take their places. What is seen of
// them is whole, and they can be run again, to the bytes of a single run.
func TestKills(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv(killsEnv))
	if err != nil {
		kills = 8 // one for each task of each variant
	}
	random := rand.New(rand.NewPCG(14, 7))
	for v, variant := range []string{record.SLOT, record.REST} {
		dir := t.TempDir()
		opts := sampleOptions(t, dir, variant, Writing{})
		questions := len(opts.Dataset.Questions)
		tasks := []struct {
			name, folder, last string
			questions          int
		}{
			{"0/3", shard.Folder(opts.Folder(), shard.Number{Index: 0, Of: 3}), shard.ManifestFile, questions / 3},
			{"1/3", shard.Folder(opts.Folder(), shard.Number{Index: 1, Of: 3}), shard.ManifestFile, questions / 3},
			{"2/3", shard.Folder(opts.Folder(), shard.Number{Index: 2, Of: 3}), shard.ManifestFile, questions / 3},
			{"merge", opts.Folder(), folder.ReportFile, questions},
		}
		for i, task := range tasks {
			for k := 2*i + v; k < kills; k += 2 * len(tasks) {
				killAfter(t, variant+" "+task.name+" "+dir, random.IntN(task.questions+1))
				if _, err := os.Stat(task.folder); errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if _, err := os.Stat(filepath.Join(task.folder, task.last)); err != nil {
					t.Errorf("%s of %s is there without its last file: %v", task.name, variant, err)
				}
			}
			if err := process(t, variant+" "+task.name+" "+dir).Run(); err != nil {
				t.Fatalf("%s of %s, after kills: %v", task.name, variant, err)
			}
		}
		if diff := cmp.Diff(single(t, variant, "kills", Writing{}), files(t, dir), cmp.FilterPath(isShard, cmp.Ignore())); diff != "" {
			t.Errorf("%s (-single +merged):\n%.2000s", variant, diff)
		}
	}
}

// isShard reports whether a path is that of a shard's file.
func isShard(p cmp.Path) bool {
	step, ok := p.Last().(cmp.MapIndex)
	return ok && strings.Contains(step.Key().String(), ".shard-")
}

func process(t *testing.T, task string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), taskEnv+"="+task)
	c.Stderr = os.Stderr
	return c
}

// killAfter runs a task until so many of its questions are done, and kills it.
func killAfter(t *testing.T, task string, questions int) {
	t.Helper()
	c := process(t, task)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for i := 0; i < questions && lines.Scan(); i++ {
	}
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()         // it says that it was killed
}
