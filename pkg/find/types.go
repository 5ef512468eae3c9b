package find

import (
	"encoding/json"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/value"
)

// Kind is what a hit is.
type Kind string

// The kinds, in the order in which a result has them.
const (
	KindDatabase Kind = "database"
	KindTable    Kind = "table"
	KindColumn   Kind = "column"
	KindValue    Kind = "value"
	KindTool     Kind = "tool"
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{KindDatabase, KindTable, KindColumn, KindValue, KindTool} }

// Query is what to look for.
type Query struct {
	Text     string // the question
	Evidence string // a hint on what its words mean; may be ""
	DB       string // look in this database only; "" for all
	Kinds    []Kind // what to return; nil for all
	K        int    // hits of each kind at most; default DefaultK, at most MaxK
}

// Bounds of a query.
const (
	DefaultK = 10
	MaxK     = 100
	// MaxText is how many bytes Text and Evidence may have together.
	MaxText = 4000
)

// Result is what was found. Hits of a kind are in the order of their scores, the
// best first; equal scores in the order of the index.
type Result struct {
	// Answerable reports whether the databases seem to have what the question asks
	// for, by Confidence, which is from 0 to 1.
	Answerable bool       `json:"answerable"`
	Confidence float64    `json:"confidence"`
	Reason     string     `json:"reason"` // why Answerable is what it is
	Databases  []Hit      `json:"databases,omitempty"`
	Tables     []Hit      `json:"tables,omitempty"`
	Columns    []Hit      `json:"columns,omitempty"`
	Values     []ValueHit `json:"values,omitempty"`
	Tools      []Hit      `json:"tools,omitempty"`
	Parts      []Part     `json:"parts,omitempty"` // where the question is about several databases
}

// Hit is a database, a table, a column or a tool that was found.
type Hit struct {
	Kind   Kind    `json:"kind"`
	DB     string  `json:"db"`
	Table  string  `json:"table,omitempty"`
	Column string  `json:"column,omitempty"`
	Tool   string  `json:"tool,omitempty"` // its name
	Score  float64 `json:"score"`          // above 0; comparable within one result and kind
	Reason string  `json:"reason"`         // in words, such as: "name: schools; value 'Fresno' in schools.City"
}

// ValueHit is a stored value that words of the question mean.
type ValueHit struct {
	DB     string      `json:"db"`
	Table  string      `json:"table"`
	Column string      `json:"column"`
	Value  value.Value `json:"-"`     // as it is stored; in JSON "value": a string, an integer or a number
	Span   string      `json:"span"`  // the words, as they are in Text or Evidence
	Start  int         `json:"start"` // bytes of Text before them; -1 for words of Evidence and for codes
	Score  float64     `json:"score"`
	Reason string      `json:"reason"` // such as: "the same text", "one letter differs", "F: female"
}

// Part is a piece of a question over several databases, and the database that it
// is about.
type Part struct {
	Text  string  `json:"text"`
	DB    string  `json:"db"`
	Score float64 `json:"score"`
}

// Tool is a tool that can be found, such as an endpoint or a function.
type Tool struct {
	spec.Tool
	DB string
	// Columns are those of the table whose values parameters are compared with, by
	// the parameter's name, as far as they are known.
	Columns map[string]Column
}

// Column is a column of a table.
type Column struct{ Table, Name string }

// Options adjust Build and Open. A zero field means its default.
type Options struct {
	// Hidden are columns whose values are not indexed, and so never returned:
	// "table.column" in every database, "db.table.column", "table.*", or "*" for all.
	Hidden []string
	// Tools are what can be found besides the databases.
	Tools []Tool
	// Source is the URL of a Postgres server that has the databases, as in
	// rest.Options, and AllowWriter accepts a role that may write.
	Source      string
	AllowWriter bool
	// Dir is the folder of the index's files. By default each is next to the file of its
	// database, and there is none of databases on a server. InMemory keeps the index in
	// memory alone.
	Dir string
	// Rebuild has Open build the index, and replace its files, also where these fit.
	Rebuild bool
	Workers int // databases to read at a time; default: the processors
	// Embedder adds rankings by embeddings, if it is not nil.
	Embedder Embedder
	// Warn is called, if not nil, with a sentence for what could not be done.
	Warn func(string)
}

// MarshalJSON writes a value hit with its value: a string, an integer or a number.
func (h ValueHit) MarshalJSON() ([]byte, error) {
	type plain ValueHit
	out := struct {
		plain
		Value any `json:"value"`
	}{plain(h), value.AsText(h.Value)}
	switch h.Value.Kind() {
	case value.Integer:
		out.Value = h.Value.Int64()
	case value.Real:
		out.Value = json.RawMessage(value.AsText(h.Value))
	}
	return json.Marshal(out)
}
