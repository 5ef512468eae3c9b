package prompt

import (
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
)

// Declared writes the tables and functions of APIs for a model that writes SQL: the
// tables as statements that create them, with comments on what they need. Without
// any it returns "".
func Declared(db *apis.Database) string {
	if db == nil {
		return ""
	}
	var b strings.Builder
	for _, t := range db.Tables {
		writeTable(&b, t)
	}
	if len(db.Functions) > 0 {
		b.WriteString("-- Functions of APIs, which are called like SQLite's own:\n")
	}
	for _, f := range db.Functions {
		var args []string
		for _, a := range f.Args {
			args = append(args, strings.TrimSpace(name(a.Name)+" "+a.Type))
		}
		line := fmt.Sprintf("-- %s(%s)", name(f.Name), strings.Join(args, ", "))
		if f.Result.Type != "" {
			line += " returns " + f.Result.Type
		}
		b.WriteString(line + about(": ", f.Description) + "\n")
	}
	return b.String()
}

// writeTable writes one table.
func writeTable(b *strings.Builder, t *apis.Table) {
	fmt.Fprintf(b, "-- Table of the API %s%s\n", name(t.API), about(": ", t.Description))
	if needs := needs(t); needs != "" {
		fmt.Fprintf(b, "-- %s\n", needs)
	}
	fmt.Fprintf(b, "CREATE TABLE %s (\n", name(t.Name))
	for i, c := range t.Columns {
		line := "  " + strings.TrimSpace(name(c.Name)+" "+c.Type)
		if c.NotNull {
			line += " NOT NULL"
		}
		if c.Collation != "" && c.Collation != "BINARY" {
			line += " COLLATE " + c.Collation
		}
		if len(t.Key) == 1 && t.Key[0] == i {
			line += " PRIMARY KEY"
		}
		if i < len(t.Columns)-1 || len(t.Key) > 1 {
			line += ","
		}
		b.WriteString(line + about(" -- ", c.Description) + "\n")
	}
	if len(t.Key) > 1 {
		fmt.Fprintf(b, "  PRIMARY KEY (%s)\n", list(t, t.Key, ", "))
	}
	b.WriteString(");\n\n")
}

// needs says which columns a statement must give values to, "" for none.
func needs(t *apis.Table) string {
	if len(t.Required) == 0 {
		return ""
	}
	text := "It has rows only where a statement gives values to " + list(t, t.Required, " and ")
	if len(t.Instead) > 0 {
		text += ", or to " + list(t, t.Instead, " and ")
	}
	return text + ": by =, IN or a join."
}

func list(t *apis.Table, columns []int, between string) string {
	var names []string
	for _, c := range columns {
		names = append(names, name(t.Columns[c].Name))
	}
	return strings.Join(names, between)
}

// name writes a name, with quotes where it needs them.
func name(s string) string {
	if tokens := lexer.Lex(s); len(tokens) == 2 && tokens[0].Kind == token.ID && tokens[0].Text(s) == s && s[0] != '"' && s[0] != '`' && s[0] != '[' {
		return s
	}
	return sqlite.Quote(s)
}

// about is a description on one line, behind what stands before it.
func about(before, text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return ""
	}
	return before + text
}
