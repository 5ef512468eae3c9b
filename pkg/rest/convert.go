package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// The reasons why a question has no record, to be tested with errors.Is. A
// context's own error is found the same way.
var (
	ErrSQL         = errors.New("the question's own SQL fails")
	ErrUnsupported = errors.New("no endpoint can be made of the SQL")
	ErrMismatch    = errors.New("the endpoint answers differently")
)

// Converter makes verified records of the questions of a dataset. They are
// given together, since questions whose SQL differs only in values share an
// endpoint, and no two endpoints share a name. A converter serves the endpoints
// on this computer, asks them over HTTP, and compares what they answer with what
// the questions' own SQL does. All of this reads the state that the databases
// had when it was made.
//
// Several goroutines may use a Converter at once.
type Converter struct {
	*Client // asks the endpoints without the limits of a service

	asOf     time.Time
	judge    *judge
	verified *verifiedAnswers // answers of the questions' SQL
	server   *http.Server     // nil: within the program

	mu        sync.Mutex
	tools     map[string][]spec.Tool // by database
	tried     map[string]tried       // of Answers, by the address that was asked
	validator spec.Validator
}

// huge is how many rows or bytes of an answer verification allows a statement, which
// no limit is to cut.
const huge = 1 << 30

// ConverterOptions adjust NewConverter. A zero field means its default.
type ConverterOptions struct {
	AsOf    time.Time     // what stands for the clock; default bird.DefaultAsOf
	Timeout time.Duration // for one query; default 30 s
	Jobs    int           // questions at a time; default 4
	// MaxValue bounds the bytes of one value or stored row that SQL reads or makes;
	// default 256 MiB.
	MaxValue int

	Source      string       // as in Options
	AllowWriter bool         // as in Options
	Warn        func(string) // as in Options
}

// NewConverter opens a dataset, makes its endpoints and starts to serve them on
// a free port of 127.0.0.1. Close must be called when done. Errors are those of
// Open and of the network.
func NewConverter(ctx context.Context, dataset *bird.Dataset, opts ConverterOptions) (*Converter, error) {
	opts = opts.withDefaults()
	connections := max(opts.Jobs, 4)
	api, err := Open(ctx, dataset, Options{Connections: connections, Wait: opts.Timeout, Timeout: opts.Timeout, Value: opts.MaxValue, maxValue: opts.MaxValue, Source: opts.Source, AllowWriter: opts.AllowWriter, Warn: opts.Warn, snapshot: true})
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	for _, d := range api.Databases {
		d.closeIdle() // the questions come database by database
	}
	x := api.converter(opts)
	x.server = &http.Server{Handler: x.unlimited().Handler(), ReadHeaderTimeout: opts.Timeout}
	x.base = "http://" + listener.Addr().String()
	x.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	go func() { _ = x.server.Serve(listener) }() // ends with Close
	return x, nil
}

// Converter returns a converter on endpoints that are open, such as those of a
// service: it reads what their databases have at the time, and asks within the
// program. Its Close leaves the API open. Jobs of the options do not matter.
func (a *API) Converter(opts ConverterOptions) *Converter {
	x := a.converter(opts.withDefaults())
	x.Client = x.unlimited().Client()
	return x
}

func (a *API) converter(opts ConverterOptions) *Converter {
	return &Converter{
		Client: &Client{API: a}, asOf: opts.AsOf, judge: newJudge(a, slot.Options{AsOf: opts.AsOf}, opts), tools: map[string][]spec.Tool{},
		verified: &verifiedAnswers{}, tried: map[string]tried{},
	}
}

// unlimited returns a service that cuts no answer.
func (x *Converter) unlimited() *Service {
	s := NewService(x.API, ServiceOptions{MaxRows: huge, MaxBytes: huge, AsOf: x.asOf})
	s.verified = x.verified
	return s
}

