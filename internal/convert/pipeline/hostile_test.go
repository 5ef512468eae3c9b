package pipeline

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/testkit/randsql/hostile"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
)

// TestHostileStatements converts statements of every hostile shape in every
// variant, some of which SQLite itself takes. None runs out of time, and none is
// a defect.
func TestHostileStatements(t *testing.T) {
	const small = 2 << 10 // of which most are verified
	var names, statements []string
	for _, size := range []int{small, thorough.Rounds(dialect.MaxSize/8, dialect.MaxSize)} {
		for _, shape := range hostile.Shapes() {
			names, statements = append(names, shape.Name), append(statements, shape.Of(size))
		}
	}
	dataset := plain(t, `CREATE TABLE t(a INTEGER, b TEXT, c); INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2.5), (NULL, '2', 'z')`, statements...)
	for _, variant := range thorough.Every(variant.Single(), 2, 0) {
		r, err := Run(context.Background(), Options{Dataset: dataset, Variant: variant, Out: t.TempDir(), Timeout: time.Minute, Jobs: 1, AsOf: bird.DefaultAsOf})
		if err != nil {
			t.Fatal(err)
		}
		least := 30
		if variant == record.QUERY { // most are on no table, or compute
			least = 15
		}
		if r.Totals.Verified < least {
			t.Errorf("%s: only %d are verified", variant, r.Totals.Verified)
		}
		for _, f := range r.Failures {
			if f.Status != Unsupported && f.Status != SQLError {
				i, _ := strconv.Atoi(f.QuestionID.String())
				t.Errorf("%s, %s: %s: %s: %.200s", variant, names[i], f.Status, f.Construct, f.Reason)
			}
		}
	}
}

// TestSizeOfStatement says of a statement that is too large how large it is, how
// large it may be, and what to do.
func TestSizeOfStatement(t *testing.T) {
	text := func(n int) string { return "SELECT '" + strings.Repeat("x", n-len("SELECT '' FROM t")) + "' FROM t" }
	dataset := plain(t, "CREATE TABLE t(a); INSERT INTO t VALUES (1)", text(dialect.MaxSize), text(dialect.MaxSize+1), text(4<<20))
	for _, variant := range variant.Single() {
		r, err := Run(context.Background(), Options{Dataset: dataset, Variant: variant, Out: t.TempDir(), Timeout: time.Minute, Jobs: 1, AsOf: bird.DefaultAsOf})
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if variant == record.QUERY { // which returns properties, and no other values
			want = 0
		}
		if r.Totals.Verified != want || len(r.Failures) != 3-want {
			t.Fatalf("%s: %+v", variant, r.Totals)
		}
		r.Failures = r.Failures[1-want:]
		for _, f := range r.Failures {
			if f.Status != SQLError || f.Construct != "SQL" || !strings.Contains(f.Reason, "65536") {
				t.Errorf("%s: %s: %s: %s", variant, f.Status, f.Construct, f.Reason)
			}
		}
		if says := "it has 4194304 bytes, and 65536 are the most; shorten it, or put long lists of values into a table"; !strings.Contains(r.Failures[1].Reason, says) {
			t.Errorf("%s: %s, want it to say %q", variant, r.Failures[1].Reason, says)
		}
	}
}
