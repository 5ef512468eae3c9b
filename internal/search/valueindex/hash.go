package valueindex

import "github.com/cespare/xxhash/v2"

// Seeds of keys, so that a token, a date and a symbol of the same bytes differ.
const (
	seedTokens uint64 = 0x243f6a8885a308d3 + iota
	seedDate
	seedSymbol
	seedDeletion
)

// mix spreads what differs over all bits. It is one to one.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// tokenHash is the hash of one folded token.
func tokenHash[T string | []byte](w T) uint32 { return uint32(xxhash.Sum64String(string(w)) >> 32) }

// extendKey returns the key of tokens and one more; the key of none is seedTokens.
func extendKey(key uint64, token uint32) uint64 { return mix(key ^ uint64(token)<<1) }

// symbolKey returns the key of a text without letters and digits.
func symbolKey(s string) uint64 { return mix(xxhash.Sum64String(s) ^ seedSymbol) }

// deletionKey returns the key of a token, or of what is left of one.
func deletionKey(w []byte) uint64 { return mix(xxhash.Sum64(w) ^ seedDeletion) }
