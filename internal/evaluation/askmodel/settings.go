package askmodel

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/spec"
)

// settings are what answers depend on. The address of the endpoint is not among
// them: the same model may be served elsewhere.
type settings struct {
	Model       string        `json:"model"`
	Mode        evaluate.Mode `json:"mode"`
	Native      bool          `json:"native"`
	Temperature *float64      `json:"temperature"`
	TopP        *float64      `json:"top_p"`
	MaxTokens   int           `json:"max_tokens"`
	MaxTools    int           `json:"max_tools"` // 0 where tools are in the text
	Loops       int           `json:"loops"`     // 0 but for ReAct and agents
	Search      bool          `json:"search_tools,omitempty"`
	Prompts     string        `json:"prompts_sha256"`
	Samples     string        `json:"samples_sha256"`
}

// settingsOf returns the settings that options have.
func settingsOf(o *Options) (settings, error) {
	s := settings{
		Model: o.Model, Mode: o.Mode, Native: o.Native, Search: o.Search, Prompts: o.Prompts.Hash(),
		Temperature: o.Sampling.Temperature, TopP: o.Sampling.TopP, MaxTokens: o.Sampling.MaxTokens,
	}
	if o.Native {
		s.MaxTools = o.MaxTools
	}
	if o.Mode == evaluate.ReAct || o.Mode == evaluate.Agent {
		s.Loops = o.Loops
	}
	var err error
	s.Samples, err = hashOf(o.Samples)
	return s, err
}

// hashOf says whether two datasets show a model the same.
func hashOf(samples []*evaluate.Sample) (string, error) {
	sum := sha256.New()
	var b bytes.Buffer
	for _, s := range samples {
		b.Reset()
		err := jsontext.Append(&b, struct {
			Variant, DB, ID, Question, Evidence, System, Now string
			Tools                                            []spec.Tool
		}{s.Variant, s.DB, s.ID.String(), s.Question, s.Evidence, s.System, s.Now, s.Tools})
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.Key(), err)
		}
		sum.Write(b.Bytes())
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// flags returns the settings by the flags that give them.
func (s settings) flags() [][2]string {
	text := func(v any) string {
		if p, ok := v.(*float64); ok && p == nil {
			return "the endpoint's own"
		}
		data, _ := json.Marshal(v) // numbers, texts and booleans
		return string(data)
	}
	return [][2]string{
		{"--model", text(s.Model)}, {"--mode", text(s.Mode)}, {"--native", text(s.Native)},
		{"--temperature", text(s.Temperature)}, {"--top-p", text(s.TopP)}, {"--max-tokens", text(s.MaxTokens)},
		{"--max-tools", text(s.MaxTools)}, {"--loops", text(s.Loops)}, {"--search-tools", text(s.Search)},
		{"--prompts", "other templates: " + s.Prompts[:12]}, {"--dataset", "other samples: " + s.Samples[:12]},
	}
}

// agree writes the settings down where none are, and else refuses others.
func (s settings) agree(path string, isNew bool) error {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isNew:
		text, err := jsontext.Marshal(s, "  ")
		if err != nil {
			return err
		}
		return writeWhole(path, append(text, '\n'))
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is missing, so that it is not known how the answers beside it were asked for; move them away, or give another --name or --out", path)
	case err != nil:
		return err
	}
	var before settings
	if err := json.Unmarshal(data, &before); err != nil || len(before.Prompts) < 12 || len(before.Samples) < 12 {
		return fmt.Errorf("%s is broken; move it and the answers beside it away, or give another --name or --out", path)
	}
	var differ []string
	then, now := before.flags(), s.flags()
	for i, f := range now {
		if was := then[i][1]; was != f[1] {
			differ = append(differ, fmt.Sprintf("%s was %s and is %s", f[0], was, f[1]))
		}
	}
	if len(differ) > 0 {
		return fmt.Errorf("%s: the answers there were asked for with other settings: %s; give those again, or another --name or --out", path, strings.Join(differ, ", "))
	}
	return nil
}
