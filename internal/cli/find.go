package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/search/embed"
	"github.com/birdcall/birdcall/pkg/find"
)

// IndexFolder returns where the index of a dataset is, as find.Options.Dir has it: in
// the folder that is given, else in the folder find of the dataset. It is "" for the
// embedded sample, which has neither.
func IndexFolder(given, dataset, questions string) string {
	switch {
	case given != "":
		return given
	case dataset != "":
		return filepath.Join(dataset, "find")
	case questions != "":
		return filepath.Join(filepath.Dir(questions), "find")
	}
	return ""
}

// Embeddings are the flags of a model that makes vectors of texts.
type Embeddings struct{ url, model, keyEnv string }

// AddFlags adds the flags.
func (e *Embeddings) AddFlags(set *pflag.FlagSet) {
	set.StringVar(&e.url, "embeddings", "", "address of an endpoint that speaks OpenAI's embeddings, to which /embeddings is added: rankings by its vectors are joined with those by words (default: words alone)")
	set.StringVar(&e.model, "embedding-model", "", "the endpoint's name of the model of --embeddings")
	set.StringVar(&e.keyEnv, "embeddings-key-env", "OPENAI_API_KEY", "environment variable that has the key of --embeddings; it may be unset where the endpoint asks for none")
}

// Check looks for values that make no sense.
func (e *Embeddings) Check(set *pflag.FlagSet) error {
	if err := NotEmpty(set,
		Flag{"embeddings", "give an address such as http://127.0.0.1:8000/v1, or leave the flag out"},
		Flag{"embedding-model", "give the endpoint's name of a model"},
		Flag{"embeddings-key-env", "give the name of a variable, or leave the flag out for OPENAI_API_KEY"},
	); err != nil {
		return err
	}
	switch {
	case e.url == "" && e.model != "":
		return errors.New("--embedding-model: give the address of the endpoint with --embeddings, or leave the flag out")
	case e.url != "" && e.model == "":
		return errors.New("--embeddings: give the endpoint's name of the model with --embedding-model, or leave the flag out")
	}
	return nil
}

// Embedder returns what asks the endpoint, or nil where there is none. Vectors are kept
// in a folder, or in memory; warn is called for a file that is of no use.
func (e *Embeddings) Embedder(folder string, warn func(string)) (find.Embedder, error) {
	if e.url == "" {
		return nil, nil
	}
	client, err := chatapi.New(chatapi.Options{
		BaseURL: e.url, Key: os.Getenv(e.keyEnv),
		Flags: chatapi.Flags{Address: "--embeddings", Key: "--embeddings-key-env", Model: "--embedding-model"},
	})
	if err != nil {
		return nil, err
	}
	o := embed.Options{Asker: client, Model: e.model, Warn: warn}
	if folder != "" && folder != find.InMemory {
		o.File = filepath.Join(folder, embed.FileName(e.model))
	}
	out, err := embed.New(o)
	if err != nil {
		return nil, fmt.Errorf("--embedding-model: %w", err)
	}
	return out, nil
}
