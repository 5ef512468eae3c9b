package valueindex

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// A table leads from 64-bit keys to 32-bit numbers. Its entries are sorted by key;
// the first bits of a key choose a bucket, and the 32 bits after them are kept to
// distinguish the keys of a bucket. The rare key that is taken for another one is
// for the reader to find out.
//
//	uint32 × (2^bits + 1)  where each bucket begins, in entries
//	uint32 × n             the kept bits of the keys
//	uint32 × n             the numbers
type table struct {
	bits   int
	n      int
	starts []byte
	checks []byte
	values []byte
}

type entry struct {
	key   uint64
	value uint32
}

// entriesPerBucket is about how many keys a lookup compares.
const entriesPerBucket = 4

// tableBits is how many bits choose the bucket in a table of n entries.
func tableBits(n int) int { return bits.Len(uint(n / entriesPerBucket)) }

// tableSize is the length in bytes of a table of n entries.
func tableSize(n int) int { return 4 * (1<<tableBits(n) + 1 + 2*n) }

func bucketOf(key uint64, bits int) uint64 { return key >> 1 >> (63 - bits) }

func checkOf(key uint64, bits int) uint32 { return uint32(key << bits >> 32) }

// appendTable writes a table of the entries, which it sorts; equal ones are kept
// once.
func appendTable(b []byte, entries []entry) (out []byte, n int) {
	slices.SortFunc(entries, func(x, y entry) int { return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.value, y.value)) })
	entries = slices.Compact(entries)
	bits := tableBits(len(entries))
	at := 0
	for bucket := range uint64(1) << bits {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		for at < len(entries) && bucketOf(entries[at].key, bits) == bucket {
			at++
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(at))
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint32(b, checkOf(e.key, bits))
	}
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint32(b, e.value)
	}
	return b, len(entries)
}

// readTable returns the table of n entries that b is; len(b) is tableSize(n).
func readTable(b []byte, n int) table {
	t := table{bits: tableBits(n), n: n}
	starts := 4 * (1<<t.bits + 1)
	t.starts, t.checks, t.values = b[:starts], b[starts:starts+4*n], b[starts+4*n:]
	return t
}

func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// find calls yield with the numbers of a key, in ascending order, until it returns
// false.
func (t *table) find(key uint64, yield func(uint32) bool) {
	bucket := int(bucketOf(key, t.bits))
	from, to := int(word(t.starts, bucket)), int(word(t.starts, bucket+1))
	check := checkOf(key, t.bits)
	for i := from; i < min(to, t.n); i++ {
		if word(t.checks, i) == check && !yield(word(t.values, i)) {
			return
		}
	}
}

// A filter is a Bloom filter of 64-bit keys: each has three bits in one block of
// 512, so that a question costs one line of cache.
type filter []byte

const (
	filterBlock   = 64 // bytes
	filterPerKey  = 12 // bits
	filterAddress = 9  // bits of an address in a block
)

// newFilter returns an empty filter for n keys.
func newFilter(n int) filter {
	return make(filter, filterBlock*(n*filterPerKey/(8*filterBlock)+1))
}

// each calls yield with the bytes and bits of a key.
func (f filter) each(key uint64, yield func(at int, bit byte) bool) {
	blocks := uint64(len(f) / filterBlock)
	high, _ := bits.Mul64(key, blocks)
	for range 3 {
		address := key & (1<<filterAddress - 1)
		key >>= filterAddress
		if !yield(int(high)*filterBlock+int(address/8), 1<<(address%8)) {
			return
		}
	}
}

func (f filter) add(key uint64) {
	f.each(key, func(at int, bit byte) bool {
		f[at] |= bit
		return true
	})
}

// has reports whether a key may have been added.
func (f filter) has(key uint64) bool {
	found := true
	f.each(key, func(at int, bit byte) bool {
		found = f[at]&bit != 0
		return found
	})
	return found
}
