package emit

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// TestNames lists what derived columns are called in the full toolset.
func TestNames(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT strftime('%Y', placed) FROM orders", "placed_year"},
		{"SELECT strftime('%Y-%m', placed) AS PlacedMonth FROM orders", "placed_month"},
		{"SELECT id + 1 AS `the next one!` FROM orders", "id_plus_1"},
		{"SELECT `total (EUR)` / customer FROM orders", "total_eur_per_customer"},
		{"SELECT 2025 - id, id - 2025 FROM orders", "id_from_2025 id_minus_2025"},
		{"SELECT CAST(placed AS INTEGER) FROM orders", "placed_whole_number"},
		{"SELECT substr(placed, 1, 4), substr(placed, 6, 2), substr(placed, 9), substr(placed, -2) FROM orders", "placed_first_4 placed_from_6_to_7 placed_from_9 placed_part"},
		{"SELECT instr(placed, ':'), placed || '-' FROM orders", "placed_colon_place placed_with_dash"},
		{"SELECT CASE WHEN customer = 7 THEN 'YES' ELSE 'NO' END FROM orders", "yes_or_no"},
		{"SELECT CASE WHEN customer = 7 THEN id ELSE 0 END FROM orders", "id_if_customer_is_7"},
		{"SELECT customer = 7, customer IS NULL FROM orders", "customer_is_7 customer_missing"},
		{"SELECT 'x' FROM orders", "x"},
		{"SELECT 1 FROM orders", "value_1"},
		{"SELECT id + 1, id + 1.0 FROM orders", "id_plus_1 id_plus_1_0"},
		{"SELECT lower(name), upper(name) AS lower FROM people", "name_lower lower"},
		{"SELECT name || 'a' AS name, name || 'b' AS name FROM people", "name name_2"},
		{"SELECT id + 1 AS orders_id FROM orders", "orders_id_2"},
		{"SELECT id + customer + id + customer + id + customer + id + customer FROM orders ORDER BY 1",
			"id_plus_customer id_plus_customer_plus_id id_plus_customer_plus_customer id_plus_customer_plus_id_2 " +
				"id_plus_customer_plus_customer_2 id_plus_customer_plus_id_3 id_plus_customer_plus_customer_3"},
	} {
		s, err := emit(t, c.sql, false)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		var got []string
		for _, call := range s.Calls {
			if key, ok := call.Arguments.Get(toolname.ArgOutputKey); ok {
				got = append(got, key.(string))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.sql, strings.Join(got, " "), c.want)
		}
		for _, key := range got {
			if len(key) > maxName {
				t.Errorf("%s: %s has %d characters", c.sql, key, len(key))
			}
		}
	}
}
