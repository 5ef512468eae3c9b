package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/tools"
)

// maxBody bounds the body of a request.
const maxBody = 4 << 20

// read reads the body of a request, or answers what is wrong with it.
func (a *API) read(c *gin.Context, into any) bool {
	text, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		problem(c, http.StatusRequestEntityTooLarge, "Too large", "The body has more than 4 MiB.")
		return false
	case err != nil:
		bad(c, "The body cannot be read.")
		return false
	case len(bytes.TrimSpace(text)) == 0:
		text = []byte("{}")
	}
	return decode(c, text, into)
}

// decode reads JSON, or answers what is wrong with it.
func decode(c *gin.Context, text []byte, into any) bool {
	err := json.Unmarshal(text, into)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		bad(c, fmt.Sprintf("The body is not the JSON that is asked for: %s cannot be of the type %s.", kind.Field, kind.Value))
	case errors.As(err, &kind):
		bad(c, "The body is not the JSON that is asked for: it is of the type "+kind.Value+", and has to be an object.")
	case err != nil:
		bad(c, "The body is not the JSON that is asked for: "+err.Error())
	}
	return err == nil
}

// readOwn reads the body of a request into a struct, as read does, and answers what is
// wrong with it also where it has fields that the struct has not.
func (a *API) readOwn(c *gin.Context, into any) bool {
	var text json.RawMessage
	if !a.read(c, &text) {
		return false
	}
	var given tools.Arguments
	if json.Unmarshal(text, &given) == nil {
		known := fields(into)
		for _, field := range given {
			if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, field.Name) }) {
				bad(c, fmt.Sprintf("The body has an unknown field %.80q; %s", field.Name, sentence(spelling.Unknown(field.Name, known))))
				return false
			}
		}
	}
	return decode(c, text, into)
}

// fields returns the names of a struct's fields in JSON.
func fields(of any) []string {
	var out []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(of).Elem()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// sentence ends a text as a sentence.
func sentence(text string) string {
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// warnOfSlips warns of fields of a body in another's format that nobody reads here, but
// which are most likely slips of one that is read, and is absent.
func (a *API) warnOfSlips(c *gin.Context, body tools.Arguments, read ...string) {
	absent := slices.DeleteFunc(slices.Clone(read), func(name string) bool {
		_, given := body.Get(name)
		return given
	})
	for _, field := range body {
		if meant, ok := spelling.Nearest(field.Name, absent); ok && !slices.Contains(read, field.Name) {
			a.opts.Warn(c.Request, fmt.Sprintf("the body has a field %.80q, which is ignored; did you mean %s?", field.Name, meant))
		}
	}
}

// onlyTakes answers that a request has a parameter that the route does not take, or
// one of them twice that is no list.
func onlyTakes(c *gin.Context, names ...string) bool {
	given, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		bad(c, "The parameters have a broken escape; write a percent sign as %25.")
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case !slices.Contains(names, name):
			bad(c, fmt.Sprintf("The parameter %.80q is unknown; %s", name, sentence(spelling.Unknown(name, names))))
			return false
		case len(given[name]) > 1 && name != paramDB:
			bad(c, name+": give it once.")
			return false
		}
	}
	return true
}
