package bird

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// split is one question file with the files that belong to it. Names are relative to
// the question file's folder in layouts, and relative to the source in a split that was
// found.
type split struct {
	name      string
	layout    Layout
	questions string
	tables    string
	databases string
}

// layouts lists the known layouts. If a question file fits several, the first counts.
var layouts = []split{
	{"dev", BIRDDev, "dev.json", "dev_tables.json", "dev_databases"},
	{"train", BIRDTrain, "train.json", "train_tables.json", "train_databases"},
	{"mini_dev", BIRDMiniDev, "mini_dev_sqlite.json", "dev_tables.json", "dev_databases"},
	{"mini_dev_postgresql", BIRDMiniDev, "mini_dev_postgresql.json", "dev_tables.json", "dev_databases"},
	{"mini_dev_mysql", BIRDMiniDev, "mini_dev_mysql.json", "dev_tables.json", "dev_databases"},
	{"dev", Spider, "dev.json", "tables.json", "database"},
	{"train_spider", Spider, "train_spider.json", "tables.json", "database"},
	{"train_others", Spider, "train_others.json", "tables.json", "database"},
	{"test", Spider, "test.json", "test_tables.json", "test_database"},
	{"test", Spider, "test.json", "tables.json", "database"},
	{"questions", Plain, "questions.json", "tables.json", "."},
	{"questions", Plain, "questions.jsonl", "tables.json", "."},
}

// maxDepth is how many folders down a dataset may be, as in
// minidev/MINIDEV/mini_dev_sqlite.json.
const maxDepth = 2

// find returns the splits nearest to the top of the source. If there is no question
// file, a folder with the name of one counts, so that reading it gives an error that
// says what is wrong.
func (s root) find() ([]split, error) {
	level := []string{"."}
	var folders []split
	for range maxDepth + 1 {
		var found []split
		var next []string
		for _, folder := range level {
			found = append(found, s.splits(folder)...)
			entries, err := fs.ReadDir(s.files, folder)
			if err != nil {
				return nil, &Error{Op: "find", File: s.display(folder), Record: -1, Err: reason(err), Hint: "give the folder of a dataset, or a question file with --questions"}
			}
			for _, entry := range entries {
				if name := path.Join(folder, entry.Name()); s.isFolder(name) {
					next = append(next, name)
				}
			}
		}
		for _, c := range found {
			if s.isFolder(c.questions) {
				folders = append(folders, c)
			}
		}
		found = slices.DeleteFunc(found, func(c split) bool { return s.isFolder(c.questions) })
		if len(found) > 0 {
			return found, nil
		}
		level = next
	}
	return folders, nil
}

// splits returns the splits whose question file is in folder.
func (s root) splits(folder string) []split {
	var found []split
	seen := map[string]bool{}
	for _, fits := range s.signs() {
		for _, l := range layouts {
			c := l.in(folder)
			if !seen[c.questions] && s.isThere(c.questions) && fits(c) {
				seen[c.questions] = true
				found = append(found, c)
			}
		}
	}
	return found
}

// signs returns the tests that recognize a layout in a folder with a question file, the
// surest first. A layout shows by its folder of databases. If the databases are
// elsewhere, it shows by its tables file, or by the question file alone.
func (s root) signs() []func(split) bool {
	databases := func(c split) bool { return s.isFolder(c.databases) }
	if !s.noFiles {
		return []func(split) bool{databases}
	}
	return []func(split) bool{
		func(c split) bool { return c.layout != Plain && databases(c) },
		func(c split) bool { return c.layout != Plain && s.isThere(c.tables) },
		func(split) bool { return true },
	}
}

func (l split) in(folder string) split {
	l.questions = path.Join(folder, l.questions)
	l.tables = path.Join(folder, l.tables)
	l.databases = path.Join(folder, l.databases)
	return l
}

