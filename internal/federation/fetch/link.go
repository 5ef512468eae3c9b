package fetch

import (
	"net/http"
	"slices"
	"strings"
)

// nextLink is the URL in a Link header whose relation is next (RFC 8288), or "".
func nextLink(h http.Header) string {
	for _, text := range h.Values("Link") {
		for {
			_, after, found := strings.Cut(text, "<")
			if !found {
				break
			}
			target, params, found := strings.Cut(after, ">")
			if !found {
				break
			}
			var isNext bool
			isNext, text = cutParams(params)
			if isNext {
				return strings.TrimSpace(target)
			}
		}
	}
	return ""
}

// cutParams reads the parameters of a link, up to the comma before the next link. It
// reports whether one of its relations is next. A link with an anchor is one of
// another page than that which was asked for.
func cutParams(text string) (isNext bool, rest string) {
	anchored := false
	for {
		text = strings.TrimLeft(text, " \t;")
		if text == "" || text[0] == ',' {
			return isNext && !anchored, strings.TrimPrefix(text, ",")
		}
		end := strings.IndexAny(text, "=;,")
		if end < 0 {
			end = len(text)
		}
		name := strings.ToLower(strings.TrimSpace(text[:end]))
		var value string
		if text = text[end:]; strings.HasPrefix(text, "=") {
			value, text = cutValue(strings.TrimLeft(text[1:], " \t"))
		}
		switch name {
		case "rel":
			isNext = isNext || slices.Contains(strings.Fields(strings.ToLower(value)), "next")
		case "anchor":
			anchored = true
		}
	}
}

// cutValue reads the value of a parameter, which may be in quotes.
func cutValue(text string) (value, rest string) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text, ";,")
		if end < 0 {
			end = len(text)
		}
		return strings.TrimSpace(text[:end]), text[end:]
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return b.String(), text[i+1:]
		case '\\':
			if i++; i == len(text) {
				return b.String(), ""
			}
		}
		b.WriteByte(text[i])
	}
	return b.String(), ""
}
