package tools

import (
	"errors"
	"testing"
)

// TestTogether has parts that fail: the first of them counts, and who called sees a
// panic of any core.
func TestTogether(t *testing.T) {
	parts := []span{{0, 1}, {1, 2}, {2, 3}}
	first, second := errors.New("first"), errors.New("second")
	for name, c := range map[string]struct {
		errs   []error
		panics int // the part that does, or -1
		want   error
	}{
		"none":             {make([]error, 3), -1, nil},
		"two":              {[]error{nil, first, second}, -1, first},
		"last":             {[]error{nil, nil, second}, -1, second},
		"a panic":          {make([]error, 3), 2, nil},
		"an error, before": {[]error{first, nil, nil}, 2, first},
	} {
		var panicked any
		err := func() error {
			defer func() { panicked = recover() }()
			return together(parts, func(part int, rows span) error {
				if part == c.panics {
					panic("defect")
				}
				return c.errs[rows.from]
			})
		}()
		if err != c.want { //nolint:errorlint // the very error
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
		if want := c.panics >= 0 && c.want == nil; (panicked == "defect") != want {
			t.Errorf("%s: panic %v", name, panicked)
		}
	}
}
