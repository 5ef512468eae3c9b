package rest

import (
	"net/http"
	"strings"
)

// tag returns the ETag of an answer from data that never change, so that the
// request says it. Other answers have a hash of what they are for an ETag.
func (s *Service) tag(path, query string, as format) string {
	const prime = 1099511628211 // FNV-1a
	h := s.version
	for _, text := range [...]string{path, "?", query} {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * prime
		}
	}
	return quote((h ^ uint64(as)) * prime)
}

// quote writes a hash as an ETag.
func quote(hash uint64) string {
	var b [18]byte
	b[0], b[17] = '"', '"'
	for i := range 16 {
		b[1+i] = hexDigits[hash>>(60-4*i)&15]
	}
	return string(b[:])
}

// isKnown gives an answer its ETag. If the client has the answer already, it is
// answered so, and there is nothing left to do.
func isKnown(w http.ResponseWriter, req *http.Request, tag string) bool {
	w.Header()["Etag"] = []string{tag}
	if !matches(req.Header["If-None-Match"], tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// matches reports whether a client has the answer already.
func matches(header []string, tag string) bool {
	for _, list := range header {
		for one := range strings.SplitSeq(list, ",") {
			if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
				return true
			}
		}
	}
	return false
}
