package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// event is an event as the agency describes it.
type event struct {
	ID       int      `json:"id"`
	Title    string   `json:"title"`
	StartsAt string   `json:"starts_at"`
	Venue    venue    `json:"venue"`
	Price    price    `json:"price"`
	Free     bool     `json:"free"`
	Tags     []string `json:"tags"`
}

type venue struct {
	Ref  string  `json:"ref"`
	Room *string `json:"room"`
}

type price struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

// events are what is on: n events with a title, a venue and a price that their
// number tells.
var events = func() []event {
	titles := []string{"Story hour", "Chess evening", "Author reading", "Puppet theatre", "Film club", "Local history", "Repair café"}
	venues := []string{"001", "002", "004", "007", "010"}
	var all []event
	for n := range 23 {
		e := event{
			ID: 100 + n, Title: titles[n%len(titles)], StartsAt: "2025-0" + strconv.Itoa(1+n%9) + "-1" + strconv.Itoa(n%10) + "T18:30:00Z",
			Venue: venue{Ref: venues[n*3%len(venues)]}, Price: price{Amount: float64(n%4) * 2.5, Currency: "EUR"}, Tags: []string{"indoors"},
		}
		e.Free = e.Price.Amount == 0
		if n%3 > 0 {
			room := "Room " + strconv.Itoa(n%3)
			e.Venue.Room = &room
		}
		all = append(all, e)
	}
	return all
}()

// largestPage is how many events a page has at most.
const largestPage = 5

// handler answers for the agency. Requests need its key.
func handler(key string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/events", listEvents)
	mux.HandleFunc("GET /v2/venues/{venue}/forecast", forecast)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Agency-Key") != key {
			answer(w, http.StatusUnauthorized, map[string]string{"error": "X-Agency-Key is missing or wrong"})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// listEvents answers with a page of the events in the venues that are asked for.
func listEvents(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var found []event
	for _, e := range events {
		if list := q.Get("venue"); list == "" || slices.Contains(strings.Split(list, ","), e.Venue.Ref) {
			found = append(found, e)
		}
	}
	from, err := strconv.Atoi(strings.TrimPrefix(q.Get("cursor"), "after-"))
	if q.Get("cursor") == "" {
		from, err = 0, nil
	}
	if err != nil || from < 0 || from > len(found) {
		answer(w, http.StatusBadRequest, map[string]string{"error": "the cursor is none of this agency's"})
		return
	}
	size, err := strconv.Atoi(q.Get("page_size"))
	if err != nil || size < 1 || size > largestPage {
		size = largestPage
	}
	to := min(from+size, len(found))
	var next *string
	if to < len(found) {
		cursor := "after-" + strconv.Itoa(to)
		next = &cursor
	}
	answer(w, http.StatusOK, map[string]any{
		"result": map[string]any{"events": append([]event{}, found[from:to]...)},
		"paging": map[string]any{"next_cursor": next},
	})
}

// forecast answers with the visitors of a venue's next event.
func forecast(w http.ResponseWriter, r *http.Request) {
	code := r.PathValue("venue")
	n, err := strconv.Atoi(code)
	if err != nil {
		answer(w, http.StatusNotFound, map[string]string{"error": "there is no such venue"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"venue": code, "visitors": 20 + 7*n%50})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}
