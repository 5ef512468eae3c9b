package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	mutants, err := find("x/y.go", []byte("package x\n\nvar a, b = 1, 2\n"))
	if err != nil || len(mutants) != 2 {
		t.Fatalf("%v, %v", mutants, err)
	}
	j, err := openJournal(path, "code", false)
	if err != nil {
		t.Fatal(err)
	}
	for i, outcome := range []string{killed, survived} {
		if _, known := j.known(mutants[i]); known {
			t.Errorf("%s is known before it was tried", mutants[i])
		}
		if err := j.write(result{mutant: mutants[i], Outcome: outcome, By: "x TestY"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, content, code string
		again               bool
		known               [2]bool
		err                 string
	}{
		{"a run that goes on", string(whole), "code", false, [2]bool{true, true}, ""},
		{"survivors once more", string(whole), "code", true, [2]bool{true, false}, ""},
		{"a line that is cut", string(whole[:len(whole)-3]), "code", false, [2]bool{true, false}, ""},
		{"a first line that is cut", string(whole[:5]), "code", false, [2]bool{}, ""},
		{"nothing", "", "code", false, [2]bool{}, ""},
		{"other code", string(whole), "others", false, [2]bool{}, "the journal of other code"},
		{"another file", "class,share\n", "code", false, [2]bool{}, "no journal"},
		{"a line of something else", string(whole) + "[]\n", "code", false, [2]bool{}, "no result"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "j.jsonl")
			if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := openJournal(path, test.code, test.again)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) || !strings.Contains(err.Error(), path) {
					t.Fatalf("got the error %v, want %s: … %s", err, path, test.err)
				}
				if now, _ := os.ReadFile(path); string(now) != test.content {
					t.Error("the file is changed")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer j.close()
			for i, m := range mutants {
				r, known := j.known(m)
				if known != test.known[i] {
					t.Errorf("%s: known is %v", m, known)
				}
				if known && (r.By != "x TestY" || r.mutant != m) {
					t.Errorf("%s is read as %+v", m, r)
				}
			}
		})
	}
}

func TestNoJournal(t *testing.T) {
	j, err := openJournal("", "code", false)
	if err != nil {
		t.Fatal(err)
	}
	m := &mutant{File: "x.go"}
	if err := j.write(result{mutant: m, Outcome: killed}); err != nil {
		t.Error(err)
	}
	if _, known := j.known(m); known {
		t.Error("a result is kept in no file")
	}
	if err := j.close(); err != nil {
		t.Error(err)
	}
}
