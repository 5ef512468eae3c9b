package budget

import (
	"errors"
	"testing"
)

// TestBudget spends a budget to its last byte.
func TestBudget(t *testing.T) {
	ctx := With(t.Context(), New(100))
	b := Of(ctx)
	for i, c := range []struct {
		err  error
		left int64
	}{
		{b.Spend(60), 40},
		{b.SpendOnce("a", 30), 10},
		{b.SpendOnce("a", 30), 10},
		{b.Spend(11), 10},
		{b.Spend(10), 0},
		{b.Spend(1), 0},
	} {
		if (c.err != nil) != (i == 3 || i == 5) || c.err != nil && !errors.Is(c.err, ErrSpent) {
			t.Errorf("%d: %v", i, c.err)
		}
	}
	if b.Spent() != 100 || b.Most() != 100 {
		t.Errorf("%d of %d are spent", b.Spent(), b.Most())
	}
	b.Return(40)
	if err := b.Spend(41); !errors.Is(err, ErrSpent) {
		t.Errorf("one byte too many: %v", err)
	}
	if err := b.Spend(40); err != nil {
		t.Errorf("what was returned: %v", err)
	}
	if err := b.Fresh().Spend(100); err != nil {
		t.Errorf("a fresh budget: %v", err)
	}
}

// TestNone says that no budget has no bound.
func TestNone(t *testing.T) {
	for _, b := range []*Budget{New(0), New(-1), Of(t.Context()), New(0).Fresh()} {
		b.Return(1)
		for range 3 {
			if b.Spend(1<<62) != nil || b.SpendOnce(1, 1<<62) != nil {
				t.Errorf("%+v has a bound", b)
			}
		}
		if b.Spent() != 0 || b.Most() != 0 {
			t.Errorf("%+v counts", b)
		}
	}
}
