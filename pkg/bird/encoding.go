package bird

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns the text of a file in UTF-8, UTF-16 or Windows-1252. A byte order mark
// decides the encoding; UTF-16 without a mark is recognized by its NUL bytes. In all
// other files, each byte that is not part of valid UTF-8 is taken as Windows-1252, so
// that files may mix the two. Byte order marks are dropped everywhere.
func decode(data []byte) string {
	var text string
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), len(data) > 1 && data[0] != 0 && data[1] == 0:
		text = decode16(data, binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}), len(data) > 1 && data[0] == 0 && data[1] != 0:
		text = decode16(data, binary.BigEndian)
	default:
		text = decode8(data)
	}
	return strings.ReplaceAll(text, "\ufeff", "")
}

func decode16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(data)/2)
	for ; len(data) > 1; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	return string(utf16.Decode(units))
}

func decode8(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			r = windows1252(data[0])
		}
		b.WriteRune(r)
		data = data[size:]
	}
	return b.String()
}

// windows1252 returns the character of a byte. The five bytes without a character
// become control characters of the same number, so that nothing is lost.
func windows1252(c byte) rune {
	if c < 0x80 || c > 0x9f {
		return rune(c)
	}
	return [...]rune{
		'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
		0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
	}[c-0x80]
}
