package stats

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// Row is one line of table 3.
type Row struct {
	Samples       int     `json:"samples"`
	Tools         int     `json:"tools"`          // names in all databases together
	AverageLength float64 `json:"average_length"` // calls per sample
	AverageSlots  float64 `json:"average_slots"`  // arguments per call
}

// Universe is one line of table 4: how many tools a database has, and how many
// make a share of 10, 25, 50, 75 and 100 percent.
type Universe struct {
	DB     string `json:"db_id"`
	Tools  int    `json:"tools"`
	Tokens int    `json:"tokens"`
	Shares []int  `json:"shares"`
	Paper  []int  `json:"paper_shares,omitempty"`
}

// Stats are the numbers of one variant.
type Stats struct {
	Ours  Row  `json:"ours"`
	Paper *Row `json:"paper,omitempty"`
	// SampleTools and SampleTokens are the average size of a sample's tool
	// list; tokens are counted in words, numbers and marks.
	SampleTools  float64    `json:"tools_per_sample"`
	SampleTokens float64    `json:"tokens_per_sample"`
	Counter      string     `json:"token_counter"`
	Databases    []Universe `json:"universes"`

	variant string
	sizes   spec.Size
}

// paperRows is the paper's table 3. Its line for REST has the numbers of
// samples and tools in the other order than its text; this is the text's.
var paperRows = map[string]Row{
	record.SLOT: {665, 7, 2.7, 3.29},
	record.SEL:  {651, 1256, 2.9, 0.05},
	record.REST: {1250, 1267, 1, 1.38},
}

// paperShares is the paper's table 4, by variant and database. It is of REST alone.
var paperShares = map[string]map[string][]int{record.REST: {
	"formula_1":               {12, 31, 63, 94, 126},
	"card_games":              {15, 38, 77, 115, 154},
	"superhero":               {10, 27, 54, 81, 109},
	"codebase_community":      {15, 39, 78, 117, 156},
	"thrombosis_prediction":   {13, 33, 67, 101, 135},
	"toxicology":              {9, 23, 47, 71, 95},
	"financial":               {9, 22, 45, 68, 91},
	"california_schools":      {7, 18, 37, 56, 75},
	"student_club":            {13, 32, 65, 97, 130},
	"european_football_2":     {11, 29, 59, 88, 118},
	"debit_card_specializing": {6, 15, 30, 45, 61},
}}

// New returns the statistics of a variant without any samples yet.
func New(variant string) *Stats {
	s := &Stats{variant: variant, Counter: spec.Counter, Databases: []Universe{}}
	if row, ok := paperRows[variant]; ok {
		s.Paper = &row
	}
	return s
}

// AddDatabase adds the size of one database's tool list.
func (s *Stats) AddDatabase(db string, size spec.Size) {
	u := Universe{DB: db, Tools: size.Tools, Tokens: size.Tokens}
	for _, percent := range spec.ShortlistPercents() {
		u.Shares = append(u.Shares, size.Tools*percent/100)
	}
	u.Paper = slices.Clone(paperShares[s.variant][db])
	s.Databases = append(s.Databases, u)
}

// AddSample counts the size of one sample's tool list.
func (s *Stats) AddSample(size spec.Size) {
	s.sizes.Tools += size.Tools
	s.sizes.Tokens += size.Tokens
	s.Ours.Samples++
}

// Finish computes the averages. names is how many names the tools of all
// databases have; calls and slots are the sums over the samples.
func (s *Stats) Finish(names, calls, slots int) {
	s.Ours.Tools = names
	s.Ours.AverageLength = Ratio(calls, s.Ours.Samples)
	s.Ours.AverageSlots = Ratio(slots, calls)
	s.SampleTools = Ratio(s.sizes.Tools, s.Ours.Samples)
	s.SampleTokens = Ratio(s.sizes.Tokens, s.Ours.Samples)
}

// Ratio is a/b to two digits after the point, 0 for b = 0.
func Ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(int(float64(a)/float64(b)*100+0.5)) / 100
}

// Write writes the tables for people.
func (s *Stats) Write(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "\tsamples\ttools\tcalls per sample\tslots per call\t")
	row := func(name string, r Row) {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.2f\t%.2f\t\n", name, r.Samples, r.Tools, r.AverageLength, r.AverageSlots)
	}
	row("ours", s.Ours)
	if s.Paper != nil {
		row("paper", *s.Paper)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA sample lists %.1f tools in %.0f tokens (%s).\n\n", s.SampleTools, s.SampleTokens, s.Counter)
	fmt.Fprint(tw, "tools of\t")
	hasShares := slices.ContainsFunc(s.Databases, func(u Universe) bool { return u.Tools > 1 }) // one tool has none
	if hasShares {
		fmt.Fprint(tw, "10%\t25%\t50%\t75%\t100%\t")
	}
	isPaper := slices.ContainsFunc(s.Databases, func(u Universe) bool { return u.Paper != nil })
	if isPaper {
		fmt.Fprint(tw, "paper\t")
	}
	fmt.Fprintln(tw, "tokens\t")
	for _, u := range s.Databases {
		fmt.Fprintf(tw, "%s\t", table.Plain(u.DB))
		if hasShares {
			for _, n := range u.Shares {
				fmt.Fprintf(tw, "%d\t", n)
			}
		}
		if isPaper {
			fmt.Fprintf(tw, "%s\t", paperTools(u))
		}
		fmt.Fprintf(tw, "%d\t\n", u.Tokens)
	}
	return tw.Flush()
}

// paperTools is the paper's number of all tools, "" for a database that is not
// its own. The shares follow from it as ours do.
func paperTools(u Universe) string {
	if u.Paper == nil {
		return ""
	}
	return strconv.Itoa(u.Paper[len(u.Paper)-1])
}
