package server

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/birdcall/birdcall/pkg/rest"
)

// metrics count requests by database. The ones that are not an endpoint's
// count for the database "".
type metrics struct {
	registry *prometheus.Registry
	of       map[string]*databaseMetrics
}

type databaseMetrics struct {
	seconds  prometheus.Observer
	requests [len(statusClasses)]prometheus.Counter
}

// statusClasses are the first digits of the statuses.
var statusClasses = [...]string{"1xx", "2xx", "3xx", "4xx", "5xx"}

func newMetrics(c *rest.Catalog) *metrics {
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
	m.registry.MustRegister(requests, seconds, endpoints, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	add := func(id string) {
		d := &databaseMetrics{seconds: seconds.WithLabelValues(id)}
		for i, class := range statusClasses {
			d.requests[i] = requests.WithLabelValues(id, class)
		}
		m.of[id] = d
	}
	add("")
	for _, d := range c.Databases {
		add(d.ID)
		endpoints.WithLabelValues(d.ID).Set(float64(len(d.Endpoints)))
	}
	return m
}

// observe counts a request to a path.
func (m *metrics) observe(path string, status int, took time.Duration) {
	id := ""
	if rest, ok := strings.CutPrefix(path, "/v1/bird/"); ok {
		id, _, _ = strings.Cut(rest, "/")
	}
	d := m.of[id]
	if d == nil {
		d = m.of[""]
	}
	d.seconds.Observe(took.Seconds())
	if class := status/100 - 1; class >= 0 && class < len(d.requests) {
		d.requests[class].Inc()
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
