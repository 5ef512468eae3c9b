package parse

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/wasilibs/go-pgquery/parser"

	"github.com/birdcall/birdcall/internal/sql/dialect"
)

// Token is a token of a text: its bytes from Start up to End.
type Token struct{ Start, End int }

// errScan is that of a text that is no message of libpg_query's.
var errScan = errors.New("the scanner's tokens cannot be read")

// Scan returns the tokens of a text, without comments. The error is a
// *dialect.Error.
func Scan(sql string) ([]Token, error) {
	if err := check(sql); err != nil {
		return nil, err
	}
	turn.Lock()
	message, err := parser.ScanToProtobuf(sql)
	turn.Unlock()
	if err != nil {
		return nil, syntaxError(sql, err)
	}
	var out []Token
	// A ScanResult has its tokens in field 2.
	err = eachField(message, func(field, _ uint64, inner []byte) error {
		if field != 2 {
			return nil
		}
		t := Token{}
		err := eachField(inner, func(field, number uint64, _ []byte) error {
			switch field {
			case 1:
				t.Start = int(number)
			case 2:
				t.End = int(number)
			}
			return nil
		})
		if t.Start < 0 || t.End > len(sql) || t.Start >= t.End {
			return errScan
		}
		if text := sql[t.Start:t.End]; !strings.HasPrefix(text, "--") && !strings.HasPrefix(text, "/*") {
			out = append(out, t)
		}
		return err
	})
	if err != nil {
		return nil, &dialect.Error{Construct: "statement", Reason: err.Error()}
	}
	return out, nil
}

// eachField calls visit with the fields of a protobuf message
// (https://protobuf.dev/programming-guides/encoding/): numbers, and messages
// within.
func eachField(message []byte, visit func(field, number uint64, inner []byte) error) error {
	next := func() (uint64, error) {
		n, size := binary.Uvarint(message)
		if size <= 0 {
			return 0, errScan
		}
		message = message[size:]
		return n, nil
	}
	for len(message) > 0 {
		key, err := next()
		if err != nil {
			return err
		}
		n, err := next()
		if err != nil {
			return err
		}
		var inner []byte
		switch key & 7 {
		case 0:
		case 2:
			if n > uint64(len(message)) {
				return errScan
			}
			inner, message = message[:n], message[n:]
		default:
			return errScan
		}
		if err := visit(key>>3, n, inner); err != nil {
			return err
		}
	}
	return nil
}
