package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Dataset is the samples of a folder.
type Dataset struct {
	Variant string
	Samples []*Sample // by database, in the order of the folder's report
	// Obfuscated says that functions and arguments have names that say nothing.
	Obfuscated bool
	// Share is how many of its tools a sample lists, in percent: less than 100
	// after convert --shortlist.
	Share int
	// Problems are records that cannot be scored, such as one without gold
	// calls. Samples has none of them.
	Problems []Problem
}

// Load reads the samples of a folder that convert wrote: records in any format
// of files and of tools, with the tools in them or in files of the folder, under their own
// names or others. Errors name the file and say what would mend it.
func Load(ctx context.Context, dir string) (*Dataset, error) {
	f, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	if scored := variant.Scored(); !slices.Contains(scored, f.Variant) {
		return nil, fmt.Errorf("%s has samples of the variant %q, which are no sequences of calls; give a folder of %s, or score queries with evaluate query", dir, f.Variant, spelling.List(scored, "or"))
	}
	parts := make([]*Dataset, len(f.Databases))
	errs := make([]error, len(f.Databases))
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, db := range f.Databases {
		free <- struct{}{}
		wait.Go(func() {
			if errs[i] = ctx.Err(); errs[i] == nil {
				parts[i], errs[i] = loadDatabase(f, db)
			}
			<-free
		})
	}
	wait.Wait()
	out := &Dataset{Variant: f.Variant, Share: f.Shortlist}
	for i, p := range parts {
		if errs[i] != nil {
			return nil, errs[i]
		}
		out.Samples = append(out.Samples, p.Samples...)
		out.Problems = append(out.Problems, p.Problems...)
		out.Obfuscated = out.Obfuscated || p.Obfuscated
	}
	return out, nil
}

// LoadDatabase reads the samples of one database of a folder, as Load does. There
// are none where the folder has no such database.
func LoadDatabase(dir, db string) (*Dataset, error) {
	f, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	out := &Dataset{}
	if slices.Contains(f.Databases, db) {
		if out, err = loadDatabase(f, db); err != nil {
			return nil, err
		}
	}
	out.Variant, out.Share = f.Variant, f.Shortlist
	return out, nil
}

// WithoutGold returns the sample of a record without a question, such as
// slot.Database.Start makes. It lists all tools of the variant, which is SLOT or
// SEL, and cannot be scored.
func WithoutGold(variant string, r *record.Slot) *Sample {
	s := &Sample{Variant: variant, DB: r.DB, System: slot.System(r), Start: r}
	newLoader(&folder.Folder{Variant: variant}, s.DB, nil).bind(s)
	s.Tools = s.real()
	return s
}

