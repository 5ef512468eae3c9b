package export

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"github.com/birdcall/birdcall/internal/db/fingerprint"
)

// CardFile is the name of a dataset card in its folder.
const CardFile = "README.md"

// Card describes a folder of tables for people and for Hugging Face's Hub,
// which reads the YAML at its head
// (https://huggingface.co/docs/hub/datasets-manual-configuration).
type Card struct {
	Title   string
	Summary string // what the records are, in Markdown
	Split   string // what it has besides letters, digits and underscores becomes _
	License string // as the Hub names it, such as cc-by-4.0; "" where it is not known
	Source  string // what the records are made of, for people, such as BIRD dev; may be ""
	Files   []string
	Columns []Column
	Rows    int
	// Databases are those that the records are made of.
	Databases []fingerprint.Database
}

// Write writes the card. The error is that of w.
func (c Card) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "---\npretty_name: %q\ntags:\n- tool-calling\n- function-calling\nsize_categories:\n- %s\n", c.Title, sizeCategory(c.Rows))
	if c.License != "" {
		fmt.Fprintf(&b, "license: %s\n", c.License)
	}
	b.WriteString("configs:\n- config_name: default\n  data_files:\n")
	fmt.Fprintf(&b, "  - split: %s\n    path:\n", splitName(c.Split))
	for _, f := range c.Files {
		fmt.Fprintf(&b, "    - %q\n", f)
	}
	b.WriteString("dataset_info:\n  config_name: default\n  features:\n")
	for _, col := range c.Columns {
		switch col.Kind {
		case Flag:
			fmt.Fprintf(&b, "  - name: %s\n    dtype: bool\n", col.Name)
		case List:
			feature(&b, col.Name, col.list, "  ")
		default:
			fmt.Fprintf(&b, "  - name: %s\n    dtype: string\n", col.Name)
		}
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n%s\n\n", c.Title, c.Summary)
	fmt.Fprintf(&b, "%d rows in %d files. The folder loads as it is: `datasets.load_dataset(\"<folder>\")`.\n\n", c.Rows, len(c.Files))
	b.WriteString(c.origin())
	c.databases(&b)
	b.WriteString("| column | cells |\n|---|---|\n")
	for _, col := range c.Columns {
		fmt.Fprintf(&b, "| `%s` | %s |\n", col.Name, []string{"text", "true or false", "JSON, as text", "list of objects"}[col.Kind])
	}
	b.WriteString("\nA column of JSON holds the record's field as text, since its form differs from record to record: `json.loads(row[\"output\"])`.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// databases writes which data the databases had.
func (c Card) databases(b *strings.Builder) {
	if len(c.Databases) == 0 {
		return
	}
	b.WriteString("The databases that the calls were executed on:\n\n| database | bytes | SHA-256 |\n|---|---:|---|\n")
	for _, d := range c.Databases {
		if d.Sum == nil {
			fmt.Fprintf(b, "| `%s` | | on a server |\n", d.DB)
			continue
		}
		fmt.Fprintf(b, "| `%s` | %d | `%s` |\n", d.DB, d.Bytes, d.SHA256)
		if d.WAL != nil {
			fmt.Fprintf(b, "| `%s`, write-ahead log | %d | `%s` |\n", d.DB, d.WAL.Bytes, d.WAL.SHA256)
		}
	}
	b.WriteString("\n")
}

// feature writes what the Hub has to know of a field: a text, an object of fields
// or a list of objects.
func feature(b *strings.Builder, name string, t reflect.Type, indent string) {
	fmt.Fprintf(b, "%s- name: %s\n", indent, name)
	indent += "  "
	switch t.Kind() {
	case reflect.Slice:
		t = t.Elem()
		fmt.Fprintf(b, "%slist:\n", indent)
	case reflect.Struct:
		fmt.Fprintf(b, "%sstruct:\n", indent)
	default:
		fmt.Fprintf(b, "%sdtype: string\n", indent)
		return
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		feature(b, name, t.Field(i).Type, indent)
	}
}

// origin says what the records are made of and under which licence.
func (c Card) origin() string {
	text := fmt.Sprintf("The questions are those of the split `%s`", c.Split)
	if c.Source != "" {
		text += " of " + c.Source
	}
	if c.License == "" {
		return text + ". Nothing tells the licence of the questions and databases; see where they come from before you pass these records on.\n\n"
	}
	return text + fmt.Sprintf(". Licence: %s, as of the questions and databases that the records are made of.\n\n", c.License)
}

// licenseName is what the Hub takes for the name of a licence.
var licenseName = regexp.MustCompile(`^[a-z0-9]+([.+-][a-z0-9]+)*\+?$`)

// CheckLicense refuses what the Hub would not take for the name of a licence.
func CheckLicense(name string) error {
	if name != "" && !licenseName.MatchString(name) {
		return fmt.Errorf("licence %q: give its name as the Hub lists it, such as cc-by-4.0, mit or other (https://huggingface.co/docs/hub/repositories-licenses)", name)
	}
	return nil
}

// splitName makes a name that the Hub takes for a split.
func splitName(s string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
	if strings.Trim(name, "_") == "" {
		return "train" // as the Hub calls what has no name
	}
	return name
}

// sizeCategory is the Hub's name for a number of rows.
func sizeCategory(rows int) string {
	switch {
	case rows < 1000:
		return "n<1K"
	case rows < 10_000:
		return "1K<n<10K"
	}
	return "10K<n<100K"
}