// defaults are the splits to take if none is named; the first that exists is taken. The
// SQL of mini_dev is SQLite's, and databases without files are on a Postgres server.
func (s root) defaults() []string {
	if s.noFiles {
		return []string{"dev", "mini_dev_postgresql", "mini_dev"}
	}
	return []string{"dev", "mini_dev"}
}

// choose returns the split called name. Without a name it is the only one, or
// one of the defaults.
func (s root) choose(found []split, name string) (split, error) {
	fail := func(reason error, hint string) (split, error) {
		return split{}, &Error{Op: "find", File: s.display("."), Record: -1, Err: reason, Hint: hint}
	}
	if len(found) == 0 && s.noFiles {
		return fail(ErrNoDataset, "expected dev.json, train.json, mini_dev_postgresql.json, questions.json or questions.jsonl; "+
			"name a question file that is called otherwise")
	}
	if len(found) == 0 {
		return fail(ErrNoDataset, "expected dev.json beside dev_databases, train.json beside train_databases, "+
			"mini_dev_sqlite.json or mini_dev_postgresql.json beside dev_databases, dev.json or train_spider.json beside database, "+
			"or questions.json or questions.jsonl beside the databases")
	}
	fit := found
	switch {
	case name != "":
		fit = withName(found, name)
	case len(found) > 1:
		fit = nil
		for _, name := range s.defaults() {
			if fit = withName(found, name); len(fit) > 0 {
				break
			}
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) == 0 && name != "":
		return fail(fmt.Errorf("%w: %s", ErrUnknownSplit, name), "choose one of "+names(found))
	case len(fit) == 0:
		fit = found
	}
	hint := "name the question file, or give the folder it is in"
	if choices := names(fit); choices != fit[0].name {
		hint = "choose a split: " + choices
	} else if !slices.ContainsFunc(fit, func(c split) bool { return path.Dir(c.questions) != path.Dir(fit[0].questions) }) {
		hint = "use --questions FILE, or remove one of them"
	}
	return fail(fmt.Errorf("%w: %s", ErrAmbiguous, files(fit)), hint)
}

// withName returns the splits with that name.
func withName(found []split, name string) []split {
	return slices.DeleteFunc(slices.Clone(found), func(c split) bool { return c.name != name })
}

func files(found []split) string {
	var list []string
	for _, c := range found {
		list = append(list, c.questions)
	}
	return strings.Join(list, ", ")
}

// names lists the names of splits, each once.
func names(found []split) string {
	var list []string
	for _, c := range found {
		if !slices.Contains(list, c.name) {
			list = append(list, c.name)
		}
	}
	return strings.Join(list, ", ")
}

// around returns the split for a question file that the caller named: the split that
// has this file, else one with a file of the same name, else one whose layout has such
// a file, else one over the same databases.
func (s root) around(file string) (split, error) {
	found, err := s.find()
	if err != nil {
		return split{}, err
	}
	base := baseName(file)
	fit := slices.DeleteFunc(slices.Clone(found), func(c split) bool { return path.Base(c.questions) != base })
	for _, c := range fit {
		if s.is(c.questions, file) {
			return c, nil
		}
	}
	if len(fit) > 0 {
		return fit[0], nil
	}
	for _, l := range layouts {
		if l.layout != Plain && l.questions == base && s.describes(l) {
			return l, nil
		}
	}
	for _, l := range append(found, layouts...) {
		if l.layout != Plain && s.describes(l) {
			l.name = stem(base)
			return l, nil
		}
	}
	return split{stem(base), Plain, base, "tables.json", "."}, nil
}

// describes reports whether the folder has the layout's databases, so that it can go
// with questions from elsewhere. If the databases are elsewhere too, it looks for the
// files that describe their tables.
func (s root) describes(l split) bool {
	return s.isFolder(l.databases) || s.noFiles && s.isThere(l.tables)
}

// baseName returns the last part of a path; both kinds of slash separate parts.
func baseName(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// stem returns a base name without its suffix.
func stem(base string) string { return strings.TrimSuffix(base, path.Ext(base)) }