func (o ConverterOptions) withDefaults() ConverterOptions {
	if o.AsOf.IsZero() {
		o.AsOf = bird.DefaultAsOf
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.MaxValue <= 0 {
		o.MaxValue = 256 << 20
	}
	return o
}

// Load reads what is needed to judge the answers of questions of a database that are to
// be converted, each table once. Conversions read what they need themselves, a few
// columns at a time. Release frees it.
func (x *Converter) Load(ctx context.Context, db string, questions []*bird.Question) {
	if d := x.API.Database(db); d != nil && !d.shared {
		x.judge.load(ctx, db, questions)
	}
}

// Release frees what the conversion of a database's questions has kept of its
// data, when there are no more to come. One that comes all the same reads it
// again. No conversion of such a question may be running.
func (x *Converter) Release(db string) error {
	x.forget(db)
	if d := x.API.Database(db); d != nil && x.server != nil { // the databases are its own
		d.closeIdle()
	}
	return x.judge.release(db)
}

// closeIdle closes the connections of a database that are not in use, which keep what
// they have read and prepared.
func (d *Database) closeIdle() {
	if db, ok := d.db.(interface{ CloseIdle() }); ok {
		db.CloseIdle()
	}
}

// Close stops serving and closes the dataset. No conversion may be running.
func (x *Converter) Close() error {
	var errs []error
	if x.server != nil {
		x.http.CloseIdleConnections()
		errs = append(errs, x.server.Close())
	}
	for _, d := range x.API.Databases {
		errs = append(errs, x.Release(d.ID))
	}
	if x.server != nil {
		errs = append(errs, x.API.Close())
	}
	return errors.Join(errs...)
}

// Tools returns the endpoints of a database as tools, as Database.Tools does.
// They are made once; callers must not change them.
func (x *Converter) Tools(ctx context.Context, db string) ([]spec.Tool, error) {
	d := x.API.Database(db)
	if d == nil {
		return nil, fmt.Errorf("the dataset has no database %q", db)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if list, ok := x.tools[db]; ok {
		return list, nil
	}
	list, err := d.Tools(ctx)
	if err == nil {
		x.tools[db] = list
	}
	return list, err
}

// Convert returns the verified record of a question, which must be the
// dataset's own element. Its calls are valid under its tools, which are all of
// the database's. Errors are one of the reasons above, the context's, or those
// of the network.
func (x *Converter) Convert(ctx context.Context, q *bird.Question) (*record.Rest, error) {
	d := x.API.Database(q.DB)
	if d == nil {
		return nil, fmt.Errorf("the dataset has no database %q", q.DB)
	}
	sql, isTime, err := d.language().FixClock(q.SQL, x.asOf)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSQL, err)
	}
	list, err := x.Tools(ctx, q.DB)
	if err != nil {
		return nil, err
	}
	call, err := x.API.Call(q)
	gold, goldErr := d.db.Answer(ctx, sql)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case goldErr != nil:
		return nil, fmt.Errorf("%w: %w", ErrSQL, engine.Why(goldErr))
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, engine.Why(err))
	}
	forget := x.verified.add(ctx, d, call.Endpoint, sql, gold)
	body, err := x.answer(ctx, call.URL())
	forget()
	if err != nil {
		return nil, err
	}
	verdict, err := compare(gold, body, call.Endpoint.ordered)
	switch {
	case err != nil:
		return nil, err
	case !verdict.Equal:
		return nil, fmt.Errorf("%w: %s", ErrMismatch, verdict.Reason)
	}
	facts, err := x.facts(ctx, q, d, sql, gold)
	if err != nil {
		return nil, err
	}
	r := &record.Rest{
		SQL: q.SQL, Question: q.Text, DB: q.DB, ID: q.ID, GoldAnswer: spec.AnswerOf(facts.Gold.Rows),
		Calls:  []record.Invocation{call.invocation()},
		Result: strings.TrimSuffix(string(body), "\n"),
		Tools:  list,
		Facts:  *facts,
		Limits: call.needs(len(gold.Rows), len(body), gold.Value),
	}
	if isTime {
		r.TimeDependent, r.AsOf = true, x.asOf.UTC().Format(time.RFC3339)
	}
	if err := x.validator.Validate(list, r.ToolCalls()); err != nil {
		return nil, err
	}
	return r, nil
}

// facts returns what a record says of its question and of the answer, which sql
// has given: the statement with an instant instead of the clock.
func (x *Converter) facts(ctx context.Context, q *bird.Question, d *Database, sql string, gold *engine.Answer) (*record.Facts, error) {
	columns := gold.Columns
	if sql != q.SQL {
		// As it was written, a statement may call its columns otherwise.
		statement, err := d.db.Prepare(ctx, q.SQL)
		if err != nil {
			return nil, err
		}
		columns = resultNames(statement.Columns())
	}
	rows, err := cells(gold)
	if err != nil {
		return nil, err
	}
	var form facts.Form
	if s, err := d.language().Parse(q.SQL); err == nil {
		form = facts.Form{Constructs: s.Query.Constructs(), Ordered: len(s.Query.OrderBy) > 0}
	}
	facts := facts.Of(q, form, columns, rows)
	if d.shared {
		own, cancel := ownTime(ctx, x.judge.timeout)
		d.lookForTies(own, sql, gold, &facts)
		cancel()
	} else {
		x.judge.look(ctx, q, gold.Rows, &facts)
	}
	return &facts, nil
}

// answer returns the body of a good answer.
func (x *Converter) answer(ctx context.Context, url string) ([]byte, error) {
	status, body, err := x.get(ctx, url)
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusGatewayTimeout:
		return nil, context.DeadlineExceeded
	case status == http.StatusServiceUnavailable:
		return nil, fmt.Errorf("%w: status %d: %s", engine.ErrUnavailable, status, problemText(body))
	case status == http.StatusBadGateway:
		return nil, fmt.Errorf("%w: status %d: %s", engine.ErrAPI, status, problemText(body))
	case status != http.StatusOK:
		return nil, fmt.Errorf("%w: status %d: %s", ErrMismatch, status, problemText(body))
	}
	return body, nil
}

// problemText returns a problem without its path, which ends in a name that
// depends on the other endpoints.
func problemText(body []byte) string {
	var p Problem
	if json.Unmarshal(body, &p) != nil {
		return string(body)
	}
	p.Instance = ""
	text, err := json.Marshal(p)
	if err != nil {
		return string(body)
	}
	return string(text)
}
