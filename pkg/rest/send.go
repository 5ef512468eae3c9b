package rest

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
)

// Send writes a body, compressed if it is large enough and the client takes
// gzip.
func (s *Service) Send(w http.ResponseWriter, req *http.Request, body []byte) {
	if s.compresses(req, body) {
		body = s.compress(w.Header(), nil, body)
	}
	send(w, body)
}

// SendCounted is Send of a body that counts among the answers that
// ServiceOptions.Memory bounds. It fails, and sends nothing, where they leave no room
// for it; Fail informs the client.
func (s *Service) SendCounted(w http.ResponseWriter, req *http.Request, body []byte) error {
	var share int64
	if !s.memory.hold(&share, cap(body)) {
		return errMemory
	}
	defer s.memory.hold(&share, 0)
	s.Send(w, req, body)
	return nil
}

// finish sends the body of a request. A slow client is to hold no more memory
// than it must: what is compressed is compressed first.
func (s *Service) finish(w http.ResponseWriter, req *http.Request, r *request) {
	body := r.body
	if s.compresses(req, body) {
		r.packed = s.compress(w.Header(), r.packed[:0], body)
		body, r.body = r.packed, kept(r.body)
		s.memory.hold(&r.share, cap(body)) // most often less than before
	}
	send(w, body)
}

func send(w http.ResponseWriter, body []byte) {
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	_, _ = w.Write(body) // a client that is gone
}

// compresses reports whether a body is to be compressed.
func (s *Service) compresses(req *http.Request, body []byte) bool {
	const packet = 1400 // bytes; less is sent as it is
	return len(body) >= packet && takesGzip(req.Header["Accept-Encoding"])
}

// compress appends the compressed body to a buffer. A compressor is larger than
// most answers, so that only as many work at a time as there are processors.
func (s *Service) compress(header http.Header, into, body []byte) []byte {
	header["Content-Encoding"] = []string{"gzip"}
	if tag := header["Etag"]; len(tag) == 1 {
		header["Etag"] = []string{"W/" + tag[0]}
	}
	out := bytes.NewBuffer(into)
	s.zipping <- struct{}{}
	defer func() { <-s.zipping }()
	z := s.zip.Get().(*gzip.Writer)
	defer s.zip.Put(z)
	z.Reset(out)
	_, _ = z.Write(body) // a buffer takes all
	_ = z.Close()
	return out.Bytes()
}
