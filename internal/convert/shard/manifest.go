package shard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/fingerprint"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/slot"
)

// ManifestFile is the name of the manifest in a shard's folder.
const ManifestFile = "shard.json"

// manifestFormat is the version of what a shard's folder holds.
const manifestFormat = 2

// Conversion is what all shards of a conversion have in common: all that the
// work on a question depends on.
type Conversion struct {
	Program   string `json:"program"` // the version of the program
	Variant   string `json:"variant"`
	Toolset   string `json:"toolset,omitempty"`
	Tool      string `json:"tool,omitempty"`
	AsOf      string `json:"as_of"`
	Timeout   string `json:"timeout"`
	MaxValue  int    `json:"max_value"`
	Memory    int64  `json:"question_memory"`
	Messages  bool   `json:"messages"`
	Questions string `json:"questions"` // their StateOfQuestions
}

// Manifest says what a shard's folder holds.
type Manifest struct {
	Format int `json:"format"`
	Number
	Conversion Conversion `json:"conversion"`
	Parts      []Written  `json:"parts"`
	// Seal is the SHA-256 of the manifest as it is without a seal.
	Seal string `json:"seal"`
}

// Written is a part that a shard has worked on.
type Written struct {
	Part
	Database         fingerprint.Database `json:"database"`
	Tables           string               `json:"tables"` // their StateOfTables
	File             string               `json:"file"`   // in the shard's folder
	*fingerprint.Sum                      // of the file
	Needs            *slot.Needs          `json:"needs,omitempty"` // what the sequences use of the tools; of SLOT and SEL
}

// New returns the manifest of a shard without parts.
func New(n Number, c Conversion) *Manifest {
	return &Manifest{Format: manifestFormat, Number: n, Conversion: c, Parts: []Written{}}
}

// Close seals the manifest when all its parts are entered.
func (m *Manifest) Close() (err error) {
	m.Seal, err = m.seal()
	return err
}

// seal returns what Seal is to be.
func (m *Manifest) seal() (string, error) {
	open := *m
	open.Seal = ""
	text, err := jsontext.Marshal(open, "")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Folder returns the folder of a shard of the conversion that is written to out.
func Folder(out string, n Number) string { return fmt.Sprintf("%s.shard-%d-of-%d", out, n.Index, n.Of) }

// Folders returns the folders next to out that are called as shards of it are.
func Folders(out string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(out))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(out)+".shard-") {
			found = append(found, filepath.Join(filepath.Dir(out), e.Name()))
		}
	}
	return found, nil
}

// The reasons not to merge shards, to be tested with errors.Is.
var (
	ErrMissing = errors.New("missing")
	ErrDoubled = errors.New("there twice")
	ErrForeign = errors.New("of another conversion")
	ErrDamaged = errors.New("not as convert writes it")
)

// Shard is a shard that was read.
type Shard struct {
	Path string
	*Manifest
}

// Open reads the shards in folders, which must be all of a conversion, each
// once. It returns them by their numbers.
func Open(folders []string, of Conversion) ([]*Shard, error) {
	if len(folders) == 0 {
		return nil, fmt.Errorf("%w: there is no shard here; run convert with --shard, or name the folders", ErrMissing)
	}
	var first *Shard
	var shards []*Shard
	for _, path := range folders {
		s, err := read(path)
		if err != nil {
			return nil, err
		}
		if difference := s.Conversion.differs(of); difference != "" {
			return nil, fmt.Errorf("%s is %w: %s; convert the shard again, or name the folders that belong together", path, ErrForeign, difference)
		}
		if first == nil {
			first, shards = s, make([]*Shard, s.Of)
		}
		switch {
		case s.Of != first.Of:
			return nil, fmt.Errorf("%s is %w: it is shard %s, and %s is %s; name the folders that belong together, or remove the others", path, ErrForeign, s.Number, first.Path, first.Number)
		case shards[s.Index] != nil:
			return nil, fmt.Errorf("shard %s is %w: %s and %s; remove one of them, or name the folders that belong together", s.Number, ErrDoubled, shards[s.Index].Path, path)
		}
		shards[s.Index] = s
	}
	var missing []string
	for i, s := range shards {
		if s == nil {
			missing = append(missing, Number{i, len(shards)}.String())
		}
	}
	if len(missing) > 0 {
		const limit = 10
		names := strings.Join(missing[:min(limit, len(missing))], ", ")
		if len(missing) > limit {
			names += fmt.Sprintf(" and %d more", len(missing)-limit)
		}
		return nil, fmt.Errorf("%w: shard %s; run convert with --shard %s", ErrMissing, names, missing[0])
	}
	return shards, nil
}

