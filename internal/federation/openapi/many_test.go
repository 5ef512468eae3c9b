package openapi

import "testing"

// TestManyOfTable says how many values a call of a filter has where the table says it
// for all of them.
func TestManyOfTable(t *testing.T) {
	for table, want := range map[string]int{
		"{list: rows}":                                    100,
		"{list: rows, many: 7}":                           7,
		"{list: rows, many: 7, filters: {id: id}}":        7,
		"{list: rows, many: 7, filters: {id: {many: 9}}}": 9,
	} {
		got := loadDocument(t, listing, "http://127.0.0.1:1", table)
		if len(got.Filters) != 1 || got.Filters[0].Many != want {
			t.Errorf("%s: %+v, want %d values", table, got.Filters, want)
		}
	}
}
