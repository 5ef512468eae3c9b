package value

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// SQLite converts between binary and decimal with 64- and 96-bit fixed-point
// products rather than exact big-number arithmetic, so its last digit is not
// always the correctly rounded one. The functions of this file follow the
// same steps, since strconv would differ in that digit.

// powerStep is the distance between the tabulated large powers of ten.
const powerStep = 27

// power is 10^p scaled to have its top bit set: hi holds the first 64 bits of
// the significand and lo the next 32, truncated.
type power struct {
	hi uint64
	lo uint32
}

// smallPowers[i] is 10^i; largePowers[i] is 10^((i-13)*powerStep), except that
// the unused slot of 10^0 holds 10^-1.
var smallPowers, largePowers = tabulatePowers()

func tabulatePowers() (small [powerStep]power, large [26]power) {
	for i := range small {
		small[i] = exactPower(i)
	}
	for i := range large {
		large[i] = exactPower((i - 13) * powerStep)
	}
	large[13] = exactPower(-1)
	return small, large
}

// exactPower computes the leading 96 bits of 10^p.
func exactPower(p int) power {
	const scale = 4096 // bits enough for the reciprocal of any power in range
	n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(p, -p))), nil)
	if p < 0 {
		n.Div(new(big.Int).Lsh(big.NewInt(1), scale), n)
	} else {
		n.Lsh(n, 96)
	}
	n.Rsh(n, uint(n.BitLen()-96))
	lo := new(big.Int).And(n, big.NewInt(math.MaxUint32))
	return power{new(big.Int).Rsh(n, 32).Uint64(), uint32(lo.Uint64())}
}

// powerOfTen returns 10^p for -348 <= p <= 347. Powers that are not in a table
// are the truncated product of two that are.
func powerOfTen(p int) power {
	switch {
	case p == -1:
		return largePowers[13]
	case p >= 0 && p < powerStep:
		return power{hi: smallPowers[p].hi}
	}
	group, rest := p/powerStep, p%powerStep
	if rest < 0 {
		group--
		rest += powerStep
	}
	large := largePowers[group+13]
	if rest == 0 {
		return large
	}
	factor := smallPowers[rest].hi
	hi, mid := bits.Mul64(large.hi, factor)
	carryHi, carryLo := bits.Mul64(uint64(large.lo), factor)
	mid, carry := bits.Add64(mid, carryHi<<32|carryLo>>32, 0)
	hi += carry
	lo := uint32(mid >> 32)
	if hi>>63 == 0 {
		hi = hi<<1 | uint64(lo>>31)
		lo = lo<<1 | 1
	}
	return power{hi, lo}
}

// tenToTwo and twoToTen turn an exponent of one base into the floor of the
// matching exponent of the other.
func tenToTwo(p int) int { return p * 108853 >> 15 }
func twoToTen(p int) int { return p * 78913 >> 18 }

// toDecimal returns d and p so that d*10^p is about m*2^e, where m has its top
// bit set and d gets about n digits (n <= 18).
func toDecimal(m uint64, e, n int) (d uint64, p int) {
	p = n - 1 - twoToTen(e+63)
	h, _ := bits.Mul64(m, powerOfTen(p).hi)
	if n == 18 {
		h >>= uint(-(e + tenToTwo(p) + 2))
		d = h>>1 + h&1
	} else {
		d = h >> uint(-(e + tenToTwo(p) + 1))
	}
	return d, -p
}

