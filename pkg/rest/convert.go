package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// The reasons why a question has no record, to be tested with errors.Is. A
// context's own error is found the same way.
var (
	ErrSQL         = errors.New("the question's own SQL fails")
	ErrUnsupported = errors.New("no endpoint can be made of the SQL")
	ErrMismatch    = errors.New("the endpoint answers differently")
)

// Converter makes verified records: it serves the endpoints of a dataset on
// this computer, asks them over HTTP and compares what they answer with what
// the SQL does.
type Converter struct {
	Catalog *Catalog
	asOf    time.Time
	server  *http.Server
	client  *http.Client
	base    string
}

// What verification allows a statement.
const (
	huge    = 1 << 30        // rows or bytes of an answer, which no limit is to cut
	longest = 256 << 20      // bytes of a value, as elsewhere in this module
	forever = 24 * time.Hour // the caller's context ends it before
)

// ConverterOptions adjust NewConverter. A zero field means its default.
type ConverterOptions struct {
	AsOf    time.Time     // what stands for the clock; default DefaultAsOf
	Timeout time.Duration // for one query; default 30 s
	Jobs    int           // questions at a time; default 4
}

// NewConverter opens a dataset and starts to serve it. Close must be called
// when done.
func NewConverter(ctx context.Context, dataset *bird.Dataset, opts ConverterOptions) (*Converter, error) {
	if opts.AsOf.IsZero() {
		opts.AsOf = DefaultAsOf
	}
	if opts.Timeout <= 0 {
		opts.Timeout = 30 * time.Second
	}
	catalog, err := Open(ctx, dataset, Options{Connections: max(opts.Jobs, 4), Wait: opts.Timeout, Timeout: opts.Timeout, Value: longest, snapshot: true})
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, catalog.Close())
	}
	service := NewService(catalog, ServiceOptions{MaxRows: huge, MaxBytes: huge, AsOf: opts.AsOf})
	x := &Converter{
		Catalog: catalog, asOf: opts.AsOf, base: "http://" + listener.Addr().String(),
		server: &http.Server{Handler: service.Handler(), ReadHeaderTimeout: opts.Timeout},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: max(opts.Jobs, 4), DisableCompression: true}},
	}
	go func() { _ = x.server.Serve(listener) }() // ends with Close
	return x, nil
}

// Close stops serving and closes the dataset. No conversion may be running.
func (x *Converter) Close() error {
	x.client.CloseIdleConnections()
	return errors.Join(x.server.Close(), x.Catalog.Close())
}

// Convert returns the verified record for a question, which must be the
// dataset's own element, and the rows of its answer. The record's GoldAnswer
// is left to the caller, who knows how to write rows, and so are its Tools.
// Errors are one of the reasons above, the context's, or those of the network.
func (x *Converter) Convert(ctx context.Context, q *bird.Question) (*Record, [][]value.Value, error) {
	if err := dialect.CheckSize(q.SQL); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrSQL, err)
	}
	call, err := x.Catalog.Call(q)
	sql, isTime := dialect.FixClock(q.SQL, x.asOf)
	gold, size, goldErr := x.Catalog.Database(q.DB).gold(ctx, sql)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case goldErr != nil:
		return nil, nil, fmt.Errorf("%w: %w", ErrSQL, goldErr)
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	body, err := x.get(ctx, call.URL())
	if err != nil {
		return nil, nil, err
	}
	got, err := decodeAnswer(body)
	if err != nil {
		return nil, nil, err
	}
	verdict := verify.Compare(gold.Rows, got, verify.Options{Ordered: call.Endpoint.ordered})
	if !verdict.Equal {
		return nil, nil, fmt.Errorf("%w: %s", ErrMismatch, verdict.Reason)
	}
	r := &Record{
		Query: q.SQL, Input: q.Text, DatasetName: q.DB, SampleID: q.ID,
		Output: []Invocation{call.invocation()},
		Result: strings.TrimSuffix(string(body), "\n"),
		Limits: call.needs(len(gold.Rows), len(body), size),
	}
	if isTime {
		r.Time, r.AsOf = true, x.asOf.UTC().Format(time.RFC3339)
	}
	return r, gold.Rows, nil
}

// get returns the body of a good answer.
func (x *Converter) get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, x.base+url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := x.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode == http.StatusGatewayTimeout:
		return nil, context.DeadlineExceeded
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%w: status %d: %s", ErrMismatch, resp.StatusCode, body)
	}
	return body, nil
}

// Database returns the database of that id, or nil.
func (c *Catalog) Database(id string) *Database {
	for _, d := range c.Databases {
		if d.ID == id {
			return d
		}
	}
	return nil
}
