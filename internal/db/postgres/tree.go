package postgres

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// treeTitle starts the server's message that contains a tree.
const treeTitle = "rewritten parse tree"

var (
	// A tree is written as {NODE :field value ...}. These fields hold numbers of
	// objects in the server's catalog. Constants are written as numbers of bytes and
	// names have their spaces escaped, so that no text of a statement can hide a
	// field.
	treeRelations = regexp.MustCompile(`:relid (\d+)`)
	treeFunctions = regexp.MustCompile(`:(?:[a-z]*funcid|[a-z]*fnoid|tsmhandler) (\d+)`)
	treeOperators = regexp.MustCompile(`:(?:opno|eqop|sortop) (\d+)|:opnos \(o ([0-9 ]+)\)`)
	// Types into which values are converted, which runs the CHECKs of domains. The type
	// of a column that is read (vartype) is not among them.
	treeTypes    = regexp.MustCompile(`:(?:resulttype|funcresulttype|opresulttype|paramtype|consttype|typid|typeId|row_typeid) (\d+)|:(?:funccoltypes|coltypes) \(o ([0-9 ]+)\)`)
	treeCommands = regexp.MustCompile(`:commandType (\d+)`)
)

// selects is the number of SELECT as a command type in a tree.
const selects = "1"

// uses are the objects of the catalog that a statement depends on, by their numbers.
type uses struct {
	relations, functions, operators, types []string
}

// add adds the objects that a tree, or an expression from the catalog, mentions.
func (u *uses) add(tree string) {
	for _, kind := range []struct {
		fields *regexp.Regexp
		list   *[]string
	}{{treeRelations, &u.relations}, {treeFunctions, &u.functions}, {treeOperators, &u.operators}, {treeTypes, &u.types}} {
		for _, found := range kind.fields.FindAllStringSubmatch(tree, -1) {
			for _, list := range found[1:] {
				*kind.list = append(*kind.list, strings.Fields(list)...)
			}
		}
		slices.Sort(*kind.list)
		*kind.list = slices.Compact(*kind.list)
	}
}

// checkTrees refuses a statement that does more than read, and returns what it
// depends on. params are the types of its parameters.
func (c *conn) checkTrees(ctx context.Context, trees []string, params []uint32) (*uses, error) {
	tree := ""
	if n := len(trees); n > 0 {
		// The trees before it belong to functions that the server called to read a
		// literal. The server breaks lines anywhere.
		tree = strings.Join(strings.Fields(trees[n-1]), " ")
	}
	if !strings.HasPrefix(tree, "({QUERY ") {
		return nil, fmt.Errorf("%w: it is empty, or the server does not tell what it does (debug_print_rewritten)", ErrNotSelect)
	}
	for i, found := range treeCommands.FindAllStringSubmatch(tree, -1) {
		switch {
		case found[1] == selects:
		case i == 0:
			return nil, fmt.Errorf("%w: it writes, or is a command", ErrNotSelect)
		default:
			return nil, fmt.Errorf("%w: a statement in it writes", ErrForbidden)
		}
	}
	if strings.Contains(tree, ":hasModifyingCTE true") {
		return nil, fmt.Errorf("%w: a statement in WITH writes", ErrForbidden)
	}
	if strings.Contains(tree, ":hasForUpdate true") {
		return nil, fmt.Errorf("%w: it locks rows; leave FOR UPDATE or FOR SHARE out", ErrForbidden)
	}
	u := &uses{}
	for _, p := range params {
		u.types = append(u.types, fmt.Sprint(p))
	}
	u.add(tree)
	if err := c.addChecks(ctx, u); err != nil {
		return nil, err
	}
	return u, c.checkEffects(ctx, u)
}

