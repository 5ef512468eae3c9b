package server

import (
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/birdcall/birdcall/pkg/rest"
)

// metrics count requests by database. The ones that are not an endpoint's or a
// table's count for the database "".
type metrics struct {
	registry *prometheus.Registry
	of       map[string]*databaseMetrics // by segment
}

type databaseMetrics struct {
	seconds  prometheus.Observer
	requests [len(statusClasses)]prometheus.Counter
}

// statusClasses are the first digits of the statuses, and apart from them the
// requests whose clients left.
var statusClasses = [...]string{"1xx", "2xx", "3xx", "4xx", "5xx", "499"}

// classOf returns the index of a status in statusClasses, or -1.
func classOf(status int) int {
	switch {
	case status == rest.StatusClientLeft:
		return len(statusClasses) - 1
	case status < 100 || status >= 600:
		return -1
	}
	return status/100 - 1
}

// newMetrics returns the metrics of a service. sessions says how many sessions are
// open and how many bytes their results take.
func newMetrics(c *rest.API, connections, refused *atomic.Int64, sessions func() (int, int64)) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), of: map[string]*databaseMetrics{}}
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "birdcall_requests_total", Help: "Requests answered, by database and class of status.",
	}, []string{"database", "status"})
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "birdcall_request_duration_seconds", Help: "Time from a request's header to the end of its answer.",
		Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
	}, []string{"database"})
	endpoints := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "birdcall_endpoints", Help: "Endpoints by database.",
	}, []string{"database"})
	open := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "birdcall_connections", Help: "Open connections of clients.",
	}, func() float64 { return float64(connections.Load()) })
	turned := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "birdcall_connections_refused_total", Help: "Connections refused because too many were open.",
	}, func() float64 { return float64(refused.Load()) })
	live := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "birdcall_sessions", Help: "Open sessions of agents.",
	}, func() float64 { n, _ := sessions(); return float64(n) })
	held := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "birdcall_session_bytes", Help: "Bytes of the results that open sessions keep.",
	}, func() float64 { _, bytes := sessions(); return float64(bytes) })
	m.registry.MustRegister(open, turned, live, held, requests, seconds, endpoints, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	add := func(segment, id string) {
		d := &databaseMetrics{seconds: seconds.WithLabelValues(id)}
		for i, class := range statusClasses {
			d.requests[i] = requests.WithLabelValues(id, class)
		}
		m.of[segment] = d
	}
	add("", "")
	for _, d := range c.Databases {
		id := strings.ToValidUTF8(d.ID, "\uFFFD") // as labels must be
		add(d.Segment, id)
		endpoints.WithLabelValues(id).Set(float64(len(d.Endpoints)))
	}
	return m
}

// observe counts a request to a path.
func (m *metrics) observe(path string, status int, took time.Duration) {
	segment := ""
	for _, before := range []string{"/v1/bird/", "/v1/tables/"} {
		if rest, ok := strings.CutPrefix(path, before); ok {
			segment, _, _ = strings.Cut(rest, "/")
		}
	}
	d := m.of[segment]
	if d == nil {
		d = m.of[""]
	}
	d.seconds.Observe(took.Seconds())
	if class := classOf(status); class >= 0 {
		d.requests[class].Inc()
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
