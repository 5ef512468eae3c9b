package rewrite

import "fmt"

// shapes are what the rules are for. Each has to fire on most of what is drawn.
var shapes = []shape{
	{"equal steps are made once", func(d draws) string {
		c := d.condition()
		return fmt.Sprintf("SELECT t.id FROM t JOIN u ON u.t_id = t.id WHERE %s AND t.i > (SELECT avg(a.i) FROM t AS a JOIN u AS b ON b.t_id = a.id WHERE a.n = 1)", c)
	}},
	{"equal steps are made once", func(d draws) string {
		f, x := d.of("max", "min", "count", "sum"), d.of("n", "i", "id")
		return fmt.Sprintf("SELECT a.w, (SELECT %s(%s) FROM t AS b JOIN u AS d ON d.t_id = b.id WHERE b.n > 0) FROM t AS a WHERE a.n < (SELECT %[1]s(%[2]s) FROM t AS c JOIN u AS e ON e.t_id = c.id WHERE c.n > 0)", f, x)
	}},
	{"cast, multiply, divide is a ratio", func(d draws) string {
		x, y := d.column(), d.column()
		return "SELECT " + d.ratio(x, y) + " " + d.from()
	}},
	{"cast, multiply, divide is a ratio", func(d draws) string {
		x, y := "sum("+d.of("t.i", "t.n", "t.r")+")", d.of("count(*)", "count(t.i)", "sum(t.n)", "count(DISTINCT t.s)")
		return "SELECT " + d.ratio(x, y) + " " + d.from() + d.of("", " GROUP BY t.w")
	}},
	{"conversions that change nothing go", func(d draws) string {
		x, y := d.column(), d.column()
		return fmt.Sprintf("SELECT CAST(%s AS REAL) %s CAST(%s AS REAL) %s", x, d.of("+", "-", "*"), y, d.from())
	}},
	{"conversions that change nothing go", func(d draws) string {
		x, y, z := d.column(), d.column(), d.column()
		return fmt.Sprintf("SELECT CAST(%s AS REAL) / CAST(CAST(%s AS REAL) * 2 + CAST(%s AS REAL) AS REAL) %s", x, y, z, d.from())
	}},
	{"conversions that change nothing go", func(d draws) string {
		return fmt.Sprintf("SELECT CAST(%s AS REAL) * %s %s %s %s", d.column(), d.of("60", "3600", "-2", "0", "1"), d.of("+", "-"), d.of(d.column(), "CAST("+d.column()+" AS REAL) / 1000"), d.from())
	}},
	{"counts and sums of CASE are filters", func(d draws) string {
		f, x := d.of("count", "sum", "avg", "total", "min", "max", "count"), d.of("t.i", "t.n", "t.r", "t.id")
		return fmt.Sprintf("SELECT %s(CASE WHEN %s THEN %s%s END) %s", f, d.both(), x, d.of("", " ELSE NULL"), d.from())
	}},
	{"counts and sums of CASE are filters", func(d draws) string {
		return fmt.Sprintf("SELECT count(%s) %s", d.of("DISTINCT CASE WHEN "+d.both()+" THEN t.i END", "CASE WHEN "+d.both()+" THEN 1 END", d.condition()+" OR NULL", "CASE WHEN "+d.both()+" THEN 1 ELSE 0 END"), d.from())
	}},
	{"counts and sums of CASE are filters", func(d draws) string {
		sum := func() string {
			return d.of("sum(CASE WHEN "+d.both()+" THEN 1 ELSE 0 END)", "sum(iif("+d.condition()+", 1, 0))", "sum("+d.condition()+")")
		}
		over := d.of(sum(), fmt.Sprintf("(%s - %s)", sum(), sum()))
		under := d.of("count(*)", "count(t.id)", "sum(t.i)", sum(), "count(t.s)", "count(CASE WHEN "+d.condition()+" THEN 1 END)", fmt.Sprintf("(%s + %s)", sum(), sum()))
		return fmt.Sprintf("SELECT CAST(%s AS REAL) %s/ %s %s", over, d.of("", "* 100 "), under, d.from())
	}},
	{"counts and sums of CASE are filters", func(d draws) string {
		x := d.of("t.i", "t.r", "t.n", "t.x")
		sum := func() string { return fmt.Sprintf("sum(CASE WHEN %s THEN %s ELSE 0 END)", d.both(), x) }
		return fmt.Sprintf("SELECT CAST(%s AS REAL) %s/ %s %s", sum(), d.of("", "* 100 "), d.of("sum("+x+")", "count("+x+")", "avg("+x+")", sum()), d.from())
	}},
	{"the only aggregate of all rows is a value", func(d draws) string {
		x := fmt.Sprintf("%s(%s)", d.of("sum", "max", "count", "avg", "total"), d.of("t.i", "t.n", "t.r", "t.id"))
		return fmt.Sprintf("SELECT %s %s%s", d.of("iif("+x+" > 1, 'YES', 'NO')", "CASE WHEN "+x+" IS NULL THEN 0 ELSE 1 END", x+" AS a, 'most'", "coalesce("+x+", 2) + 1"), d.from(), d.of("", "", " HAVING "+x+" > 0"))
	}},
	{"the only aggregate of all rows is a value", func(d draws) string {
		count := func() string { return fmt.Sprintf("SELECT 'x' AS k, count(*) AS n %s", d.from()) }
		return count() + d.of(" UNION ALL ", " UNION ", " EXCEPT ") + count()
	}},
	{"a value of several aggregates is made of values", func(d draws) string {
		x := func() string {
			return fmt.Sprintf("%s(%s)", d.of("sum", "max", "count", "avg", "total"), d.of("t.i", "t.n", "t.r", "t.id"))
		}
		return fmt.Sprintf("SELECT CASE WHEN %s %s %s THEN 'a' ELSE 'b' END %s", x(), d.of(">", "=", "<>"), x(), d.from())
	}},
	{"what a filter has asked is known", func(d draws) string {
		c := d.of("t.i = 1", "t.w = 'a'", "t.c = 'A'", "t.n > 0", "t.x = '1'")
		return fmt.Sprintf("SELECT sum(CASE WHEN %s AND %s THEN 1 ELSE 0 END) FROM t WHERE %s", c, d.of("(t.n < 0 OR t.n > 1)", "t.r > 0", "t.s = 'a'"), c)
	}},
	{"OR of equalities is in", func(d draws) string {
		c, x := d.condition(), d.of("i", "s", "x", "c")
		value := func() string { return d.of(cells[x]...) }
		return fmt.Sprintf("SELECT t.id FROM t WHERE (%s AND t.%s = %s) OR (%s AND t.%s = %s) ORDER BY t.id", c, x, value(), c, x, value())
	}},
	{"GROUP BY without aggregates is distinct", func(d draws) string {
		x := d.of("t.i", "t.s, t.n", "t.n", "t.w, t.i")
		if d.Intn(4) == 0 { // which of equal texts is shown is left open
			return "SELECT count(*) FROM (SELECT t.c " + d.from() + " GROUP BY t.c)"
		}
		return fmt.Sprintf("SELECT %s %s GROUP BY %s", x, d.from(), x)
	}},
	{"GROUP BY without aggregates is distinct", func(d draws) string {
		x := d.of("t.i", "t.n", "t.w, t.i", "t.w")
		return fmt.Sprintf("SELECT %s %s GROUP BY %s ORDER BY %s %s%s", x, d.from(), x, x, d.of("", "DESC"), d.of("", " LIMIT 2", " LIMIT 1 OFFSET 1"))
	}},
	{"GROUP BY without aggregates is distinct", func(d draws) string {
		from := d.of("FROM t JOIN u ON u.t_id = t.id", "FROM t JOIN u ON u.t_id = t.id WHERE t.n = 1 OR t.i = 1", "FROM t WHERE t.w = 'a'")
		return d.of("SELECT t.id, t.w "+from+" GROUP BY t.id", "SELECT t.id "+from+" GROUP BY t.w, t.id, t.s", "SELECT u.t_id, t.n FROM t JOIN u ON u.t_id = t.id GROUP BY t.id",
			"SELECT DISTINCT t.id "+from+" ORDER BY t.n "+d.of("", "DESC")+", t.id"+d.of("", " LIMIT 2"), "SELECT t.s FROM t WHERE t.n = 1 GROUP BY t.n, t.s")
	}},
	{"two bounds are between", func(d draws) string {
		x := d.of("t.i", "t.s", "t.x", "t.c", "t.r", "t.i + 1")
		low, high := fmt.Sprintf("%s >= %s", x, d.of("0", "1", "'a'")), fmt.Sprintf("%s <= %s", x, d.of("2", "3.5", "'b'"))
		if d.Intn(2) == 0 {
			low, high = high, low
		}
		return fmt.Sprintf("SELECT t.id FROM t WHERE %s AND %s", low, high)
	}},
	{"columns are retrieved at the end", func(d draws) string {
		return fmt.Sprintf("SELECT a FROM (SELECT t.w AS a, t.id AS b FROM t ORDER BY t.id %s LIMIT %s)", d.of("", "DESC"), d.of("1", "2", "9"))
	}},
	{"columns are retrieved at the end", func(d draws) string {
		return fmt.Sprintf("SELECT t.w, q.v FROM t JOIN (SELECT u.t_id AS a, u.y AS v FROM u WHERE u.k > %s) AS q ON q.a = t.id", d.of("0", "1"))
	}},
	{"a first row's value is read as one", func(d draws) string {
		return fmt.Sprintf("SELECT (SELECT %s FROM t WHERE %s ORDER BY id LIMIT 1) %s (SELECT count(*) FROM u)", d.of("i", "r", "n"), d.condition(), d.of("+", "-", "*", "/"))
	}},
	{"filters that keep everything go", func(d draws) string {
		x := d.of("i", "s", "x", "c")
		return fmt.Sprintf("SELECT t.id FROM t WHERE t.%s IS NOT NULL AND %s AND t.%s %s", x, d.condition(), x, d.of("> 0", "= 'a'", "LIKE '%a%'", "BETWEEN 1 AND 3", "IN (1, 'a')"))
	}},
	{"filters that keep everything go", func(d draws) string {
		return fmt.Sprintf("SELECT %s(t.%s) FROM t WHERE t.%[2]s IS NOT NULL", d.of("count", "sum", "avg", "min", "max", "total"), d.of("i", "r", "n"))
	}},
	{"a joined single value is read as one", func(d draws) string {
		return fmt.Sprintf("SELECT t.id FROM t JOIN (SELECT %s(n) AS m FROM t) AS q ON t.i + 0 %s q.m", d.of("max", "min", "count", "avg"), d.of("=", "<", ">="))
	}},
	{"equal expressions are computed once", func(d draws) string {
		f := d.of("t.i + t.n", "substr(t.s, 1, instr(t.s, ':'))", "t.n * 2 - 1", "length(t.s)")
		return fmt.Sprintf("SELECT count(*) FROM t WHERE t.n > 0 AND %s %s (SELECT %s(%s) FROM t WHERE t.w = 'a')", f, d.of(">=", "=", "<"), d.of("min", "max"), f)
	}},
	{"tables are joined at the start", func(d draws) string {
		return fmt.Sprintf("WITH q AS (SELECT id, n, i + 1 AS v FROM t WHERE %s) SELECT %s FROM q JOIN u ON q.id = u.t_id WHERE u.k > %s", d.condition(), d.of("count(*)", "min(q.v)", "max(u.y)", "count(q.v)"), d.of("0", "1"))
	}},
	{"a key in a list is joined at the start", func(d draws) string {
		return fmt.Sprintf("SELECT u.k, u.y FROM u WHERE u.t_id IN (SELECT id FROM t WHERE %s)%s", d.of(d.both(), "n = (SELECT max(n) FROM t)"), d.of("", " AND u.y > 0", " ORDER BY u.k LIMIT 1"))
	}},
	{"a key in a list is joined at the start", func(d draws) string {
		return fmt.Sprintf("SELECT %s FROM u JOIN t AS a ON a.i = u.t_id WHERE a.n IN (SELECT %s id FROM t WHERE t.i + t.n > %s)", d.of("count(*)", "count(DISTINCT a.w)", "max(u.y)"), d.of("", "DISTINCT"), d.of("0", "1"))
	}},
	{"equal tables in another order are one", func(d draws) string {
		return fmt.Sprintf("SELECT t.w FROM u JOIN t ON u.t_id = t.id WHERE t.n >= (SELECT %s(t.n) FROM t JOIN u ON u.t_id = t.id WHERE %s)", d.of("min", "max", "count"), d.condition())
	}},
}

// ratio writes a division of REALs in one of many ways.
func (d draws) ratio(x, y string) string {
	real := "CAST(" + x + " AS REAL)"
	return d.of(
		real+" / "+y, real+" * 100 / "+y, "100 * "+real+" / "+y, "100.0 * "+x+" / "+y, x+" * 100.0 / "+y, x+" / CAST("+y+" AS REAL)",
		real+" / "+y+" * 100", x+" * 1.0 / "+y, real+" / "+d.of("3", "2.5"), "("+real+" * 0.5) / CAST("+y+" AS REAL)", "round("+real+" * 100 / "+y+", 2)",
	)
}

// both draws a condition, or the AND of two.
func (d draws) both() string {
	return d.of(d.condition(), d.condition()+" AND "+d.condition())
}
