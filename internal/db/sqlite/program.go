package sqlite

import (
	"context"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/pkg/value"
)

// Program returns the bytecode that SQLite runs for a statement with these arguments
// (https://www.sqlite.org/opcode.html), as a text in which each parameter is written as
// the literal of its value would be. SQLite's machine has no other input than its program
// and the database, so that statements with the same text give the same rows in the
// same order, for as long as the database has the same state and the same schema.
//
// The text is "" where it would not say all: of a program that calls random, reads the
// clock or a virtual table, or has a real number, an integer of more than 32 bits or a
// blob, which EXPLAIN does not list with all their digits. A strftime of nothing but a
// format reads the clock unnoticed. Errors are those of Run.
func (p *Pool) Program(ctx context.Context, s *Statement, args []value.Value) (string, error) {
	c, err := p.acquire(ctx, p.opts.Wait, false)
	if err != nil {
		return "", p.db.fail("explain", err)
	}
	defer p.release(c)
	if c.external != nil {
		return "", nil
	}
	// EXPLAIN is compiled with the arguments too, on which the plan may depend
	// (https://www.sqlite.org/c3ref/bind_blob.html).
	explain := &Statement{sql: "EXPLAIN " + s.sql, columns: []string{"addr", "opcode", "p1", "p2", "p3", "p4", "p5", "comment"}, params: s.params}
	defer c.drop(explain)
	var list []instruction
	whole := true
	err = c.run(ctx, explain, args, p.opts.Time, func(r *Row) bool {
		var in instruction
		in, whole = instructionOf(r, args)
		list = append(list, in)
		return whole
	})
	if err != nil {
		return "", p.db.fail("explain", err)
	}
	if !whole {
		return "", nil
	}
	text := appendCalls(nil, s.sql)
	for _, in := range withoutIdle(list) {
		text = in.append(text)
	}
	return string(text), nil
}

// instruction is an instruction of SQLite's virtual machine, with its operands.
type instruction struct {
	opcode         string
	p1, p2, p3, p5 int64
	p4             string
}

func (in instruction) append(b []byte) []byte {
	b = append(append(b, in.opcode...), ' ')
	for _, n := range []int64{in.p1, in.p2, in.p3, in.p5, int64(len(in.p4))} {
		b = append(strconv.AppendInt(b, n, 10), ' ')
	}
	return append(append(b, in.p4...), '\n')
}

// instructionOf reads a row of EXPLAIN, and reports whether the row is complete.
func instructionOf(r *Row, args []value.Value) (instruction, bool) {
	const opcode, p1, p2, p3, p4, p5 = 1, 2, 3, 4, 5, 6
	in := instruction{string(r.Raw(opcode)), r.Int64(p1), r.Int64(p2), r.Int64(p3), r.Int64(p5), string(r.Raw(p4))}
	if in.opcode == "Variable" {
		in.opcode, in.p1, in.p4 = literal(args[in.p1-1])
	}
	switch in.opcode {
	case "", "Int64", "Real", "VOpen":
		return in, false
	case "Blob":
		return in, r.Kind(p4) == value.Null // of zeros, which is a Bloom filter to be
	case "String8":
		now, _ := sqlfunc.MeansNow(in.p4)
		return in, !now
	case "Function", "PureFunc":
		return in, !changing(in.p4, in.p2 > 0)
	}
	return in, true
}

// literal returns the opcode, P1 and P4 of the instruction that puts a literal's value
// into a register. The opcode is "" if a listing does not show the value.
func literal(v value.Value) (code string, p1 int64, p4 string) {
	switch v.Kind() {
	case value.Null:
		return "Null", 0, ""
	case value.Integer:
		if i := v.Int64(); int64(int32(i)) == i {
			return "Integer", i, ""
		}
	case value.Text:
		return "String8", 0, v.Raw()
	}
	return "", 0, ""
}

// changing reports whether a function, as EXPLAIN lists it, may give another result
// each time: a random value, or the time, as date functions without arguments do
// (https://www.sqlite.org/lang_datefunc.html).
func changing(function string, hasArguments bool) bool {
	name, _, _ := strings.Cut(function, "(")
	f := sqlfunc.SQLite(name)
	return f.Volatility != sqlfunc.Deterministic || f.Clock == sqlfunc.ClockFirst && !hasArguments
}

// appendCalls writes how many arguments are in each pair of parentheses of a
// statement, in their order: EXPLAIN does not list it for functions that take any
// number of them.
func appendCalls(b []byte, sql string) []byte {
	var open []int // arguments so far
	for _, t := range lexer.Lex(sql) {
		switch {
		case t.Kind == token.LP:
			open = append(open, 0)
			continue
		case len(open) == 0:
			continue
		}
		switch last := &open[len(open)-1]; {
		case t.Kind == token.RP:
			b = append(strconv.AppendInt(b, int64(*last), 10), ' ')
			open = open[:len(open)-1]
			if len(open) > 0 {
				open[len(open)-1] = max(open[len(open)-1], 1)
			}
		case t.Kind == token.COMMA:
			*last++
		default:
			*last = max(*last, 1)
		}
	}
	return append(b, '\n')
}

// Program returns what Pool.Program does.
func (s pooled) Program(ctx context.Context, args []value.Value) (string, error) {
	return s.pool.Program(ctx, s.Statement, args)
}
