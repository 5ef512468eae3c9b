package naming

import (
	"strings"
	"testing"
)

// TestFunctions says what functions are called in descriptions.
func TestFunctions(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"upper(name)", "The name in upper case"},
		{"lower(name)", "The name in lower case"},
		{"trim(name)", "The name"},
		{"ltrim(name)", "The name"},
		{"rtrim(name, 'x')", "The name"},
		{"printf('%s', name)", "The name"},
		{"format('%d', price)", "The price"},
		{"length(name)", "The length of the name"},
		{"abs(price)", "The absolute value of the price"},
		{"round(price)", "The price"},
		{"round(price, 2)", "The price (rounded to 2 decimals)"},
		{"coalesce(name, a)", "The name or where that is missing weight"},
		{"nullif(price, a)", "The price unless it is weight"},
		{"replace(name, 'x', 'y')", "The name with “y” in the place of “x”"},
		{"instr(name, 'x')", "The position of “x” in the name"},
		{"min(price, a)", "The smaller of price and weight"},
		{"max(price, a, id)", "The larger of price, weight and ID"},
		{"iif(price > 1, name, a)", "The name where the price is above the given value, else weight"},
		{"substr(name, 1, 1)", "The first 1 characters of the name"},
		{"substr(name, 1, 3)", "The first 3 characters of the name"},
		{"substr(name, 2, 3)", "The characters 2 to 4 of the name"},
		{"substr(name, 0, 3)", "The part of the name"},
		{"substr(sold_date, 1, 4)", "The year of the sold date"},
		{"substr(sold_date, 6, 2)", "The month of the sold date"},
		{"substr(sold_date, 5, 2)", "The month of the sold date"},
		{"substr(sold_date, 1, 7)", "The year and month of the sold date"},
		{"substr(sold_date, 1, 10)", "The day of the sold date"},
		{"substr(sold_date, 2, 3)", "The characters 2 to 4 of the sold date"},
		{"date(sold_date)", "The sold date"},
		{"datetime(sold_date)", "The date and time of the sold date"},
		{"time(sold_date)", "The time of the sold date"},
		{"julianday(sold_date)", "The sold date"},
		{"unixepoch(sold_date)", "The second of the sold date"},
		{"date('now')", "The current date"},
		{"time('now')", "The current time"},
		{"strftime('%Y', 'now')", "The current year"},
		{"strftime('%m', sold_date)", "The month of the sold date"},
		{"hex(name)", "The hex of the name"},
	} {
		from, rows := "item", "item"
		if strings.Contains(c.expr, "sold_date") {
			from, rows = "sales", "sale"
		}
		n, params := namer(t, "SELECT "+c.expr+" FROM "+from+" LIMIT 1")
		got, _, ok := strings.Cut(n.Endpoint(params, nil).Bare, " of the "+rows+", the first one only.")
		if got != c.want || !ok {
			t.Errorf("%s is %q, want %q", c.expr, got, c.want)
		}
	}
}