// NewSample returns the sample of a record that a converter made: a *record.Slot
// for SLOT and SEL, a *record.Rest for REST, a *record.Multi for MULTI, with its
// tools.
func NewSample(variant string, record any) (*Sample, error) {
	text, err := jsontext.Marshal(record, "")
	if err != nil {
		return nil, err
	}
	var of struct {
		DB string `json:"dataset_name"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, err
	}
	return newLoader(&folder.Folder{Variant: variant}, of.DB, nil).sample(text)
}

// loadDatabase reads the samples of one database.
func loadDatabase(f *folder.Folder, db string) (*Dataset, error) {
	records, file, err := f.Records(db, variant.Of(f.Variant).Columns())
	if err != nil {
		return nil, err
	}
	names, err := f.Names(db)
	if err != nil {
		return nil, err
	}
	l := newLoader(f, db, names)
	out := &Dataset{Obfuscated: names != nil}
	for i, text := range records {
		s, err := l.sample(text)
		if err != nil {
			kind := "unreadable record"
			if errors.Is(err, errNoGold) {
				kind = "record without gold"
			}
			out.Problems = append(out.Problems, Problem{File: file, Kind: kind, Text: fmt.Sprintf("record %d: %v", i, err)})
			continue
		}
		out.Samples = append(out.Samples, s)
	}
	return out, nil
}

// errNoGold says that a record has nothing to hold a prediction against.
var errNoGold = errors.New("it has no gold answer or no gold calls")

// list is a list of tools.
type list struct {
	tools  []spec.Tool
	strict bool // whether any of them is
}

// tool is a tool, and whether its format is strict.
type tool struct {
	spec.Tool
	strict bool
}

// loader reads the records of one database.
type loader struct {
	folder *folder.Folder
	db     string
	names  *spec.Names
	files  map[string]*list  // of tools, by the name of the file
	known  map[string]*tool  // by its text
	sets   map[string]*bound // by the sample's keys
}

func newLoader(f *folder.Folder, db string, names *spec.Names) *loader {
	return &loader{folder: f, db: db, names: names, files: map[string]*list{}, known: map[string]*tool{}, sets: map[string]*bound{}}
}

// bound is the functions of SEL samples that have the same keys.
type bound struct {
	set   *sel.Set
	tools func() []spec.Tool // made when strict mode needs them
}

func (l *loader) sample(text json.RawMessage) (*Sample, error) {
	s := &Sample{Variant: l.folder.Variant, DB: l.db, names: l.names}
	var w *fields
	var err error
	switch s.variant().Record.(type) {
	case record.Multi:
		w, err = s.readMulti(text)
	case record.Rest:
		w, err = s.readRest(text)
	default:
		w, err = s.readSlot(text)
	}
	if err != nil {
		return nil, err
	}
	s.Evidence, s.Now = s.Facts.Evidence, s.Facts.AsOf
	s.Facts.Gold.Columns, s.Facts.Gold.Ordered, s.Facts.Gold.Ties = w.gold.Columns, w.gold.Ordered, w.gold.Ties
	if w.answer == nil || w.gold.Rows == nil {
		return nil, errNoGold
	}
	goldRows := w.gold.Rows
	s.Answer, s.rows = w.answer, sync.OnceValues(func() ([][]value.Value, error) { return rows(goldRows) })
	if err := l.list(s, w.tools, w.toolsFile); err != nil {
		return nil, err
	}
	l.bind(s)
	if len(s.Listed) == 0 && s.Start == nil {
		return nil, errNoGold
	}
	for _, c := range s.Listed {
		s.Gold = append(s.Gold, s.Reveal(c))
	}
	return s, nil
}

// list gives a sample the tools that its record lists, or those of the file that
// it names. Lists share their tools, of which a database has far fewer.
func (l *loader) list(s *Sample, listed []json.RawMessage, file string) error {
	if file != "" {
		known := l.files[file]
		if known == nil {
			texts, err := l.folder.Tools(file)
			if err != nil {
				return err
			}
			if known, err = l.read(texts); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			l.files[file] = known
		}
		s.Tools, s.strict = known.tools, known.strict
		return nil
	}
	read, err := l.read(listed)
	if err == nil {
		s.Tools, s.strict = read.tools, read.strict
	}
	return err
}

// read reads a list of tools. Errors name the tool.
func (l *loader) read(texts []json.RawMessage) (*list, error) {
	out := &list{tools: make([]spec.Tool, len(texts))}
	for i, text := range texts {
		known := l.known[string(text)]
		if known == nil {
			t, strict, err := spec.Read(text)
			if err != nil {
				return nil, fmt.Errorf("tool %d of the list: %w", i, err)
			}
			known = &tool{t, strict}
			l.known[string(text)] = known
		}
		out.tools[i], out.strict = known.Tool, out.strict || known.strict
	}
	return out, nil
}

// bind gives a sample the real tools of its calls, which those of a list may
// hide. Endpoints have no others than the listed ones.
func (l *loader) bind(s *Sample) {
	v := s.variant()
	if v.Calls != variant.Tables {
		return
	}
	if !v.Bound {
		s.real = slotTools
		return
	}
	text, err := json.Marshal(s.Start.Keys)
	if err != nil {
		return // keys are texts
	}
	b := l.sets[string(text)]
	if b == nil {
		b = &bound{set: sel.New(slot.Full.Definitions(nil), s.Start.Keys)}
		b.tools = sync.OnceValue(b.set.Specs)
		l.sets[string(text)] = b
	}
	s.set, s.real = b.set, b.tools
}

// plain reads a JSON value as arguments have it, with numbers digit by digit.
func plain(text json.RawMessage) (any, error) {
	if text == nil {
		return nil, nil
	}
	var one tools.Arguments
	err := json.Unmarshal(append(append([]byte(`{"v":`), text...), '}'), &one)
	v, _ := one.Get("v")
	return v, err
}

// rows reads the rows of a record's gold.
func rows(text json.RawMessage) ([][]value.Value, error) {
	out, err := ReadRows(text)
	if err != nil {
		return nil, fmt.Errorf("gold: %w", err)
	}
	return out, nil
}

// ReadRows reads rows in JSON: a list with a list for each row, with values as
// arguments of pkg/tools have them. A number without point and exponent is an
// INTEGER.
func ReadRows(text json.RawMessage) ([][]value.Value, error) {
	v, err := plain(text)
	if err != nil {
		return nil, fmt.Errorf("the rows: %w", err)
	}
	list, ok := v.([]any)
	if !ok && v != nil {
		return nil, errors.New("the rows are no list")
	}
	out := make([][]value.Value, len(list))
	for i, row := range list {
		cells, ok := row.([]any)
		if !ok {
			return nil, fmt.Errorf("row %d is no list; give a list for each row", i)
		}
		out[i] = make([]value.Value, len(cells))
		for j, c := range cells {
			if out[i][j], ok = tools.LiteralValue(c); !ok {
				return nil, fmt.Errorf("row %d has no value in column %d", i, j)
			}
		}
	}
	return out, nil
}

// byKeys returns the samples by their keys, and by their ids alone, with nil for an
// id that several databases have.
func (d *Dataset) byKeys() (byKey map[string]*Sample, byID map[string]*Sample) {
	byKey, byID = map[string]*Sample{}, map[string]*Sample{}
	for _, s := range d.Samples {
		byKey[s.Key()] = s
		if _, twice := byID[s.ID.String()]; twice {
			byID[s.ID.String()] = nil
			continue
		}
		byID[s.ID.String()] = s
	}
	return byKey, byID
}
