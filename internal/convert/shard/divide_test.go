package shard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/bird"
)

// dataset has databases a, b, c, ... with so many questions each.
func dataset(sizes ...int) *bird.Dataset {
	d := &bird.Dataset{}
	for i, size := range sizes {
		db := fmt.Sprintf("%c", 'a'+i)
		d.Databases = append(d.Databases, &bird.Database{ID: db})
		for range size {
			d.Questions = append(d.Questions, bird.Question{ID: bird.Number(len(d.Questions)), DB: db})
		}
	}
	return d
}

// TestDivide lists the sizes of databases, and the parts of shards.
func TestDivide(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		n     int
		want  string
	}{
		{[]int{3, 5}, 1, "a0-3 b0-5"},
		{[]int{5, 5}, 2, "a0-5 | b0-5"},
		{[]int{1, 2, 3, 4}, 2, "a0-1 d0-4 | b0-2 c0-3"},
		{[]int{50, 48, 1, 1}, 2, "a0-50 c0-1 d0-1 | b0-48"}, // a tenth above the share is no reason to cut
		{[]int{100}, 3, "a0-34 | a34-68 | a68-100"},
		{[]int{70, 20, 10}, 2, "a0-50 | a50-70 b0-20 c0-10"},
		{[]int{30, 30, 30}, 2, "a0-30 c0-15 | b0-30 c15-30"},
		{[]int{30, 30, 30, 20, 10}, 3, "a0-30 e0-10 | b0-30 d0-10 | c0-30 d10-20"}, // e has room, though it is smaller than d
		{[]int{2, 1}, 5, "a0-1 | a1-2 | b0-1 |  | "},
		{[]int{}, 2, " | "},
	} {
		var shards []string
		for _, parts := range Divide(dataset(c.sizes...), c.n) {
			var words []string
			for _, p := range parts {
				words = append(words, fmt.Sprintf("%s%d-%d", p.DB, p.From, p.To))
			}
			shards = append(shards, strings.Join(words, " "))
		}
		if got := strings.Join(shards, " | "); got != c.want {
			t.Errorf("%v by %d: got %q, want %q", c.sizes, c.n, got, c.want)
		}
	}
}

// FuzzDivide checks that every question is in one part, that no shard has two
// parts of a database, and that none has more than a tenth above its share.
func FuzzDivide(f *testing.F) {
	f.Add([]byte{3, 5}, uint8(2))
	f.Add([]byte{89, 106, 145, 191, 186, 129, 174, 129, 163, 158, 64}, uint8(7))
	f.Add([]byte{200, 1, 1, 0, 7}, uint8(64))
	f.Fuzz(func(t *testing.T, sizes []byte, of uint8) {
		if of == 0 || len(sizes) > 26 {
			return
		}
		var counts []int
		total := 0
		for _, size := range sizes {
			counts = append(counts, int(size))
			total += int(size)
		}
		d, n := dataset(counts...), int(of)
		share := (total + n - 1) / n
		ends := map[string][]Part{}
		for i, parts := range Divide(d, n) {
			if got := Questions(parts); got > share+share/10 {
				t.Errorf("shard %d has %d questions, and its share is %d", i, got, share)
			}
			for j, p := range parts {
				if j > 0 && p.DB <= parts[j-1].DB {
					t.Errorf("shard %d: %v", i, parts)
				}
				ends[p.DB] = append(ends[p.DB], p)
			}
		}
		for _, db := range d.Databases {
			parts := ends[db.ID]
			slices.SortFunc(parts, func(a, b Part) int { return a.From - b.From })
			next := 0
			for _, p := range parts {
				if p.From != next || p.To < p.From {
					t.Errorf("%s: %v", db.ID, parts)
				}
				next = p.To
			}
			if want := counts[db.ID[0]-'a']; next != want {
				t.Errorf("%s: %v of %d", db.ID, parts, want)
			}
		}
	})
}

// TestParse lists numbers of shards, and what is wrong with others.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0/1": "", "6/7": "", "63/64": "",
		"7/7": "those of 7 are 0/7 to 6/7", "-1/7": "there is no shard -1/7", "3": "is no shard", "": "is no shard",
		"0/0": "is no shard", "a/7": "is no shard", "1/7/2": "is no shard", "0/10001": "is no shard",
	} {
		n, err := Parse(text)
		switch {
		case want == "" && (err != nil || n.String() != text):
			t.Errorf("%q: got %v, %v", text, n, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
