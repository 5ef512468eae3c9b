package episode

import (
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
)

// TestExpire says that an episode ends when nothing was called for a while, and that
// a database whose file others may write to is closed then.
func TestExpire(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"city_library"}})
	if err != nil {
		t.Fatal(err)
	}
	env, err := New(Options{Dataset: dataset, Limits: Limits{Idle: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	clock := time.Now()
	env.now = func() time.Time { return clock }
	task, err := env.Tables(t.Context(), record.SLOT, "city_library")
	if err != nil {
		t.Fatal(err)
	}
	early, err := env.Open(t.Context(), task, "early")
	if err != nil {
		t.Fatal(err)
	}
	clock = clock.Add(40 * time.Minute)
	if _, err := env.Open(t.Context(), task, "late"); err != nil {
		t.Fatal(err)
	}
	if err := early.begin(); err != nil { // it is at work
		t.Fatal(err)
	}
	clock = clock.Add(40 * time.Minute)
	env.expire()
	if _, err := env.Episode("early"); err != nil {
		t.Error(err)
	}
	early.done()
	clock = clock.Add(40 * time.Minute)
	env.expire()
	if _, err := env.Episode("early"); err != nil {
		t.Error(err)
	}
	if _, err := env.Episode("late"); err == nil || !strings.Contains(err.Error(), "nothing was called for 1h0m0s") {
		t.Error(err)
	}
	early.End()
	one := env.databases.open[0]
	one.locks = true
	if err := env.databases.sweep(clock.Add(linger / 2)); err != nil || len(env.databases.open) != 1 {
		t.Errorf("%d databases are open, %v", len(env.databases.open), err)
	}
	if err := env.databases.sweep(clock.Add(linger)); err != nil || len(env.databases.open) != 0 {
		t.Errorf("%d databases are open, %v", len(env.databases.open), err)
	}
}