// addChecks adds the objects that the CHECKs of domains use, including the domains into
// which a CHECK converts. The CHECKs of the server's own domains only look at values.
func (c *conn) addChecks(ctx context.Context, u *uses) error {
	for known := 0; known < len(own(u.types)); { // ends, as types are finite
		known = len(own(u.types))
		rows, err := c.ask(ctx, checksSQL, array(own(u.types)))
		if err != nil {
			return err
		}
		for _, row := range rows {
			u.types = append(u.types, row[0])
			u.add(strings.Join(strings.Fields(row[1]), " "))
		}
	}
	return nil
}

// array writes numbers as Postgres writes an array of them.
func array(numbers []string) string { return "{" + strings.Join(numbers, ",") + "}" }

// checksSQL lists the domains with CHECKs among the types $1 and the types that they
// contain, with the trees of the CHECKs.
const checksSQL = `
WITH RECURSIVE part(oid) AS (
	SELECT unnest($1::oid[])
	UNION
	SELECT inner_type FROM part JOIN pg_catalog.pg_type AS t ON t.oid = part.oid, LATERAL (
		SELECT t.typbasetype WHERE t.typbasetype <> 0
		UNION ALL SELECT t.typelem WHERE t.typelem <> 0
		UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute AS a WHERE t.typrelid <> 0 AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
		UNION ALL SELECT r.rngsubtype FROM pg_catalog.pg_range AS r WHERE r.rngtypid = t.oid
	) AS inner_types(inner_type)
)
SELECT contypid, conbin FROM part JOIN pg_catalog.pg_constraint ON contypid = part.oid WHERE contype = 'c' ORDER BY 1, conname`

// checkEffects refuses functions that may do more than read.
func (c *conn) checkEffects(ctx context.Context, u *uses) error {
	rows, err := c.ask(ctx, effectsSQL, array(u.functions), array(u.operators))
	if err != nil || len(rows) == 0 {
		return err
	}
	name, why := rows[0][0], rows[0][1]
	switch why {
	case "text":
		return fmt.Errorf("%w: it calls %s, which runs SQL that it is given as a text; write that SQL into the statement", ErrForbidden, name)
	case "execute":
		return fmt.Errorf("%w: it calls %s, which runs SQL that it makes (EXECUTE)", ErrForbidden, name)
	}
	return fmt.Errorf("%w: it calls %s, which is volatile: it may do anything, or answer differently each time; if it only reads, its owner can declare it STABLE", ErrForbidden, name)
}

// effectsSQL lists functions that do, or may do, more than read. It looks among the
// functions $1, those behind the operators $2, and those that implement aggregates
// among them:
//
//   - volatile ones, and two that are called stable but take a transaction's number
//     from the server;
//   - those that run SQL of a text, by the symbols of their code, which no other name
//     hides: the server's own, and those of the extensions tablefunc and xml2. All of
//     dblink are volatile;
//   - those with EXECUTE in their source.
const effectsSQL = `
WITH called(oid) AS (
	SELECT unnest($1::oid[])
	UNION SELECT oprcode::oid FROM pg_catalog.pg_operator WHERE oid = ANY ($2::oid[])
)
SELECT p.oid::regprocedure::text, why
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang, LATERAL (
	SELECT CASE
	WHEN p.provolatile = 'v' OR p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN ('txid_current', 'pg_current_xact_id') THEN 'volatile'
	WHEN l.lanname = 'internal' AND (p.prosrc ~ '^(query|cursor|table|schema|database)_to_xml' OR p.prosrc IN ('ts_stat1', 'ts_stat2', 'tsquery_rewrite_query'))
		OR l.lanname = 'c' AND p.prosrc IN ('crosstab', 'crosstab_hash', 'connectby_text', 'connectby_text_serial', 'xpath_table') THEN 'text'
	WHEN l.lanname NOT IN ('internal', 'c', 'sql') AND p.prosrc ~* '\mexecute\M' THEN 'execute'
	END) AS effect(why)
WHERE p.oid IN (
	SELECT oid FROM called
	UNION SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[])
	FROM pg_catalog.pg_aggregate WHERE aggfnoid IN (SELECT oid FROM called)
)
AND why IS NOT NULL
ORDER BY 1`
