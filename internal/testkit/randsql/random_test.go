package randsql

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strconv"
	"testing"
)

// refusals are the constructs that a plan may refuse.
var refusals = map[string]bool{
	"COLLATE in IN":         true, // one that SQLite does not always go by
	"JSON in JSON":          true, // an argument that may be JSON or not
	"table-valued function": true, // in an outer join
}

const (
	perDatabase = 10 // statements drawn for one database
	maxFailures = 10 // failures that are shown
)

func TestRandomStatements(t *testing.T) {
	total := statements(t, 1500)
	count := map[string]int{}
	for i := 0; i*perDatabase < total && count["shown failures"] < maxFailures; i++ {
		t.Run(strconv.Itoa(i), func(t *testing.T) { checkDatabase(t, i, count) })
	}
	report(t, count)
	if n := count["refused"] + count["skipped"]; !t.Failed() && n > count["statements"]/8 {
		t.Errorf("%d statements were not compared; draw more that can be planned", n)
	}
}

// statements returns how many to draw: so many, or what BIRDCALL_RANDOM says.
func statements(t *testing.T, usual int) int {
	t.Helper()
	s, ok := os.LookupEnv("BIRDCALL_RANDOM")
	if !ok {
		return usual
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		t.Fatalf("BIRDCALL_RANDOM=%s is no number of statements", s)
	}
	return n
}

// checkDatabase draws the database of a seed and tries statements on it.
func checkDatabase(t *testing.T, seed int, count map[string]int) {
	ctx := context.Background()
	db := (&gen{draws: fresh(seed, 0)}).database()
	s, err := newSubject(ctx, t.TempDir(), db.script(false), db.script(true))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for i := range perDatabase {
		src := fresh(seed, i+1)
		q := (&gen{draws: src, db: db}).statement()
		o := s.try(ctx, q)
		count["statements"]++
		switch {
		case o.failure != "" && o.class != "answer" && count[o.class] > 0:
			t.Errorf("%s: another one of these: %s", o.class, q.sql)
		case o.failure != "":
			count["shown failures"]++
			count[o.class]++
			t.Error(explain(ctx, t.TempDir(), s, db, src.now, o))
			return
		case o.refused != "":
			count["refused"]++
			count["refused: "+o.refused]++
		case o.skipped != "":
			count["skipped"]++
			count["skipped: "+o.skipped]++
		case o.paper:
			count["said by the paper's tools, too"]++
		}
	}
}

// explain makes a failure small and describes it.
func explain(ctx context.Context, dir string, s *subject, db *database, drawn *node, o outcome) string {
	statement := func(n *node) (query, *node) {
		src := again(n)
		q := (&gen{draws: src, db: db}).statement()
		return q, src.now
	}
	first, _ := statement(drawn)
	drawn = shrink(drawn, len(first.sql), func(n *node) (*node, int, bool) {
		q, now := statement(n)
		return now, len(q.sql), s.try(ctx, q).class == o.class
	})
	q, _ := statement(drawn)
	small := db.shrink(func(d *database) bool {
		s, err := newSubject(ctx, dir, d.script(false), d.script(true))
		if err != nil {
			return false
		}
		defer s.close()
		return s.try(ctx, q).class == o.class
	})
	if s, err := newSubject(ctx, dir, small.script(false), small.script(true)); err == nil {
		defer s.close()
		o = s.try(ctx, q)
	}
	return fmt.Sprintf("%s: %s\ndrawn as: %s\n\n%s%s;\n\n%s", o.class, o.failure, first.sql, small.script(false), q.sql, o.trace())
}

// report logs what became of the statements.
func report(t *testing.T, count map[string]int) {
	var names []string
	for n := range count {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		t.Logf("%6d  %s", count[n], n)
	}
}
