package bird

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Options say what to load. Dir, or FS, or Questions must be given.
type Options struct {
	Dir       string   // the dataset's folder on disk
	FS        fs.FS    // the dataset as a file system, instead of Dir
	Split     string   // which split, if the folder has several; "" is the only one, or dev, or mini_dev
	Questions string   // a question file, instead of a split; Dir defaults to its folder
	Databases []string // keep only the questions on these databases; nil keeps all
	// NoFiles says that the databases are elsewhere, such as on a Postgres server. Then
	// Load does not look for database files, and a question file is enough. Of BIRD
	// Mini-Dev's question files, the one for Postgres is then the default.
	NoFiles bool
	// AllDatabases adds the databases of the folder that no question uses, after the
	// others and in the order of their ids. The question file may then be empty or, in
	// a folder of databases, missing.
	AllDatabases bool
	// SkipMissing leaves databases out whose files do not exist and lists them in
	// Dataset.Missing. Load still fails if no database is left.
	SkipMissing bool
}

// Load finds and reads a dataset. It looks in the folder itself and, when
// nothing is there, up to two folders down.
//
// Every error is an *Error. Its reason is ErrNoDataset, ErrAmbiguous or ErrUnknownSplit
// if no question file can be chosen, and ErrRecord or ErrDuplicateID for a bad
// question. It is ErrUnknownDatabase for a wrong entry of Options.Databases, and
// ErrMissingDatabase if the database of a kept question does not exist. It is
// ErrNotRegular if a folder, a named pipe or a device is where a file should be.
// Otherwise it is an error of the file system.
func Load(opts Options) (*Dataset, error) {
	s := root{files: opts.FS, noFiles: opts.NoFiles}
	if opts.FS == nil {
		s.dir = opts.Dir
		if s.dir == "" && opts.Questions != "" {
			s.dir = filepath.Dir(opts.Questions)
		}
		if s.dir == "" {
			return nil, &Error{Op: "find", Record: -1, Err: ErrNoDataset, Hint: "give the dataset's folder or a question file"}
		}
		s.files = os.DirFS(s.dir)
	}
	from, questions, warnings, err := s.load(opts)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Layout: from.layout, Split: from.name, Warnings: warnings}
	var others []string // the ids of databases that are kept although no question uses them
	if opts.AllDatabases && !opts.NoFiles {
		if others, err = s.databases(from.databases); err != nil {
			return nil, err
		}
	}
	if d.Questions, others, err = onDatabases(questions, others, opts.Databases); err != nil {
		return nil, err
	}
	for i := range d.Questions {
		d.Questions[i].Split = d.Split
	}
	markDuplicates(d.Questions)
	if err := s.locate(d, from, opts.SkipMissing); err != nil {
		return nil, err
	}
	for _, id := range others {
		if d.Database(id) != nil {
			continue
		}
		db, err := s.database(from.databases, id)
		if err != nil {
			return nil, err
		}
		d.Databases = append(d.Databases, db)
	}
	return d, s.describe(d, from)
}

// load chooses a question file and reads it.
func (s root) load(opts Options) (split, []Question, []Warning, error) {
	var from split
	var data []byte
	var err error
	name := opts.Questions
	if name != "" {
		if from, err = s.around(name); err != nil {
			return from, nil, nil, err
		}
		at, base := s.named(name)
		data, err = at.read(base)
	} else {
		var found []split
		if found, err = s.find(); err != nil {
			return from, nil, nil, err
		}
		if len(found) == 0 && opts.AllDatabases && opts.Split == "" {
			if ids, err := s.databases("."); err == nil && len(ids) > 0 {
				return split{name: "none", layout: Plain, tables: "tables.json", databases: "."}, nil, nil, nil
			}
		}
		if from, err = s.choose(found, opts.Split); err != nil {
			return from, nil, nil, err
		}
		name = s.display(from.questions)
		data, err = s.read(from.questions)
	}
	if err != nil {
		return from, nil, nil, unread(name, err, "check the name of the question file")
	}
	questions, warnings, err := readQuestions(name, data)
	if err == nil && len(questions) == 0 && (!opts.AllDatabases || opts.NoFiles) {
		err = &Error{Op: "read", File: name, Record: -1, Err: errors.New("it holds no questions"), Hint: "give a JSON array of questions, or one per line"}
	}
	return from, questions, warnings, err
}

