SELECT a, T.b AS x, "C d" y, *, t.* FROM t
SELECT -1, - 1.5, -(2), - -3, +4, -a, (- (((5)))), 12345678901, 0.1, 1e3, .5, 5., 123456789012345678901234567890, 0.12345678901234567890123
SELECT 'it''s', E'a\nb', U&'\0061', $$x$$, $q$y$q$, 'a' || 'é' || b, B'101', X'1F', true, FALSE, NULL
SELECT x::int, x::numeric(10,2), CAST(y AS double precision), DATE '2020-01-01', INTERVAL '1' YEAR, interval '1 day', x::timestamp(3) with time zone, x::text[], (a + b)::pg_catalog.int4, -1::int
SELECT now(), CURRENT_DATE, current_timestamp(2), LOCALTIME, LOCALTIMESTAMP(0), CURRENT_USER, clock_timestamp(), age(b), age(now(), b)
SELECT EXTRACT(YEAR FROM d), d AT TIME ZONE 'utc', substring(a from 2 for 3), trim(both 'x' from y), position('a' in b), overlay(a placing 'b' from 1), SUBSTRING(a, 1, 4)
SELECT count(*), count(DISTINCT a), sum(a) FILTER (WHERE b > 1), string_agg(a, ',' ORDER BY b DESC), percentile_cont(0.5) WITHIN GROUP (ORDER BY a), count(t.*), s.f(a) FROM t
SELECT rank() OVER (PARTITION BY a ORDER BY b DESC NULLS LAST), sum(a) OVER w, lag(a) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), max(a) OVER (ORDER BY b RANGE UNBOUNDED PRECEDING EXCLUDE TIES) FROM t WINDOW w AS (PARTITION BY c ORDER BY d)
SELECT a FROM t WHERE a = 1 AND (b <> 2 OR NOT c != 3) AND ((d < 4)) AND (e <= 5 AND f > 6) AND g >= 7
SELECT a FROM t WHERE ((a AND b) AND c) AND (d AND (e AND f)) OR NOT (NOT (x))
SELECT a FROM t WHERE a IS NULL AND b IS NOT NULL AND c ISNULL AND d NOTNULL AND e IS TRUE AND f IS NOT FALSE AND g IS UNKNOWN AND h IS DISTINCT FROM 3 AND i IS NOT DISTINCT FROM j
SELECT a FROM t WHERE a LIKE 'x%' AND b NOT LIKE 'y!%' ESCAPE '!' AND c ILIKE '%z' AND d NOT ILIKE e AND f SIMILAR TO 'g|h' AND i ~ '^j' AND k !~ 'l' AND m ~* 'n' AND o !~* 'p'
SELECT a FROM t WHERE a IN (1, -2, 3) AND (b) NOT IN ('x') AND c IN (SELECT d FROM u) AND e NOT IN (SELECT f FROM u) AND g = ANY (SELECT h FROM u) AND i <> ALL (SELECT j FROM u) AND (k, l) IN ((1, 2), (3, 4)) AND NOT (m IN (SELECT 1))
SELECT a FROM t WHERE a = ANY (ARRAY[1, 2]) AND b > ALL (SELECT c FROM u) AND d < SOME (array[]::int[]) AND ARRAY(SELECT 1) = ARRAY[[1], [2]]
SELECT a FROM t WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN c AND (d + 1) AND e BETWEEN SYMMETRIC 2 AND 1
SELECT a FROM t WHERE (a, b) = ROW(1, 2) AND ROW(c) = d AND (e).f = 1 AND g[1] = 2 AND h[1:2] = i AND (j).k[3].l = 4
SELECT CASE WHEN a > 1 THEN 'x' WHEN b THEN (c) ELSE 'y' END, CASE a WHEN 1 THEN 2 END, COALESCE(a, (b), 0), NULLIF(a, 0), GREATEST(a, b), LEAST((a), b)
SELECT a || b, a -> 'k', a ->> 'k', a #>> '{b}', a @> b, a ^ 2, |/ a, @ a, ~ a, a & 1 | 2 << 3 >> 4, a % 5, a COLLATE "C", a OPERATOR(pg_catalog.+) 1
SELECT (SELECT max(b) FROM u WHERE u.a = t.a), EXISTS (SELECT 1 FROM u), ((SELECT 1)) FROM t
SELECT a FROM t, u AS x, s.v, (w CROSS JOIN z), ONLY (y), q JOIN r ON (q.a = r.a)
SELECT a FROM t LEFT JOIN u ON t.a = u.a RIGHT OUTER JOIN v USING (b, c) NATURAL JOIN w FULL JOIN (x JOIN y ON x.a = y.a) ON true CROSS JOIN z
SELECT a FROM (t JOIN u USING (a)) AS j (b, c), (SELECT 1) AS s (d), LATERAL (SELECT t.a) AS l, (VALUES (1, 'x'), ((2), 'y')) AS v (e, f), ((SELECT 2)) k
SELECT a FROM generate_series(1, 10) AS g, unnest(ARRAY[1,2]) WITH ORDINALITY AS u(x, n), ROWS FROM (f(1), h(2)) AS r, now()
SELECT a FROM t UNION SELECT b FROM u UNION ALL SELECT c FROM v EXCEPT SELECT d FROM w INTERSECT ALL SELECT e FROM x ORDER BY a LIMIT 5
(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL (SELECT b FROM u EXCEPT ALL SELECT c FROM v)
SELECT * FROM ((SELECT 1 AS a) UNION (SELECT 2)) AS x
VALUES (1, 2), (3, 4)
WITH x AS (SELECT 1 AS a), y (b) AS MATERIALIZED (SELECT a FROM x) SELECT b FROM y
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n
SELECT DISTINCT a FROM t
SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b DESC
SELECT DISTINCT ON ((a), (b + 1)) a FROM t
SELECT a, count(*) FROM t GROUP BY a, (b), (c, d), ROLLUP (a, (b, c)), CUBE (e), GROUPING SETS ((a), (), (b)) HAVING count(*) > 1
SELECT GROUPING(a, b), a FROM t GROUP BY ROLLUP (a, b)
SELECT a FROM t ORDER BY a NULLS FIRST, b DESC, c DESC NULLS LAST, 2 LIMIT 10 OFFSET 5
SELECT a FROM t OFFSET 2 ROWS FETCH FIRST 3 ROWS ONLY
SELECT a FROM t FETCH NEXT ROW ONLY
SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS WITH TIES
SELECT a FROM t LIMIT ALL
TABLE t
SELECT a -- comment (
SELECT /* ( */ a FROM t WHERE a /* ' */ = 1;
SELECT "select"."from" FROM "select"
SELECT make_interval(days => 3), f(VARIADIC ARRAY[1])
SELECT a FROM t WHERE d > '2020-01-01'::date AND e < DATE '2021-01-01' + INTERVAL '1 month'
SELECT
SELECT a INTO b FROM t
SELECT a FROM t FOR UPDATE
WITH x AS (DELETE FROM t RETURNING a) SELECT a FROM x
INSERT INTO t VALUES (1)
SELECT 1; SELECT 2
SELECT a FROM t WHERE a = $1
SELECT a FROM t TABLESAMPLE SYSTEM (10)
SELECT a FROM t WHERE
SELECT a FROM t ORDER BY a USING <
SELECT sum(a) OVER nothing FROM t
SELECT JSON_OBJECT('a': 1)
