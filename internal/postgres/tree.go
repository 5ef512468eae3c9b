package postgres

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// treeTitle starts the server's message that has a tree.
const treeTitle = "rewritten parse tree"

var (
	// A tree is written as {NODE :field value ...}. These fields hold numbers of
	// functions in pg_proc and of operators in pg_operator. Constants are written
	// as numbers of bytes and names have their spaces escaped, so that no text of
	// a statement can hide a field.
	treeFunctions = regexp.MustCompile(`:(?:[a-z]*funcid|[a-z]*fnoid|tsmhandler) (\d+)`)
	treeOperators = regexp.MustCompile(`:(?:opno|eqop|sortop) (\d+)|:opnos \(o ([0-9 ]+)\)`)
	treeCommands  = regexp.MustCompile(`:commandType (\d+)`)
)

// selects is the number of SELECT as a command type in a tree.
const selects = "1"

// checkTrees refuses a statement that does more than read.
func (c *conn) checkTrees(ctx context.Context, trees []string) error {
	tree := ""
	if len(trees) == 1 {
		tree = strings.Join(strings.Fields(trees[0]), " ") // the server breaks lines anywhere
	}
	if !strings.HasPrefix(tree, "({QUERY ") {
		return fmt.Errorf("%w: it is empty, or the server does not tell what it does (debug_print_rewritten)", ErrNotSelect)
	}
	for i, found := range treeCommands.FindAllStringSubmatch(tree, -1) {
		switch {
		case found[1] == selects:
		case i == 0:
			return fmt.Errorf("%w: it writes, or is a command", ErrNotSelect)
		default:
			return fmt.Errorf("%w: a statement in it writes", ErrForbidden)
		}
	}
	if strings.Contains(tree, ":hasModifyingCTE true") {
		return fmt.Errorf("%w: a statement in WITH writes", ErrForbidden)
	}
	if strings.Contains(tree, ":hasForUpdate true") {
		return fmt.Errorf("%w: it locks rows; leave FOR UPDATE or FOR SHARE out", ErrForbidden)
	}
	var functions, operators []string
	for _, found := range treeFunctions.FindAllStringSubmatch(tree, -1) {
		functions = append(functions, found[1])
	}
	for _, found := range treeOperators.FindAllStringSubmatch(tree, -1) {
		operators = append(operators, strings.Fields(found[1]+found[2])...)
	}
	rows, err := c.ask(ctx, effectsSQL, array(functions), array(operators))
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		return fmt.Errorf("%w: it calls %s, which is volatile: it may do anything, or answer differently each time; if it only reads, its owner can declare it STABLE", ErrForbidden, rows[0][0])
	}
	return nil
}

// array writes numbers as Postgres writes an array of them.
func array(numbers []string) string { return "{" + strings.Join(numbers, ",") + "}" }

// effectsSQL lists the functions that are volatile among those of the numbers
// $1, those behind the operators $2, and those that aggregates among them are
// made of. Two that are called stable take a transaction's number from the
// server.
const effectsSQL = `
WITH called(oid) AS (
	SELECT unnest($1::oid[])
	UNION SELECT oprcode::oid FROM pg_catalog.pg_operator WHERE oid = ANY ($2::oid[])
)
SELECT p.oid::regprocedure::text
FROM pg_catalog.pg_proc AS p
WHERE p.oid IN (
	SELECT oid FROM called
	UNION SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[])
	FROM pg_catalog.pg_aggregate WHERE aggfnoid IN (SELECT oid FROM called)
)
AND (p.provolatile = 'v' OR p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN ('txid_current', 'pg_current_xact_id'))
ORDER BY 1`
