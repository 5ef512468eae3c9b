package ctxtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// watched records what a test is reported.
type watched struct {
	testing.TB
	reported []string
}

func (w *watched) Helper() {}

func (w *watched) Errorf(format string, args ...any) {
	w.reported = append(w.reported, fmt.Sprintf(format, args...))
}

func (w *watched) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	panic(w)
}

func TestEverywhere(t *testing.T) {
	for _, test := range []struct {
		name     string
		work     func(context.Context) error
		looks    int
		reported string
	}{
		{"nothing", func(context.Context) error { return nil }, 0, ""},
		{"two looks", func(ctx context.Context) error { return errors.Join(ctx.Err(), ctx.Err()) }, 2, ""},
		{"an error that says more", func(ctx context.Context) error {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("work: %w", err)
			}
			return nil
		}, 1, ""},
		{"a dropped error", func(ctx context.Context) error {
			_ = ctx.Err()
			return ctx.Err()
		}, 2, ""},
		{"a dropped last error", func(ctx context.Context) error {
			err := ctx.Err()
			if ctx.Err() != nil {
				return err
			}
			return nil
		}, 2, "it succeeds although its context was over at look 2"},
		{"another error", func(ctx context.Context) error {
			if ctx.Err() != nil {
				return errors.New("no")
			}
			return nil
		}, 1, "its context was over at look 1, and it fails with no"},
		{"work that fails", func(context.Context) error { return errors.New("no") }, 0, "it fails while its context is not over: no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := &watched{TB: t}
			looks := 0
			func() {
				defer func() {
					if p := recover(); p != nil && p != any(w) {
						panic(p)
					}
				}()
				looks = Everywhere(w, test.work)
			}()
			reported := ""
			if len(w.reported) > 0 {
				reported = w.reported[0]
			}
			if looks != test.looks || reported != test.reported {
				t.Errorf("%d looks, %q; want %d, %q", looks, reported, test.looks, test.reported)
			}
		})
	}
}
