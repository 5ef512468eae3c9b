package plan

import "testing"

// TestRefusedLateral lists outer joins that read the query around them, on conditions
// that are not planned: the statement is refused, and not planned without them.
func TestRefusedLateral(t *testing.T) {
	for _, join := range []string{"LEFT JOIN", "RIGHT JOIN"} {
		for _, sql := range []string{
			"SELECT name, (SELECT count(*) FROM orders AS o " + join + " items AS i ON i.order_id = customers.id AND random() > 0) FROM customers",
			"SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders AS o " + join + " items AS i ON i.order_id = customers.id AND i.qty = random() WHERE o.id = 7)",
		} {
			if p, err := build(sql, shop); construct(err) == "" {
				t.Errorf("%s is planned: %v\n%s", sql, err, p)
			}
		}
	}
}