// onDatabases keeps the questions, and the databases without questions, that belong to
// ids. It keeps all if ids is nil.
func onDatabases(questions []Question, others, ids []string) ([]Question, []string, error) {
	if ids == nil {
		return questions, others, nil
	}
	var kept []Question
	used := map[string]bool{}
	var available []string
	for _, q := range questions {
		if !used[q.DB] {
			used[q.DB] = true
			available = append(available, q.DB)
		}
		if slices.Contains(ids, q.DB) {
			kept = append(kept, q)
		}
	}
	var keptOthers []string
	for _, id := range others {
		if !used[id] {
			used[id] = true
			available = append(available, id)
		}
		if slices.Contains(ids, id) {
			keptOthers = append(keptOthers, id)
		}
	}
	for _, id := range ids {
		if !used[id] {
			return nil, nil, &Error{Op: "select", Record: -1, Err: fmt.Errorf("%w: %s", ErrUnknownDatabase, id), Hint: suggest(id, available)}
		}
	}
	return kept, keptOthers, nil
}

// suggest names the databases that are spelled much like id, or else the first few.
func suggest(id string, available []string) string {
	near := slices.DeleteFunc(slices.Clone(available), func(name string) bool {
		a, b := letters(id), letters(name)
		return a == "" || !strings.Contains(a, b) && !strings.Contains(b, a) && spelling.Distance(a, b) > 2+len(a)/4
	})
	if len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	const limit = 12
	more := ""
	if len(available) > limit {
		more = fmt.Sprintf(" and %d more", len(available)-limit)
		available = available[:limit]
	}
	return "there are " + strings.Join(available, ", ") + more
}

// locate fills in the databases that questions use. If skip is set, it leaves missing
// databases out, unless all are missing.
func (s root) locate(d *Dataset, from split, skip bool) error {
	var missing []MissingDatabase
	for _, q := range d.Questions {
		if d.Database(q.DB) != nil || slices.ContainsFunc(missing, func(m MissingDatabase) bool { return m.ID == q.DB }) {
			continue
		}
		if s.noFiles {
			d.Databases = append(d.Databases, &Database{ID: q.DB})
			continue
		}
		db, err := s.database(from.databases, q.DB)
		if errors.Is(err, fs.ErrNotExist) {
			err = &Error{
				Op: "read", File: q.File, Record: q.Record,
				Err:  fmt.Errorf("%w: %s", ErrMissingDatabase, q.DB),
				Hint: s.whereTo(from.databases, q.DB),
			}
			if !skip {
				return err
			}
			missing = append(missing, MissingDatabase{q.DB, err})
			continue
		} else if err != nil {
			return err
		}
		d.Databases = append(d.Databases, db)
	}
	if len(missing) > 0 && len(d.Databases) == 0 {
		return missing[0].Err
	}
	if len(missing) > 0 {
		*d = *d.Without(missing...)
	}
	return nil
}

// whereTo says where the file of a missing database should be, by the places of the
// other databases, and which of these may be meant.
func (s root) whereTo(folder, id string) string {
	expected := path.Join(folder, id, id+suffixes[0])
	others, err := s.databases(folder)
	if err != nil {
		others = nil // the place alone is also of help
	}
	for _, other := range others {
		if !s.isFolder(path.Join(folder, other)) {
			expected = path.Join(folder, id+suffixes[0])
		}
	}
	hint := "put it at " + s.display(expected) + ", or choose other databases"
	if near, ok := spelling.Nearest(id, others); ok {
		hint += "; there is one called " + near
	}
	return hint
}

// unread says that a file could not be read, and what to do about it.
func unread(file string, err error, hint string) *Error {
	if errors.Is(err, ErrNotRegular) {
		hint = "put a regular file in its place"
	}
	return &Error{Op: "read", File: file, Record: -1, Err: reason(err), Hint: hint}
}

// reason drops the path from a file system error: the message has it already.
func reason(err error) error {
	if wrapped := (*fs.PathError)(nil); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
