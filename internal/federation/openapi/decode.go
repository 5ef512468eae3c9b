package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/birdcall/birdcall/pkg/value"
)

// slot is a place for a value in a row.
type slot struct {
	index   int
	convert conversion
}

// node is a step of JSON pointers into one object: what is wanted of a value and of
// its members.
type node struct {
	name   string
	quoted string // the name as JSON has it without escapes
	index  int    // the name as the number of an element, or -1
	slots  []slot
	below  []*node
	rows   *decoder // the value has the rows
}

// at returns the node of a path, which it adds if need be.
func (n *node) at(path []string) *node {
	for _, token := range path {
		i := slices.IndexFunc(n.below, func(c *node) bool { return c.name == token })
		if i < 0 {
			i = len(n.below)
			c := &node{name: token, quoted: `"` + token + `"`, index: -1}
			if isIndex(token) {
				c.index, _ = strconv.Atoi(token)
			}
			n.below = append(n.below, c)
		}
		n = n.below[i]
	}
	return n
}

// put adds a slot at a path.
func (n *node) put(path []string, s slot) {
	to := n.at(path)
	to.slots = append(to.slots, s)
}

// The slots of what an answer says of its pages.
const (
	nextSlot = iota
	totalSlot
	moreSlot
	lastSlot
	countSlot
	pageSlots
)

// decoder reads the rows of answers. Several goroutines may use it at once.
type decoder struct {
	answer *node
	path   []string // of the rows
	row    *node
	width  int
	single bool // an object is one row
	one    bool // the value is one row, whatever it is
}

func newDecoder(c *call, row *node, width int) *decoder {
	d := &decoder{answer: &node{}, path: c.rows, row: row, width: width, single: c.single}
	d.answer.at(c.rows).rows = d
	for i, path := range [pageSlots][]string{c.pages.next, c.pages.total, c.pages.more, c.pages.last, c.pages.count} {
		if path != nil {
			d.answer.put(path, slot{i, asWritten})
		}
	}
	return d
}

// decoded is what was read of an answer.
type decoded struct {
	rows  [][]value.Value
	pages [pageSlots]value.Value
	found bool   // the rows were there
	data  []byte // the JSON of the rows
	from  int64  // where it begins and ends
	to    int64
	block []value.Value
}

// decode reads an answer. All of it is read before the first row is given on, since
// an answer that is not what it should be is asked for again.
func (d *decoder) decode(body []byte) (*decoded, error) {
	out := &decoded{}
	from := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	if err := d.answer.fill(from, out.pages[:], out); err != nil {
		return nil, jsonError(err)
	}
	if int(out.to) <= len(body) {
		out.data = body[out.from:out.to]
	}
	if _, err := from.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more after the JSON value")
	}
	if !out.found {
		return nil, fmt.Errorf("there is nothing at %s, where the rows should be", d.where())
	}
	return out, nil
}

func (d *decoder) where() string {
	if len(d.path) == 0 {
		return "its top"
	}
	return writePointer(d.path)
}

// jsonError says that a text is no JSON, and where it ends to be.
func jsonError(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the JSON value ends too early")
	case errors.As(err, &syntactic):
		return fmt.Errorf("this is no JSON: %w", syntactic.Err)
	}
	return err
}

// fill reads a value and puts what is wanted of it into a row.
func (n *node) fill(from *jsontext.Decoder, row []value.Value, out *decoded) error {
	switch {
	case n.rows != nil:
		return n.rows.readRows(from, out)
	case len(n.below) == 0:
		if len(n.slots) == 0 {
			return from.SkipValue()
		}
		raw, err := from.ReadValue()
		if err != nil {
			return err
		}
		return n.store(raw, row)
	case len(n.slots) > 0:
		raw, err := from.ReadValue()
		if err != nil {
			return err
		}
		raw = raw.Clone() // the conversion to text changes it
		if err := n.store(raw.Clone(), row); err != nil {
			return err
		}
		members := node{below: n.below}
		return members.fill(jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true)), row, out)
	}
	switch from.PeekKind() {
	case '{':
		return n.fillObject(from, row, out)
	case '[':
		return n.fillArray(from, row, out)
	}
	return from.SkipValue()
}

func (n *node) fillObject(from *jsontext.Decoder, row []value.Value, out *decoded) error {
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	next := 0 // rows have their members in one order, most often that of the columns
	for from.PeekKind() == '"' {
		name, err := from.ReadValue()
		if err != nil {
			return err
		}
		i := n.member(name, next)
		if i < 0 {
			if err := from.SkipValue(); err != nil {
				return err
			}
			continue
		}
		next = i + 1
		if err := n.below[i].fill(from, row, out); err != nil {
			return err
		}
	}
	_, err := from.ReadToken()
	return err
}

// member returns the number of the node of a name, or -1. It looks at a likely one
// first.
func (n *node) member(name []byte, likely int) int {
	if likely < len(n.below) && n.below[likely].quoted == string(name) {
		return likely
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		text, err := jsontext.AppendUnquote(nil, name)
		if err != nil {
			return -1
		}
		return slices.IndexFunc(n.below, func(c *node) bool { return c.name == string(text) })
	}
	return slices.IndexFunc(n.below, func(c *node) bool { return c.quoted == string(name) })
}

func (n *node) fillArray(from *jsontext.Decoder, row []value.Value, out *decoded) error {
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	for i := 0; from.PeekKind() != ']'; i++ {
		var err error
		if at := slices.IndexFunc(n.below, func(c *node) bool { return c.index == i }); at >= 0 {
			err = n.below[at].fill(from, row, out)
		} else {
			err = from.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := from.ReadToken()
	return err
}

// blockRows is how many rows are allocated at a time.
const blockRows = 64

// readRows reads the array of rows, or the one row that replaces it.
func (d *decoder) readRows(from *jsontext.Decoder, out *decoded) error {
	kind := from.PeekKind()
	out.found = true
	switch {
	case d.one:
		return d.readRow(from, out)
	case kind == '[':
	case d.single && kind == 'n':
		return from.SkipValue()
	case d.single:
		return d.readRow(from, out)
	case kind == 0:
		return from.SkipValue() // which says what is wrong
	default:
		return fmt.Errorf("at %s, where the rows should be, is %s instead of an array", d.where(), jsonKind(kind))
	}
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	out.from = from.InputOffset()
	for from.PeekKind() != ']' {
		if err := d.readRow(from, out); err != nil {
			return err
		}
	}
	_, err := from.ReadToken()
	out.to = from.InputOffset()
	return err
}

func (d *decoder) readRow(from *jsontext.Decoder, out *decoded) error {
	if kind := from.PeekKind(); kind != '{' && kind != 0 && len(d.row.slots) == 0 && kind != '[' && (!d.one || kind != 'n') {
		return fmt.Errorf("row %d at %s is %s instead of an object", len(out.rows)+1, d.where(), jsonKind(kind))
	}
	if len(out.block) < d.width {
		out.block = make([]value.Value, max(1, d.width)*blockRows)
	}
	row := out.block[:d.width:d.width]
	out.block = out.block[d.width:]
	out.rows = append(out.rows, row)
	return d.row.fill(from, row, out)
}

// jsonKind says what a value is.
func jsonKind(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case '[':
		return "an array"
	}
	return "an object"
}

// store puts a value into its slots.
func (n *node) store(raw jsontext.Value, row []value.Value) error {
	for _, s := range n.slots {
		v, err := s.convert.value(raw)
		if err != nil {
			return err
		}
		row[s.index] = v
	}
	return nil
}
