package outdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ListFile is the name of the list of a folder's files.
const ListFile = ".birdcall.json"

// listFormat is the version of the list's form.
const listFormat = 1

// maxList bounds the bytes of a list.
const maxList = 64 << 20

// list names the files of a folder that may be replaced, but for itself.
type list struct {
	Format int      `json:"format"`
	Files  []string `json:"files"` // in ascending order
}

// has reports whether a file of the folder is on the list. We write regular
// files only: a folder or a link of the same name is someone else's.
func (l list) has(e fs.DirEntry) bool {
	_, ok := slices.BinarySearch(l.Files, e.Name())
	return ok && e.Type().IsRegular()
}

// writeList adds the list to the files that were written.
func (d *Dir) writeList() error {
	files := slices.Sorted(slices.Values(d.files))
	return d.JSON(ListFile, list{Format: listFormat, Files: slices.Compact(files)})
}

// readList reads and checks the list of a folder. Without one the error is
// fs.ErrNotExist.
func readList(dir string) (list, error) {
	name := filepath.Join(dir, ListFile)
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s: "+format+"; move the folder away, or choose another --out", append([]any{name}, args...)...)
	}
	info, err := os.Lstat(name)
	if err != nil {
		return list{}, err
	}
	if !info.Mode().IsRegular() {
		return list{}, fail("it is no regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return list{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxList))
	if err != nil {
		return list{}, fail("%w", err)
	}
	var l list
	if err := json.Unmarshal(data, &l); err != nil {
		return list{}, fail("it is broken: %w", err)
	}
	if l.Format != listFormat {
		return list{}, fail("it has format %d, and this version knows %d", l.Format, listFormat)
	}
	for _, file := range l.Files {
		if !isPlain(file) {
			return list{}, fail("%q is no name of a file in this folder", file)
		}
	}
	slices.Sort(l.Files)
	return l, nil
}

// isPlain reports whether a name is that of a file right in its folder.
func isPlain(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}

// check refuses a folder that has files that are not on its list.
func (d *Dir) check() error {
	entries, err := os.ReadDir(d.final)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w; choose another --out", d.name, err)
	}
	l, err := readList(d.final)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w, or of a version that kept no %s: %s; remove the folder or move it away, or choose another --out",
			d.name, ErrForeign, ListFile, first(names(entries)))
	case err != nil:
		return err
	}
	foreign := slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ListFile || l.has(e) })
	if len(foreign) > 0 {
		return fmt.Errorf("%s: %w: %s; move them away, or choose another --out", d.name, ErrForeign, first(names(foreign)))
	}
	return nil
}

func names(entries []fs.DirEntry) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Name()
	}
	return out
}

// first names the first few of many.
func first(names []string) string {
	const limit = 3
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
}