// read reads the manifest of a folder.
func read(path string) (*Shard, error) {
	text, err := os.ReadFile(filepath.Join(path, ManifestFile))
	if err != nil {
		return nil, fmt.Errorf("%w; name folders that convert --shard wrote, or remove what is none", err)
	}
	s := &Shard{Path: path, Manifest: &Manifest{}}
	if err := json.Unmarshal(text, s.Manifest); err != nil {
		return nil, s.Damaged(err)
	}
	if s.Format != manifestFormat {
		return nil, fmt.Errorf("%s is %w: its form is number %d, and this version writes %d; convert it again", path, ErrForeign, s.Format, manifestFormat)
	}
	if _, err := Parse(s.Number.String()); err != nil {
		return nil, s.Damaged(err)
	}
	seal, err := s.seal()
	if err != nil {
		return nil, err
	}
	if seal != s.Seal {
		return nil, s.Damaged(fmt.Errorf("%s was changed after it was written", ManifestFile))
	}
	return s, nil
}

// CheckFiles reads the files of the shard's parts and compares them with the
// manifest.
func (s *Shard) CheckFiles(ctx context.Context) error {
	for _, p := range s.Parts {
		sum, err := fingerprint.OfFile(ctx, filepath.Join(s.Path, filepath.Base(p.File)))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return s.Damaged(err)
		case p.Sum == nil || *sum != *p.Sum:
			return s.Damaged(fmt.Errorf("%s was changed after it was written: its SHA-256 is not that of %s", p.File, ManifestFile))
		}
	}
	return nil
}

// Damaged says that something in the shard's folder is not as it was written.
func (s *Shard) Damaged(why error) error {
	return fmt.Errorf("%s is %w: %w; run convert with --shard %s again", s.Path, ErrDamaged, why, s.Number)
}

// Check reports whether the shard has worked on these parts.
func (s *Shard) Check(parts []Part) error {
	if !slices.EqualFunc(s.Parts, parts, func(w Written, p Part) bool { return w.Part == p }) {
		return s.Damaged(errors.New("its parts are others than those of its number"))
	}
	return nil
}

// differs says in what a shard's conversion is not the one that is merged, ""
// if it is.
func (c Conversion) differs(of Conversion) string {
	for _, one := range []struct{ what, got, want string }{
		{"--variant", c.Variant, of.Variant},
		{"the program", c.Program, of.Program},
		{"--toolset", c.Toolset, of.Toolset},
		{"--tool", c.Tool, of.Tool},
		{"--as-of", c.AsOf, of.AsOf},
		{"--timeout", c.Timeout, of.Timeout},
		{"--max-value", fmt.Sprint(c.MaxValue), fmt.Sprint(of.MaxValue)},
		{"--question-memory", fmt.Sprint(c.Memory), fmt.Sprint(of.Memory)},
		{"--messages", fmt.Sprint(c.Messages), fmt.Sprint(of.Messages)},
	} {
		if one.got != one.want {
			return fmt.Sprintf("%s was %s, and is %s for this merge", one.what, one.got, one.want)
		}
	}
	if c.Questions != of.Questions {
		return "its questions are others"
	}
	return ""
}
