package mcpserver

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is how long a name may be. Clients put the server's name before it and
// send both to models that take 64 characters.
const maxName = 45

// aliases returns the names under which clients see tools, all of them different
// and none of them reserved. A name that every client takes is its own alias.
// Others become their beginning and a hash of the whole, which is the same in every
// list.
func aliases(names []string, reserved ...string) []string {
	taken := map[string]bool{}
	for _, name := range reserved {
		taken[name] = true
	}
	out := make([]string, len(names))
	for i, name := range names {
		if fits(name) && !taken[name] {
			out[i], taken[name] = name, true
		}
	}
	for i, name := range names {
		for sum := sha256.Sum256([]byte(name)); out[i] == ""; sum = sha256.Sum256(sum[:]) {
			if alias := shortened(name, hex.EncodeToString(sum[:4])); !taken[alias] {
				out[i], taken[alias] = alias, true
			}
		}
	}
	return out
}

// fits reports whether every client takes a name.
func fits(name string) bool {
	return name != "" && len(name) <= maxName && !strings.ContainsFunc(name, isOdd)
}

func isOdd(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}

// shortened returns the beginning of a name and its ending.
func shortened(name, ending string) string {
	plain := strings.Map(func(r rune) rune {
		if isOdd(r) {
			return '_'
		}
		return r
	}, name)
	plain = plain[:min(len(plain), maxName-1-len(ending))]
	return strings.Trim(plain, "_") + "_" + ending
}

// title returns a name as people read it.
func title(name string) string {
	text := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' }), " ")
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return name
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
