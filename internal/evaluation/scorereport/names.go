package scorereport

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFolder bounds the bytes of a folder's name. File systems allow 255.
const maxFolder = 100

// folder returns the name of a model's folder: letters, digits and .-+=@ as they
// are, and "_" for what else is in it. Two models may have the same one, which
// Write refuses.
func folder(model string) string {
	name := strings.Map(func(r rune) rune {
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-+=@", r)) {
			return r
		}
		return '_'
	}, model)
	for len(name) > maxFolder {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	switch {
	case name == "":
		return "unnamed"
	case name[0] == '.': // neither hidden nor a way out
		return "_" + name[1:]
	}
	return name
}
