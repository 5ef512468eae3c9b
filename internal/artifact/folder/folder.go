package folder

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/spec"
)

// The names of files, or how they end behind the name of a database.
const (
	ReportFile     = "report.json"
	ExamplesFile   = "examples.json"
	ToolsEnd       = ".tools.json"
	ObfuscationEnd = ".obfuscation.json"
)

// Folder is a folder of samples.
type Folder struct {
	Path      string
	Variant   string   // as the report names it
	Databases []string // in the order of the report
	Shortlist int      // percent of the tools that a sample lists
}

// Open reads which databases a folder has. Errors name the file and say what
// would mend it.
func Open(path string) (*Folder, error) {
	name := filepath.Join(path, ReportFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w; name a folder that convert wrote, such as %s", err, cmp.Or(within(path), "out/slot"))
	}
	var report struct {
		Variant   string `json:"variant"`
		Shortlist int    `json:"shortlist"`
		Databases []struct {
			DB string `json:"db_id"`
		} `json:"databases"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("%s is not as convert writes it: %w", name, err)
	}
	f := &Folder{Path: path, Variant: report.Variant, Shortlist: cmp.Or(report.Shortlist, 100)}
	for _, d := range report.Databases {
		f.Databases = append(f.Databases, filepath.Base(d.DB))
	}
	return f, nil
}

// within returns the first folder in a folder that has a report, "" for none.
func within(path string) string {
	found, _ := filepath.Glob(filepath.Join(path, "*", ReportFile)) // the pattern is good, or there is none
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[0])
}

// Records reads the samples of one database, in the format that they have, and
// returns the name of their file with them. Tables have the columns of the folder's
// variant.
func (f *Folder) Records(db string, columns []export.Column) ([]json.RawMessage, string, error) {
	var endings []string
	for _, name := range export.Formats() {
		format, err := export.Parse(name)
		if err != nil {
			return nil, "", err
		}
		endings = append(endings, format.Ext())
		path := filepath.Join(f.Path, db+format.Ext())
		records, err := read(path, format, columns)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", path, err)
		}
		return records, path, nil
	}
	return nil, "", fmt.Errorf("%s: there is no such file with the ending %s, which %s names",
		filepath.Join(f.Path, db), spelling.List(endings, "or"), ReportFile)
}

func read(path string, format export.Format, columns []export.Column) ([]json.RawMessage, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return export.Read(file, info.Size(), format, columns)
}

// Tools reads a list of tools that records name as their tools_file.
func (f *Folder) Tools(file string) ([]json.RawMessage, error) {
	var list []json.RawMessage
	return list, f.json(filepath.Base(file), &list)
}

// Names reads what the names of a database's functions and arguments stand for.
// It returns nil where names are shown.
func (f *Folder) Names(db string) (*spec.Names, error) {
	names := &spec.Names{}
	err := f.json(db+ObfuscationEnd, names)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, err
}

func (f *Folder) json(name string, into any) error {
	path := filepath.Join(f.Path, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s is not as convert writes it: %w", path, err)
	}
	return nil
}