// fromDecimal returns the real nearest to d*10^p; d must not be 0.
func fromDecimal(d uint64, p int) float64 {
	if p < -348 {
		return 0
	}
	if p > 347 {
		return math.Inf(1)
	}
	size := bits.Len64(d)
	e := 53 - size - tenToTwo(p)
	if e > 1074 {
		if e >= 1130 {
			return 0
		}
		e = 1074
	}
	shift := uint(-(e - (64 - size) + tenToTwo(p) + 3))
	pow := powerOfTen(p)
	if pow.lo != 0 {
		pow.hi++
		pow.lo = ^pow.lo
	}
	x := d << uint(64-size)
	hi, lo := bits.Mul64(x, pow.hi)
	sticky := uint64(1)
	if hi&(1<<shift-1) == 0 {
		mid := uint32(lo >> 32)
		over, _ := bits.Mul64(x, uint64(pow.lo)<<32)
		excess := uint32(over >> 32)
		if mid-excess <= 1 {
			sticky = 0
		}
		if mid < excess {
			hi--
		}
	}
	u := hi>>shift | sticky
	if u >= 1<<55-2 {
		u = u>>1 | u&1
		e--
	}
	m := (u + 1 + u>>2&1) >> 2
	if e <= -972 {
		return math.Inf(1)
	}
	if m>>52&1 != 0 {
		m = m&^(1<<52) | uint64(1075-e)<<52
	}
	return math.Float64frombits(m)
}

// decimal is a real in digits: 0.DIGITS * 10^point.
type decimal struct {
	negative bool
	infinite bool
	digits   []byte // ASCII, without trailing zeros
	point    int
}

// decode renders the digits of f. A positive round is the number of
// significant digits wanted, a negative or zero one the number of digits after
// the decimal point, negated. No more than limit significant digits are kept.
func decode(f float64, round, limit int) decimal {
	var d decimal
	if f < 0 {
		d.negative = true
		f = -f
	}
	if f == 0 {
		d.digits, d.point = []byte{'0'}, 1
		return d
	}
	if math.IsInf(f, 0) {
		d.infinite = true
		return d
	}
	m := math.Float64bits(f)
	e := int(m >> 52)
	m &= 1<<52 - 1
	if e == 0 {
		zeros := bits.LeadingZeros64(m)
		m <<= uint(zeros)
		e = -1074 - zeros
	} else {
		m = m<<11 | 1<<63
		e -= 1086
	}
	want := 18
	if round > 0 && round < 18 {
		want = round + 1
	}
	n, exp := toDecimal(m, e, want)
	d.digits = strconv.AppendUint(make([]byte, 0, 24), n, 10)
	d.point = len(d.digits) + exp
	if round <= 0 {
		round = d.point - round
		if round == 0 && d.digits[0] >= '5' {
			round = 1
			d.digits = append([]byte{'0'}, d.digits...)
			d.point++
		}
	}
	if round > 0 && (round < len(d.digits) || len(d.digits) > limit) {
		round = min(round, limit)
		if round == 17 {
			round = shorter(d, f, exp)
		}
		d.roundTo(round)
	}
	for len(d.digits) > 1 && d.digits[len(d.digits)-1] == '0' {
		d.digits = d.digits[:len(d.digits)-1]
	}
	return d
}

// shorter returns how many digits to round to so that 49.47 is not shown as
// 49.469999999999999: fewer than 17 if the digits end in a run of nines or
// zeros and the shorter text still reads back as f.
func shorter(d decimal, f float64, exp int) int {
	z := d.digits
	keep, add := 0, uint64(0)
	switch {
	case z[15] == '9' && z[14] == '9':
		for keep = 14; keep > 0 && z[keep-1] == '9'; keep-- {
		}
		add = 1
	case d.point >= len(z) || z[15] == '0' && z[14] == '0' && z[13] == '0':
		for keep = 13; z[keep-1] == '0'; keep-- {
		}
	default:
		return 17
	}
	var head uint64
	for _, c := range z[:keep] {
		head = head*10 + uint64(c-'0')
	}
	if fromDecimal(head+add, exp+len(z)-keep) == f {
		return keep + 1
	}
	return 17
}

// roundTo keeps the first n digits, rounding half up.
func (d *decimal) roundTo(n int) {
	up := d.digits[n] >= '5'
	d.digits = d.digits[:n]
	if !up {
		return
	}
	for i := n - 1; i >= 0; i-- {
		if d.digits[i]++; d.digits[i] <= '9' {
			return
		}
		d.digits[i] = '0'
	}
	d.digits = append([]byte{'1'}, d.digits...)
	d.point++
}
