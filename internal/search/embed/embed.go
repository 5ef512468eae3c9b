package embed

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/db/recent"
)

// Asker asks for the vectors of texts, in their order; *chatapi.Client is one.
type Asker interface {
	Embeddings(ctx context.Context, model string, texts []string) ([][]float32, error)
}

// Options of New.
type Options struct {
	Asker Asker
	Model string // the endpoint's name of the model
	File  string // that keeps vectors; "" for none
	// Warn is called, if not nil, with a sentence for a file that is of no use.
	Warn func(string)
}

// The bounds of a request and of what is kept.
const (
	maxTexts   = 128       // of one request
	maxBytes   = 128 << 10 // of their texts
	maxText    = 8 << 10   // of one of them; the rest is left out
	maxNumbers = 1 << 14   // of one vector
	maxFile    = 1 << 30   // bytes of a file
	keptAlone  = 1024      // vectors of texts that were asked for alone
)

// key is the hash of a model and a text.
type key [sha256.Size]byte

// Embedder gives vectors. Several goroutines may use it at once. Make it with New.
type Embedder struct {
	opts  Options
	alone recent.Cache[key, []float32]

	asking sync.Mutex // for several texts: one goroutine at a time, as it writes the file
	mu     sync.Mutex
	kept   map[key][]float32
	length int // of all vectors; 0 while none is known
}

// New returns an embedder. A file that is not there is made when there are vectors for
// it, and one that is broken is replaced.
func New(o Options) (*Embedder, error) {
	if o.Model == "" {
		return nil, errors.New("no model is named")
	}
	e := &Embedder{opts: o, alone: recent.New[key, []float32](keptAlone), kept: map[key][]float32{}}
	if o.File == "" {
		return e, nil
	}
	kept, length, err := load(o.File)
	switch {
	case err != nil && o.Warn != nil:
		o.Warn(fmt.Sprintf("%s cannot be used, and vectors are asked for again: %v", o.File, err))
	case err == nil:
		e.kept, e.length = kept, length
	}
	return e, nil
}

// Model returns the endpoint's name of the model.
func (e *Embedder) Model() string { return e.opts.Model }

// Embed returns the vectors of texts, all of one length: those that are kept, and those
// that the endpoint gives. Texts of more than 8 KiB are cut. Errors are the context's,
// the endpoint's, and those of writing the file.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 1 {
		return e.one(ctx, texts[0])
	}
	e.asking.Lock()
	defer e.asking.Unlock()
	keys := make([]key, len(texts))
	missing, seen := []string{}, map[key]bool{}
	for i, text := range texts {
		keys[i] = e.key(text)
		if e.known(keys[i]) == nil && !seen[keys[i]] {
			seen[keys[i]] = true
			missing = append(missing, text)
		}
	}
	err := e.ask(ctx, missing)
	// What was answered before an error is kept too: it has been paid for.
	if saved := e.save(len(missing)); err == nil {
		err = saved
	}
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, k := range keys {
		out[i] = e.known(k)
	}
	return out, nil
}

// one returns the vector of a text alone.
func (e *Embedder) one(ctx context.Context, text string) ([][]float32, error) {
	k := e.key(text)
	if v := e.known(k); v != nil {
		return [][]float32{v}, nil
	}
	if v, ok := e.alone.Get(k); ok {
		return [][]float32{v}, nil
	}
	got, err := e.request(ctx, []string{cut(text)})
	if err != nil {
		return nil, err
	}
	return [][]float32{e.alone.Put(k, got[0])}, nil
}

// ask keeps the vectors of texts.
func (e *Embedder) ask(ctx context.Context, texts []string) error {
	for len(texts) > 0 {
		var batch []string
		for bytes := 0; len(texts) > len(batch) && len(batch) < maxTexts; {
			text := cut(texts[len(batch)])
			if bytes += len(text); bytes > maxBytes && len(batch) > 0 {
				break
			}
			batch = append(batch, text)
		}
		got, err := e.request(ctx, batch)
		if err != nil {
			return err
		}
		e.mu.Lock()
		for i := range batch {
			e.kept[e.key(texts[i])] = got[i]
		}
		e.mu.Unlock()
		texts = texts[len(batch):]
	}
	return nil
}

// request asks the endpoint and holds the length of the vectors against that of others.
func (e *Embedder) request(ctx context.Context, batch []string) ([][]float32, error) {
	got, err := e.opts.Asker.Embeddings(ctx, e.opts.Model, batch)
	if err != nil {
		return nil, fmt.Errorf("vectors of %s: %w", e.opts.Model, err)
	}
	if len(got) != len(batch) {
		return nil, fmt.Errorf("vectors of %s: there are %d for %d texts", e.opts.Model, len(got), len(batch))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, v := range got {
		switch {
		case len(v) == 0 || len(v) > maxNumbers:
			return nil, fmt.Errorf("vectors of %s: one has %d numbers, and may have 1 to %d", e.opts.Model, len(v), maxNumbers)
		case e.length == 0:
			e.length = len(v)
		case e.length != len(v):
			return nil, fmt.Errorf("vectors of %s: one has %d numbers, and those before have %d; is it another model of that name? Then remove the file of vectors beside the index", e.opts.Model, len(v), e.length)
		}
	}
	return got, nil
}

func (e *Embedder) known(k key) []float32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.kept[k]
}

// key returns the hash of a text and the model.
func (e *Embedder) key(text string) key {
	return sha256.Sum256([]byte(e.opts.Model + "\x00" + cut(text)))
}

// cut returns what is sent of a text. Endpoints refuse one that is empty.
func cut(text string) string {
	if text = strings.ToValidUTF8(text, "�"); len(text) > maxText {
		end := maxText
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	if strings.TrimSpace(text) == "" {
		return "-"
	}
	return text
}
