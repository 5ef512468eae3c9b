package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Texts returns at most maxTexts distinct values of a column as texts, in the order of
// their bytes. It omits texts that are too long. It reads tables of at most 64 MiB. For
// larger tables it uses only what the server knows from ANALYZE: the most common values
// of the column, and some of the others. partial says why values may be missing, or is
// "". A table that the role cannot read, or not by a SELECT that only reads, has no
// values. Errors are ErrUnavailable and the context's.
func (d *DB) Texts(ctx context.Context, table, column string, maxBytes, maxTexts int) (texts []string, partial string, err error) {
	err = d.Retry(ctx, func() error {
		texts, partial, err = d.texts(ctx, table, column, maxBytes, maxTexts)
		return err
	})
	if err != nil {
		return nil, "", fail("query", d.String(), err)
	}
	return texts, partial, nil
}

// statisticsSQL lists the values that the server has kept of a column, which the role
// may read (https://www.postgresql.org/docs/current/view-pg-stats.html).
const statisticsSQL = `
SELECT DISTINCT v COLLATE "C" AS one
FROM pg_catalog.pg_stats, unnest(coalesce(most_common_vals::text::text[], '{}') || coalesce(histogram_bounds::text::text[], '{}')) AS v
WHERE schemaname = $1::text AND tablename = $2::text AND attname = $3::text AND octet_length(v) <= $4::int
ORDER BY one LIMIT $5::int`

func (d *DB) texts(ctx context.Context, table, column string, maxBytes, maxTexts int) (texts []string, partial string, err error) {
	found, err := d.server.ask(ctx, columnSQL, d.schema, table, column, strconv.Itoa(fewPages))
	if err != nil || len(found) == 0 {
		return nil, "", err
	}
	partial = "its table is large; only the values that ANALYZE has kept are found"
	if isSmall := found[0][2] == "t"; isSmall {
		texts, err = d.distinctTexts(ctx, table, column, maxBytes, maxTexts+1)
		switch {
		case err == nil && len(texts) <= maxTexts:
			return texts, "", nil
		case err == nil:
			return texts[:maxTexts], fmt.Sprintf("it has more than %d different values; the first ones are found", maxTexts), nil
		case ctx.Err() != nil, errors.Is(err, ErrUnavailable):
			return nil, "", err
		}
		if known := (*Error)(nil); errors.As(err, &known) {
			err = known.Err
		}
		partial = "it cannot be read: " + strings.Join(strings.Fields(err.Error()), " ")
	}
	rows, err := d.server.ask(ctx, statisticsSQL, d.schema, table, column, strconv.Itoa(maxBytes), strconv.Itoa(maxTexts))
	if err != nil {
		return nil, "", err
	}
	for _, row := range rows {
		texts = append(texts, row[0])
	}
	return texts, partial, nil
}

// distinctTexts reads a column, for at most the time of one statement.
func (d *DB) distinctTexts(ctx context.Context, table, column string, maxBytes, maxTexts int) ([]string, error) {
	limited, cancel := context.WithTimeout(ctx, d.server.opts.Time)
	defer cancel()
	answer, err := d.Answer(limited, fmt.Sprintf(`SELECT DISTINCT %[1]s::text COLLATE "C" AS v FROM %[2]s WHERE octet_length(%[1]s::text) <= %[3]d ORDER BY v LIMIT %[4]d`,
		Quote(column), Quote(table), maxBytes, maxTexts))
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(answer.Rows))
	for i, row := range answer.Rows {
		texts[i] = row[0].Raw()
	}
	return texts, nil
}
