package explorer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Options of New. The zero Options show what the environment alone knows.
type Options struct {
	API     *rest.API // the endpoints to browse; nil for none
	Samples []string  // folders that convert wrote, for their reports
	// Evaluation is the folder that evaluate was given as --out, or the folder
	// score in it; "" for none.
	Evaluation string
	MaxRows    int // of an endpoint's answer, as the service has it; default rest.DefaultMaxRows
	// Failed is called with failures of the service itself. It may be nil.
	Failed func(r *http.Request, err error)
}

// Explorer is the page and its data. Make it with New.
type Explorer struct {
	env     *episode.Environment
	opts    Options
	scores  string // the folder score of the evaluation, or ""
	reports []*pipeline.Report
	page    map[string]file
	byDB    map[string]*questions
}

// questions are those of a database. Their SQL is parsed when the first of them
// is asked for.
type questions struct {
	list       []*bird.Question
	constructs func() [][]string // of each of the list
}

// New returns an explorer of an environment's dataset. Errors name the file that
// is not as it should be.
func New(env *episode.Environment, o Options) (*Explorer, error) {
	o.MaxRows = cmp.Or(o.MaxRows, rest.DefaultMaxRows)
	x := &Explorer{env: env, opts: o, byDB: map[string]*questions{}}
	var err error
	if x.page, err = readPage(); err != nil {
		return nil, err
	}
	for _, dir := range o.Samples {
		r, err := readReport(dir)
		if err != nil {
			return nil, err
		}
		x.reports = append(x.reports, r)
	}
	order := variant.Single()
	slices.SortStableFunc(x.reports, func(a, b *pipeline.Report) int {
		return slices.Index(order, a.Variant) - slices.Index(order, b.Variant)
	})
	if o.Evaluation != "" {
		if x.scores, err = scoresIn(o.Evaluation); err != nil {
			return nil, err
		}
	}
	dataset := env.Dataset()
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		if x.byDB[q.DB] == nil {
			x.byDB[q.DB] = &questions{}
		}
		x.byDB[q.DB].list = append(x.byDB[q.DB].list, q)
	}
	for _, all := range x.byDB {
		all.constructs = sync.OnceValue(func() [][]string { return constructsOf(all.list) })
	}
	return x, nil
}

// readReport reads what convert reported of a folder of samples.
func readReport(dir string) (*pipeline.Report, error) {
	path := filepath.Join(dir, folder.ReportFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; name a folder that convert wrote, such as out/slot", err)
	}
	r := &pipeline.Report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s is not as convert writes it: %w", path, err)
	}
	return r, nil
}

// notParsed stands for the constructs of a statement that is not read.
const notParsed = "(not parsed)"

func constructsOf(list []*bird.Question) [][]string {
	out := make([][]string, len(list))
	for i, q := range list {
		out[i] = []string{notParsed}
		if parsed, err := sqltree.Parse(q.SQL); err == nil {
			out[i] = parsed.Constructs()
		}
	}
	return out
}

// find returns a question and the constructs of its SQL.
func (x *Explorer) find(db, id string) (*bird.Question, []string) {
	all := x.byDB[db]
	if all == nil {
		return nil, nil
	}
	for i, q := range all.list {
		if q.ID.String() == id {
			return q, all.constructs()[i]
		}
	}
	return nil, nil
}
