package valueindex

import "encoding/binary"

// Texts of a column are sorted and kept in blocks. The first text of a block is
// whole; of each other one its block has how many bytes it shares with the one
// before, and the rest:
//
//	uvarint length, bytes                    first
//	uvarint shared, uvarint length, bytes    each other
const blockTexts = 16

// appendBlock writes the texts of one block.
func appendBlock(b []byte, texts []string) []byte {
	for i, s := range texts {
		shared := 0
		if i > 0 {
			last := texts[i-1]
			for shared < min(len(last), len(s)) && last[shared] == s[shared] {
				shared++
			}
			b = binary.AppendUvarint(b, uint64(shared))
		}
		b = binary.AppendUvarint(b, uint64(len(s)-shared))
		b = append(b, s[shared:]...)
	}
	return b
}

// block reads the texts of a block one after another.
type block struct {
	rest  []byte
	text  []byte
	begun bool
}

// next reads the next text, which holds until the one after it is read. It reports
// false where the block is broken.
func (k *block) next() bool {
	shared := uint64(0)
	if k.begun && !k.uvarint(&shared) {
		return false
	}
	k.begun = true
	var n uint64
	if !k.uvarint(&n) || shared > uint64(len(k.text)) || n > uint64(len(k.rest)) || shared+n > MaxBytes {
		return false
	}
	k.text = append(k.text[:shared], k.rest[:n]...)
	k.rest = k.rest[n:]
	return true
}

func (k *block) uvarint(to *uint64) bool {
	if len(k.rest) > 0 && k.rest[0] < 0x80 {
		*to, k.rest = uint64(k.rest[0]), k.rest[1:]
		return true
	}
	v, n := binary.Uvarint(k.rest)
	if n <= 0 {
		return false
	}
	*to, k.rest = v, k.rest[n:]
	return true
}
