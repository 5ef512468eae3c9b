package execute

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/apitest"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
)

// TestMeasure lists statements with what they ask of APIs: the same whatever was
// asked before, and however many run at a time.
func TestMeasure(t *testing.T) {
	library := apitest.Start(t)
	d := Open(library.Dataset(t), Options{})
	defer d.Close()
	s := &evaluate.Sample{Variant: record.SLOT, DB: apitest.DB}
	statements := []struct {
		sql, want    string
		calls        int
		errorHasText string
	}{
		{"SELECT count(*) FROM book", "[[70]]", 0, ""},
		{"SELECT count(*) FROM branch", "[[7]]", 3, ""},
		{"SELECT count(*) FROM loan WHERE member_id = 1", "[[8]]", 1, ""},
		{"SELECT max(count_characters(title)) FROM book WHERE isbn < '3'", "", 1, ""},
		{"SELECT count(*) FROM branch, loan WHERE member_id = 1 AND code = branch_code", "[[8]]", 2, ""},
		{"SELECT count(*) FROM loan", "", 0, "member_id"},
	}
	one := func(i int) error {
		c := statements[i]
		rows, asked, err := d.Measure(t.Context(), s, c.sql)
		wrong := (*evaluate.StatementError)(nil)
		switch {
		case asked == nil:
			return fmt.Errorf("%s: nothing was measured", c.sql)
		case errors.As(err, &wrong) != (c.errorHasText != ""), err != nil && !strings.Contains(err.Error(), c.errorHasText):
			return fmt.Errorf("%s: %w", c.sql, err)
		case c.want != "" && fmt.Sprint(rows) != c.want, asked.Calls != c.calls, asked.Requests != c.calls, asked.Bytes > 0 != (c.calls > 0):
			return fmt.Errorf("%s: %v, %+v; want %s, %d calls", c.sql, rows, *asked, c.want, c.calls)
		}
		return nil
	}
	var wait sync.WaitGroup
	for range 4 {
		for i := range statements {
			wait.Go(func() {
				if err := one(i); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	for i := range statements {
		if err := one(i); err != nil {
			t.Error(err)
		}
	}
	if _, asked, err := open(t, Options{}).Measure(t.Context(), s, "SELECT 1"); asked != nil || err != nil {
		t.Errorf("without APIs: %v, %v", asked, err)
	}
}
