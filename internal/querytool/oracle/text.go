package oracle

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/sqlc-dev/meyer/token"
)

// name returns a name as SQL, in quotation marks where it needs them.
func name(s string) string {
	plain := s != "" && token.Lookup(strings.ToUpper(s)) == token.ID && token.Lookup(s) == token.ID
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			plain = false
		}
	}
	if plain {
		return s
	}
	return sqlite.Quote(s)
}

// text returns a string as a literal. SQLite ends a literal at a NUL, so that a
// string with one is written by its bytes.
func text(s string) string {
	if strings.ContainsRune(s, 0) {
		return fmt.Sprintf("CAST(x'%x' AS TEXT)", s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// literal returns a filter's value as a literal.
func literal(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return text(v), nil
	case bool:
		return strings.ToUpper(strconv.FormatBool(v)), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		switch {
		case math.IsInf(v, 1):
			return "9e999", nil
		case math.IsInf(v, -1):
			return "-9e999", nil
		case math.IsNaN(v):
			return "NULL", nil
		}
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s, nil
	}
	return "", fmt.Errorf("a filter's value is a %T; give a string, a bool, an int64 or a float64", v)
}
