package value

import (
	"strconv"
	"strings"
)

// printf is format(FORMAT, ...) (printf.html). A conversion that does not
// exist ends the text, arguments that are missing count as NULL.
func printf(args []Value) (Value, error) {
	if len(args) == 0 || args[0].kind == Null {
		return Value{}, nil
	}
	p := printer{format: cstring(AsText(args[0])), args: args[1:]}
	for p.format != "" {
		i := strings.IndexByte(p.format, '%')
		if i < 0 {
			p.out.WriteString(p.format)
			break
		}
		p.out.WriteString(p.format[:i])
		p.format = p.format[i+1:]
		if p.format == "" {
			p.out.WriteByte('%')
			break
		}
		s := p.spec()
		if s.filled() > MaxLength-p.out.Len() {
			return Value{}, tooBig("format")
		}
		text, ok := p.convert(s)
		if !ok {
			break
		}
		p.out.WriteString(text)
	}
	return Str(p.out.String()), nil
}

// printer is the state of one call.
type printer struct {
	format string // what is still to read
	args   []Value
	out    strings.Builder
}

// arg takes the next argument.
func (p *printer) arg() Value {
	if len(p.args) == 0 {
		return Value{}
	}
	v := p.args[0]
	p.args = p.args[1:]
	return v
}

// next takes the next byte of the format, 0 at its end.
func (p *printer) next() byte {
	if p.format == "" {
		return 0
	}
	c := p.format[0]
	p.format = p.format[1:]
	return c
}

// spec reads a conversion from behind its percent sign.
func (p *printer) spec() spec {
	s := spec{precision: -1}
	for {
		c := p.next()
		switch c {
		case '-':
			s.minus = true
		case '+', ' ':
			s.sign = c
		case '#':
			s.sharp = true
		case '!':
			s.bang = true
		case '0':
			s.zero = true
		case ',':
			s.comma = true
		case '1', '2', '3', '4', '5', '6', '7', '8', '9':
			s.width = p.number(uint32(c - '0'))
			if !p.more() {
				s.verb = p.next()
				return s
			}
		case '*':
			var left bool
			s.width, left = p.starWidth()
			s.minus = s.minus || left
			if !p.more() {
				s.verb = p.next()
				return s
			}
		case '.':
			s.precision = p.precision()
			if at(p.format, 0) != 'l' {
				s.verb = p.next()
				return s
			}
		case 'l':
			c = p.next()
			if c == 'l' {
				c = p.next()
			}
			s.verb = c
			return s
		default:
			s.verb = c
			return s
		}
	}
}

// more reports whether a precision or a length follows the width.
func (p *printer) more() bool {
	c := at(p.format, 0)
	return c == '.' || c == 'l'
}

// number reads digits after the first ones, dropping all but 31 bits.
func (p *printer) number(n uint32) int {
	for isDigit(at(p.format, 0)) {
		n = n*10 + uint32(p.next()-'0')
	}
	return int(n & 0x7FFFFFFF)
}

// starWidth takes the width from an argument; a negative one means left.
func (p *printer) starWidth() (width int, left bool) {
	w := int32(ToInt64(p.arg()))
	if w >= 0 {
		return int(w), false
	}
	if w == -1<<31 {
		return 0, true
	}
	return int(-w), true
}

func (p *printer) precision() int {
	if at(p.format, 0) != '*' {
		return p.number(0)
	}
	p.next()
	n := int32(ToInt64(p.arg()))
	switch {
	case n == -1<<31:
		return -1
	case n < 0:
		return int(-n)
	}
	return int(n)
}

// filled bounds the bytes that the width and the precision may add. To a text
// the precision adds none.
func (s spec) filled() int {
	if strings.IndexByte("szqQwjJ", s.verb) >= 0 {
		return s.width
	}
	return s.width + max(s.precision, 0)
}

// convert renders one conversion; ok is false if there is none of that verb.
func (p *printer) convert(s spec) (text string, ok bool) {
	switch s.verb {
	case '%':
		return s.pad("%"), true
	case 'n':
		return "", true
	case 'd', 'i', 'r', 'u', 'x', 'X', 'o', 'p':
		return s.integer(ToInt64(p.arg())), true
	case 'e', 'E', 'f', 'g', 'G':
		return s.float(ToFloat64(p.arg())), true
	case 'c':
		return s.char(p.arg()), true
	case 's', 'z':
		return s.padText(s.cut(cstring(AsText(p.arg())))), true
	case 'q', 'Q', 'w':
		return s.padText(s.quoted(p.arg())), true
	case 'j', 'J':
		return s.json(p.arg()), true
	}
	return "", false
}

// integer renders i by %d, %r, %u or a radix.
func (s spec) integer(i int64) string {
	magnitude := uint64(i)
	sign := ""
	if s.verb == 'd' || s.verb == 'i' || s.verb == 'r' {
		if i < 0 {
			magnitude = -magnitude
			sign = "-"
		} else if s.sign != 0 {
			sign = string(rune(s.sign))
		}
	}
	precision := s.precision
	if s.zero {
		precision = max(precision, s.width-len(sign))
	}
	base, alternate := 10, ""
	switch s.verb {
	case 'x':
		base, alternate = 16, "0x"
	case 'X':
		base, alternate = 16, "0X"
	case 'p':
		base, alternate = 16, "0x"
	case 'o':
		base, alternate = 8, "0"
	}
	digits := strconv.FormatUint(magnitude, base)
	if s.verb == 'X' || s.verb == 'p' {
		digits = strings.ToUpper(digits)
	}
	if s.verb == 'r' {
		digits += ordinal(magnitude)
	}
	digits = strings.Repeat("0", max(precision-len(digits), 0)) + digits
	if s.comma && (s.verb == 'd' || s.verb == 'i' || s.verb == 'u') {
		digits = group(digits)
	}
	digits = sign + digits
	if s.sharp && magnitude != 0 {
		digits = alternate + digits
	}
	return s.pad(digits)
}

// ordinal returns the ending of 1st, 2nd, 3rd and 4th.
func ordinal(n uint64) string {
	if n/10%10 == 1 || n%10 > 3 {
		return "th"
	}
	return [...]string{"th", "st", "nd", "rd"}[n%10]
}

// group puts a comma before every third digit from the right.
func group(digits string) string {
	var b strings.Builder
	for i := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}
