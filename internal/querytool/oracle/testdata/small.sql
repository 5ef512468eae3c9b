-- objects in the order of the table
SELECT name FROM dishes
WHERE course = 'soup'
ORDER BY rowid

-- a stem finds another word of it
WITH found AS (
  SELECT rowid AS id, ROW_NUMBER() OVER (ORDER BY rank, rowid) AS place
  FROM dishes_search WHERE dishes_search MATCH '"smoke"'
)
SELECT dishes.price FROM dishes JOIN found ON found.id = dishes.rowid
ORDER BY found.place

-- all words, in any text, the best first
WITH found AS (
  SELECT rowid AS id, ROW_NUMBER() OVER (ORDER BY rank, rowid) AS place
  FROM dishes_search WHERE dishes_search MATCH '"soup"'
)
SELECT dishes.name FROM dishes JOIN found ON found.id = dishes.rowid
ORDER BY found.place

-- NULL is neither equal nor unequal
SELECT name FROM dishes
WHERE "is hot" != TRUE
ORDER BY rowid

-- LIKE disregards case
SELECT name FROM dishes
WHERE name LIKE 'smok%'
ORDER BY rowid

-- values are no syntax
SELECT name FROM dishes
WHERE name = ''' OR 1 = 1 --'
ORDER BY rowid

-- one of several values
SELECT name FROM dishes
WHERE price IN (4, 15.0)
ORDER BY rowid

-- OR and AND
SELECT name FROM dishes
WHERE (price IS NULL OR (price > 4 AND "is hot" = TRUE))
ORDER BY rowid

-- distinct objects stand where the first one does
SELECT course, price FROM dishes
GROUP BY course, price
ORDER BY MIN(rowid)

-- order, limit and offset
SELECT name FROM dishes
ORDER BY price DESC, rowid
LIMIT 2 OFFSET 1

-- numbers
WITH measured AS (
  SELECT price,
    COUNT(price) OVER () AS many,
    COUNT(price) OVER (PARTITION BY price) AS often,
    ROW_NUMBER() OVER (PARTITION BY price IS NULL ORDER BY price) AS place
  FROM dishes
), ranked AS (SELECT *, MAX(often) OVER () AS most FROM measured)
SELECT COUNT(price), MIN(price), MAX(price), AVG(price), SUM(price), IIF(MAX(many) % 2 = 1, MIN(price) FILTER (WHERE place = (many + 1) / 2), AVG(price) FILTER (WHERE place IN (many / 2, many / 2 + 1))), MIN(price) FILTER (WHERE often = most), COUNT(*) FROM ranked

-- the median of an odd number is a value
WITH measured AS (
  SELECT price,
    COUNT(price) OVER () AS many,
    ROW_NUMBER() OVER (PARTITION BY price IS NULL ORDER BY price) AS place
  FROM dishes
WHERE price < 10
)
SELECT IIF(MAX(many) % 2 = 1, MIN(price) FILTER (WHERE place = (many + 1) / 2), AVG(price) FILTER (WHERE place IN (many / 2, many / 2 + 1))) FROM measured

-- the mode is the least one
WITH measured AS (
  SELECT price,
    COUNT(price) OVER (PARTITION BY price) AS often
  FROM dishes
WHERE course != 'soup'
), ranked AS (SELECT *, MAX(often) OVER () AS most FROM measured)
SELECT MIN(price) FILTER (WHERE often = most) FROM ranked

-- distinct values
SELECT SUM(DISTINCT price) FROM dishes

-- booleans
SELECT COUNT("is hot"), COUNT(*) FILTER (WHERE "is hot"), COUNT(*) FILTER (WHERE NOT "is hot"), 100.0 * COUNT(*) FILTER (WHERE "is hot") / COUNT("is hot"), 100.0 * COUNT(*) FILTER (WHERE NOT "is hot") / COUNT("is hot"), 'boolean' FROM dishes

-- nothing
WITH measured AS (
  SELECT price, "is hot",
    COUNT(price) OVER () AS many,
    ROW_NUMBER() OVER (PARTITION BY price IS NULL ORDER BY price) AS place
  FROM dishes
WHERE price > 99
)
SELECT COUNT(price), IIF(MAX(many) % 2 = 1, MIN(price) FILTER (WHERE place = (many + 1) / 2), AVG(price) FILTER (WHERE place IN (many / 2, many / 2 + 1))), 100.0 * COUNT(*) FILTER (WHERE "is hot") / COUNT("is hot") FROM measured

-- occurrences, and other values
SELECT MAX(price) FROM dishes;
SELECT course, COUNT(*) FROM dishes
WHERE course IS NOT NULL
GROUP BY course
ORDER BY COUNT(*) DESC, course
LIMIT 2

-- groups by their keys, NULL first
WITH measured AS (
  SELECT course, price,
    COUNT(price) OVER (PARTITION BY course) AS many,
    ROW_NUMBER() OVER (PARTITION BY course, price IS NULL ORDER BY price) AS place
  FROM dishes
)
SELECT course, IIF(MAX(many) % 2 = 1, MIN(price) FILTER (WHERE place = (many + 1) / 2), AVG(price) FILTER (WHERE place IN (many / 2, many / 2 + 1))) FROM measured
GROUP BY course
ORDER BY course

-- objects of groups
SELECT "is hot", price FROM dishes
ORDER BY "is hot", rowid

-- groups in an order
WITH measured AS (
  SELECT dishes.course, dishes.price,
    COUNT(dishes.price) OVER (PARTITION BY dishes.course) AS many,
    ROW_NUMBER() OVER (PARTITION BY dishes.course, dishes.price IS NULL ORDER BY dishes.price) AS place
  FROM dishes
), chosen AS (
  SELECT course, ROW_NUMBER() OVER (ORDER BY IIF(MAX(many) % 2 = 1, MIN(price) FILTER (WHERE place = (many + 1) / 2), AVG(price) FILTER (WHERE place IN (many / 2, many / 2 + 1))) DESC, course) AS place
  FROM measured
GROUP BY course
  ORDER BY place
LIMIT 2
)
SELECT dishes.course, dishes.name FROM dishes JOIN chosen ON dishes.course IS chosen.course
ORDER BY chosen.place, dishes.rowid

-- occurrences of groups, one of which has none
WITH counted AS (
  SELECT "is hot", course AS entry, COUNT(course) AS occurrences,
    ROW_NUMBER() OVER (PARTITION BY "is hot" ORDER BY COUNT(course) DESC, course) AS place
  FROM dishes
  GROUP BY "is hot", course
)
SELECT "is hot", entry, occurrences FROM counted
WHERE place <= 1 AND (occurrences > 0 OR place = 1)
ORDER BY "is hot", place

-- a group without a value
WITH counted AS (
  SELECT name, course AS entry, COUNT(course) AS occurrences,
    ROW_NUMBER() OVER (PARTITION BY name ORDER BY COUNT(course) DESC, course) AS place
  FROM dishes
WHERE price IS NULL
  GROUP BY name, course
)
SELECT name, entry, occurrences FROM counted
WHERE place <= 5 AND (occurrences > 0 OR place = 1)
ORDER BY name, place

