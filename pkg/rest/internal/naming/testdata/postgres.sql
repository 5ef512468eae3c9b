SELECT fullname FROM patient WHERE EXTRACT(YEAR FROM birthday) BETWEEN 1950 AND 1960
SELECT COUNT(*) FROM visit WHERE TO_CHAR(visitdate, 'YYYY-MM') = '2020-05'
SELECT fullname, EXTRACT(YEAR FROM AGE(CURRENT_DATE, birthday)) AS age FROM patient WHERE city ILIKE 'lon%'
SELECT fullname FROM patient WHERE EXTRACT(YEAR FROM CURRENT_TIMESTAMP) - EXTRACT(YEAR FROM birthday) > 50
SELECT fullname FROM patient WHERE birthday < CURRENT_DATE - INTERVAL '30 years'
SELECT CAST(SUM(CASE WHEN p.city = 'London' THEN 1 ELSE 0 END) AS REAL) * 100 / NULLIF(COUNT(p.id), 0) FROM patient AS p
SELECT CAST(SUM(v.cost) AS REAL) / NULLIF(COUNT(DISTINCT v.patientid), 0) FROM visit AS v WHERE v.visitdate >= '2020-01-01'::date
SELECT DISTINCT ON (v.patientid) v.patientid, v.visitdate, v.cost FROM visit AS v ORDER BY v.patientid, v.visitdate DESC
SELECT city, COUNT(*) FILTER (WHERE weight > 80.5) FROM patient GROUP BY city
SELECT d.name, COUNT(*) FROM patient AS p JOIN doctor AS d ON p.doctorid = d.id GROUP BY d.name ORDER BY COUNT(*) DESC NULLS LAST LIMIT 1
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visit
SELECT string_agg(fullname, ', ' ORDER BY fullname) FROM patient WHERE doctorid IN (1, 2)
SELECT LEFT(fullname, 3), RIGHT(city, 2), SPLIT_PART(fullname, ' ', 2) FROM patient WHERE POSITION('x' IN fullname) > 0
SELECT date_trunc('month', visitdate) AS month, SUM(cost) FROM visit GROUP BY month ORDER BY month
SELECT fullname FROM patient WHERE city = ANY (ARRAY['London', 'Paris'])
SELECT notes ->> 'reason' FROM visit WHERE notes @> '{"urgent": true}'
SELECT p.fullname, l.cost FROM patient AS p, LATERAL (SELECT v.cost FROM visit AS v WHERE v.patientid = p.id ORDER BY v.visitdate DESC LIMIT 1) AS l
WITH patient AS (SELECT id, fullname FROM patient WHERE weight > 100) SELECT fullname FROM patient
SELECT city FROM patient EXCEPT ALL SELECT name FROM doctor WHERE since < now()
SELECT city, doctorid, COUNT(*) FROM patient GROUP BY ROLLUP (city, doctorid)
SELECT fullname FROM patient WHERE (city, doctorid) = ('London', 3) OR fullname ~* '^dr'
SELECT fullname, RANK() OVER (PARTITION BY city ORDER BY weight DESC) FROM patient ORDER BY weight DESC FETCH FIRST 3 ROWS WITH TIES
SELECT CONCAT(fullname, ' of ', city), GREATEST(weight, 50), AGE(birthday) FROM patient WHERE fullname LIKE 'A%'
