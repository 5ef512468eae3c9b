package mixed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/pkg/bird"
)

// The kinds of caches that a declaration of a benchmark has.
const (
	CacheStatement = "statement"
	CacheForever   = "forever"
)

// Options say what to run.
type Options struct {
	Dataset   *bird.Dataset
	Benchmark int // 1 or 2
	Shares    []int
	Seeds     []uint64
	Asking
	Delay    time.Duration // of the service, for each request
	Timeout  time.Duration // for one statement; default 30 s
	AsOf     time.Time     // what stands for the clock; default bird.DefaultAsOf
	Jobs     int           // databases at a time; default 1
	Limit    int           // questions of each database; 0 is all
	Progress func()        // called for each question
}

// Steps returns how often Progress will be called.
func (o *Options) Steps() int {
	n := 0
	for _, list := range o.questions() {
		n += len(list)
	}
	return n * len(o.Shares) * len(o.Seeds)
}

func (o *Options) progress() {
	if o.Progress != nil {
		o.Progress()
	}
}

// questions returns the questions by database.
func (o *Options) questions() map[string][]*bird.Question {
	all := map[string][]*bird.Question{}
	for i := range o.Dataset.Questions {
		q := &o.Dataset.Questions[i]
		if o.Limit == 0 || len(all[q.DB]) < o.Limit {
			all[q.DB] = append(all[q.DB], q)
		}
	}
	return all
}

// unit is a database at a share and seed. Nothing of it depends on other units, so
// that any number of them can run at a time.
type unit struct {
	subject  *subject
	report   *Report
	behind   APIPlacement
	outcomes []Outcome
	refusals map[string]int
	silent   []string
}

// Run runs a benchmark and returns a report for each share and seed. The error is
// that of opening databases and the service, or of ctx.
func Run(ctx context.Context, o Options) (reports []*Report, err error) {
	o.Asking = o.withDefaults()
	o.Timeout, o.Jobs = cmp.Or(o.Timeout, 30*time.Second), max(1, o.Jobs)
	if o.AsOf.IsZero() {
		o.AsOf = bird.DefaultAsOf
	}
	databases := slices.Clone(o.Dataset.Databases)
	slices.SortStableFunc(databases, func(a, b *bird.Database) int { return cmp.Compare(a.ID, b.ID) })
	service, err := Serve(ctx, databases, o.Delay)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	questions := o.questions()
	var subjects []*subject
	defer func() {
		for _, x := range subjects {
			err = errors.Join(err, x.plain.Close())
		}
	}()
	for _, info := range databases {
		if len(questions[info.ID]) == 0 {
			continue
		}
		x, err := o.openSubject(ctx, service, info, questions[info.ID])
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, x)
	}
	var units []*unit
	for _, seed := range o.Seeds {
		for _, share := range o.Shares {
			r := &Report{Benchmark: o.Benchmark, Share: share, Seed: seed, asking: o.Asking, Cache: o.Cache}
			reports = append(reports, r)
			for _, x := range subjects {
				units = append(units, &unit{subject: x, report: r, behind: x.moved(share, seed)})
			}
		}
	}
	var group errgroup.Group
	group.SetLimit(o.Jobs)
	for i, u := range units {
		group.Go(func() error { return u.run(ctx, &o, service, fmt.Sprintf("u%d", i)) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, u := range units {
		u.report.add(u)
	}
	for _, r := range reports {
		r.order(o.Dataset)
		r.sum()
	}
	return reports, nil
}

// run works on one unit, as a client of its own.
func (u *unit) run(ctx context.Context, o *Options, s *Service, client string) (err error) {
	d, err := u.subject.openSide(ctx, s, client, u.behind, o.Benchmark == 2, o.Asking)
	if err != nil {
		return fmt.Errorf("%s: %w", u.subject.info.ID, err)
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if o.Benchmark == 2 {
		u.outcomes, u.refusals, err = o.augmented(ctx, d, u.report.Seed)
	} else {
		u.outcomes, err = o.unchanged(ctx, d)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", u.subject.info.ID, err)
	}
	requests := d.client.Requests()
	for _, name := range slices.Sorted(maps.Keys(d.wanted)) {
		if b := d.behind; b.has(name) && requests["/v1/tables/"+b.Segment+"/"+name]+requests["/v1/tables/"+b.Segment+"/"+url.PathEscape(name)] == 0 {
			u.silent = append(u.silent, b.ID+"."+name)
		}
	}
	return nil
}

// add adds what became of a unit.
func (r *Report) add(u *unit) {
	r.Questions = append(r.Questions, u.outcomes...)
	r.Databases = append(r.Databases, DatabasePlacement{ID: u.subject.info.ID, Tables: len(u.subject.tables), Moved: u.behind.names()})
	r.Silent = append(r.Silent, u.silent...)
	r.Behind = append(r.Behind, u.behind)
	for reason, n := range u.refusals {
		if r.refusals == nil {
			r.refusals = map[string]int{}
		}
		r.refusals[reason] += n
	}
}

// order puts the outcomes in the dataset's order.
func (r *Report) order(d *bird.Dataset) {
	place := map[string]int{}
	for i, q := range d.Questions {
		place[q.DB+"\x00"+q.ID.String()] = i
	}
	slices.SortStableFunc(r.Questions, func(a, b Outcome) int {
		return cmp.Compare(place[a.DB+"\x00"+a.of.String()], place[b.DB+"\x00"+b.of.String()])
	})
}
