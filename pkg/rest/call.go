package rest

import (
	"net/url"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/value"
)

// URL returns the path and query string of a call.
func (c Call) URL() string {
	var b strings.Builder
	b.WriteString(c.Endpoint.Path)
	sep := byte('?')
	for i, p := range c.Endpoint.Params {
		for _, v := range c.Arguments[i] {
			b.WriteByte(sep)
			sep = '&'
			b.WriteString(p.Name + "=" + url.QueryEscape(text(v)))
		}
	}
	return b.String()
}

// text writes a value so that it is read back as the same one.
func text(v value.Value) string {
	if v.Kind() == value.Real {
		return string(jsontext.AppendReal(nil, v.Float64()))
	}
	return value.AsText(v)
}
