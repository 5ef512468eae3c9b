package openapi

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkDecode reads a page of rows as serve writes them.
func BenchmarkDecode(b *testing.B) {
	var body bytes.Buffer
	body.WriteString(`{"data":[`)
	for i := range 10_000 {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"id":%d,"name":"Name of the row %d","note":"caf\u00e9","height":%d.25,"when":"2024-01-02","none":null,"unused":[1,2,{"a":3}]}`, i, i, i)
	}
	body.WriteString(`],"count":10000,"truncated":false}`)
	d := decoderOf([]string{"data"}, "id", "name", "note", "height", "when", "none")
	b.SetBytes(int64(body.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.decode(body.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}

// decoderOf returns a decoder of rows with these members.
func decoderOf(rows []string, names ...string) *decoder {
	row := &node{}
	for i, name := range names {
		row.put([]string{name}, slot{i, exact})
	}
	return newDecoder(&call{rows: rows}, row, len(names))
}
