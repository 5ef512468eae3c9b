package mixed

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
	"github.com/birdcall/birdcall/internal/federation/openapi"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/value"
)

// side is a database whose tables are partly behind the API. One goroutine uses it
// at a time, so that a statement's calls do not depend on others.
type side struct {
	*subject
	behind   APIPlacement
	client   *Client
	declared *openapi.Declaration
	watch    *watched
	db       *sqlite.DB
	wanted   map[string]bool // tables of which a statement wanted rows
}

// openSide opens a database together with a declaration, as the client of that name.
func (x *subject) openSide(ctx context.Context, s *Service, name string, b APIPlacement, functions bool, how Asking) (_ *side, err error) {
	out := &side{subject: x, behind: b, client: s.Client(name), wanted: map[string]bool{}}
	apis := &apis.Database{ID: x.info.ID}
	if text := Declare([]APIPlacement{b}, functions, how); text != nil {
		if out.declared, err = load(ctx, text, out.client.URL); err != nil {
			return nil, err
		}
		apis = out.declared.Database(x.info.ID)
	}
	out.watch = &watched{External: vtab.New(apis, false), apis: apis, rows: x.rows}
	at := sqlite.Location{Path: x.info.Path, FS: x.info.FS, Name: x.info.Name}
	if out.db, err = sqlite.Open(ctx, at, sqlite.Options{External: out.watch}); err != nil {
		out.closeDeclared()
		return nil, err
	}
	return out, nil
}

// load reads a declaration.
func load(ctx context.Context, text []byte, server string) (_ *openapi.Declaration, err error) {
	dir, err := os.MkdirTemp("", "birdcall-mixed-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, declarationFile)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	return openapi.Load(ctx, path, func(name string) (string, bool) { return server, name == ServerVariable })
}

func (d *side) closeDeclared() {
	if d.declared != nil {
		d.declared.Close()
	}
}

func (d *side) close() error {
	d.closeDeclared()
	return d.db.Close()
}

// answer is what a statement gave and what it took.
type answer struct {
	rows [][]value.Value
	err  error
	took time.Duration
	cost Cost
	made []Call
	read []string // tables of the API that SQLite has read
}

// ask runs a statement.
func (d *side) ask(ctx context.Context, sql string, timeout time.Duration) *answer {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	log := &vtab.Log{}
	before := d.client.Total()
	d.watch.asked = nil
	start := time.Now()
	result, err := d.db.Query(vtab.WithLog(ctx, log), sql)
	a := &answer{err: err, took: time.Since(start)}
	if err == nil {
		a.rows = result.Rows
	}
	calls, rounds := log.Calls()
	a.cost = Cost{Calls: len(calls), Rounds: rounds, Requests: d.client.Total() - before}
	for _, c := range calls {
		a.cost.Attempts += c.Attempts
		a.cost.Bytes += c.Bytes
		a.made = append(a.made, Call{Operation: c.Operation, Path: strings.TrimPrefix(c.URL, d.client.URL), Rows: c.Rows})
	}
	// They end in any order.
	slices.SortFunc(a.made, func(a, b Call) int {
		if n := strings.Compare(a.Operation, b.Operation); n != 0 {
			return n
		}
		return strings.Compare(a.Path, b.Path)
	})
	if d.watch.asked != nil {
		a.cost.Least = d.watch.least()
		var wanted []string
		a.read, wanted = d.watch.tablesRead()
		for _, name := range wanted {
			d.wanted[name] = true
		}
	}
	return a
}

// reasons are the names of what a statement may fail with.
var reasons = []struct {
	err  error
	name string
}{
	{context.DeadlineExceeded, "timeout"},
	{sqlite.ErrForbidden, "forbidden"},
	{sqlite.ErrNeedsKey, "value needed"},
	{sqlite.ErrTooLarge, "answer too large"},
	{apis.ErrBudget, "budget"},
	{fetch.ErrRate, "429"},
	{fetch.ErrServer, "5xx"},
	{fetch.ErrRefused, "request refused"},
	{fetch.ErrNetwork, "network"},
	{fetch.ErrPaging, "paging"},
	{fetch.ErrMalformed, "malformed"},
	{fetch.ErrNotJSON, "no JSON"},
	{fetch.ErrTooLarge, "response too large"},
	{fetch.ErrRedirect, "redirect"},
}

// reasonOf names what a statement failed with.
func reasonOf(err error) string {
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return r.name
		}
	}
	return "SQL"
}
