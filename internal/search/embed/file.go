package embed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
)

// form is the first line of a file.
const form = "birdcall vectors 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// load reads a file. There are none where there is no file.
func load(path string) (map[key][]float32, int, error) {
	kept := map[key][]float32{}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return kept, 0, nil
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, errors.New("it is no regular file")
	case info.Size() > maxFile:
		return nil, 0, errors.New("it is too large")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	return read(data)
}

// read returns the vectors of a file and their length.
func read(data []byte) (map[key][]float32, int, error) {
	const head, sum = len(form) + 8, 4
	if len(data) < head+sum || !bytes.HasPrefix(data, []byte(form)) {
		return nil, 0, errors.New("it is no file of vectors")
	}
	body, check := data[:len(data)-sum], binary.LittleEndian.Uint32(data[len(data)-sum:])
	length, count := int(binary.LittleEndian.Uint32(data[len(form):])), int(binary.LittleEndian.Uint32(data[len(form)+4:]))
	if length < 1 || length > maxNumbers || len(body) != head+count*(len(key{})+4*length) || crc32.Checksum(body, castagnoli) != check {
		return nil, 0, errors.New("it is broken")
	}
	kept := make(map[key][]float32, count)
	for rest := body[head:]; len(rest) > 0; {
		k := key(rest)
		rest = rest[len(k):]
		v := make([]float32, length)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
		}
		kept[k], rest = v, rest[4*length:]
	}
	return kept, length, nil
}

// save writes the file anew if there are new vectors.
func (e *Embedder) save(asked int) error {
	if asked == 0 || e.opts.File == "" {
		return nil
	}
	e.mu.Lock()
	if bytes := len(e.kept) * (len(key{}) + 4*e.length); bytes == 0 || bytes > maxFile/2 {
		e.mu.Unlock()
		return nil
	}
	text := write(e.kept, e.length)
	e.mu.Unlock()
	err := os.MkdirAll(filepath.Dir(e.opts.File), 0o755)
	if err == nil {
		err = outdir.WriteFile(e.opts.File, text)
	}
	if err != nil {
		return fmt.Errorf("vectors of %s: %w", e.opts.Model, err)
	}
	return nil
}

// write returns the file of vectors, the same for the same ones.
func write(kept map[key][]float32, length int) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(form), uint32(length))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(kept)))
	for _, k := range slices.SortedFunc(maps.Keys(kept), func(a, b key) int { return bytes.Compare(a[:], b[:]) }) {
		out = append(out, k[:]...)
		for _, x := range kept[k] {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// FileName returns the name of the file that keeps the vectors of a model, which may
// have characters in its name that a file's may not.
func FileName(model string) string {
	sum := (&Embedder{opts: Options{Model: model}}).key("")
	return fmt.Sprintf("vectors-%x.bin", sum[:6])
}
