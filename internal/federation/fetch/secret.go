package fetch

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	placeholder = "(secret)"
	// Shorter values are no secrets: to take each "en" out of a text helps nobody.
	shortestSecret = 4
)

// secrets are the values that no error, URL and log may show.
type secrets struct {
	params url.Values // of the URL, each of which is left out whatever its value
	values []string   // the longest first, so that none leaves a part of another
}

// open names the headers whose values say nothing.
var open = []string{"Accept", "Accept-Language", "Content-Type", "User-Agent"}

func newSecrets(header http.Header, params url.Values, user *url.Userinfo) *secrets {
	s := &secrets{params: params}
	for name, values := range header {
		if slices.Contains(open, http.CanonicalHeaderKey(name)) {
			continue
		}
		for _, v := range values {
			s.add(v)
			scheme, token, found := strings.Cut(v, " ")
			if !found {
				continue
			}
			s.add(token)
			if plain, err := base64.StdEncoding.DecodeString(token); err == nil && strings.EqualFold(scheme, "Basic") {
				_, password, _ := strings.Cut(string(plain), ":")
				s.add(password)
			}
		}
	}
	for _, values := range params {
		for _, v := range values {
			s.add(v)
		}
	}
	if password, ok := user.Password(); ok {
		s.add(password)
	} else if user != nil { // such as https://token@api.example
		s.add(user.Username())
	}
	slices.SortFunc(s.values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	s.values = slices.Compact(s.values)
	return s
}

func (s *secrets) add(v string) {
	v = strings.TrimSpace(v)
	if len(v) < shortestSecret {
		return
	}
	s.values = append(s.values, v, url.QueryEscape(v), url.PathEscape(v))
	if quoted, err := json.Marshal(v); err == nil {
		s.values = append(s.values, strings.Trim(string(quoted), `"`))
	}
}

// clean takes the secrets out of a text, such as one that a server wrote.
func (s *secrets) clean(text string) string {
	for _, v := range s.values {
		text = strings.ReplaceAll(text, v, placeholder)
	}
	return text
}

// shown is a URL as errors and logs have it.
func (s *secrets) shown(u *url.URL) string {
	bare := *u
	bare.User, bare.Fragment, bare.RawFragment = nil, "", ""
	query := bare.Query()
	for name := range s.params {
		query.Del(name)
	}
	bare.RawQuery = query.Encode()
	return s.clean(bare.String())
}
