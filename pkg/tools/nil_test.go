package tools

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// emptyDatabase has a table without columns and one whose column is nil.
type emptyDatabase struct{}

func (emptyDatabase) Table(_ context.Context, name string) (TableInfo, error) {
	if name == "nothing" {
		return TableInfo{Name: name}, nil
	}
	return TableInfo{Name: name, Rows: 1, Columns: []ColumnInfo{{Name: "a"}}}, nil
}

func (emptyDatabase) Column(context.Context, string, string) (*Column, error) { return nil, nil }

// TestNil checks that what is nil is an error that says so.
func TestNil(t *testing.T) {
	ctx := context.Background()
	var noContext context.Context
	table, err := NewTable([]Field{{Key: "a"}}, []*Column{NewColumn(value.Int(1))})
	if err != nil {
		t.Fatal(err)
	}
	var none *Table
	lazy, err := FromDatabase(ctx, emptyDatabase{}, "lazy")
	if err != nil {
		t.Fatal(err)
	}
	start := Start{Tables: []StartTable{{Alias: "t", Original: "t"}}}
	try := func(_ any, err error) error { return err }
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"filter":             {try(FilterData(ctx, none, FilterArgs{Key: "a", Condition: IsNull})), "no table"},
		"filter by it":       {try(FilterData(ctx, table, FilterArgs{Key: "a", Condition: Equal, Value: Result(nil)})), "value: there is no table"},
		"filter in it":       {try(FilterData(ctx, table, FilterArgs{Key: "a", Condition: In, Value: Result(nil)})), "value: there is no table"},
		"filter in zero":     {try(FilterData(ctx, table, FilterArgs{Key: "a", Condition: In, Value: Result(&Table{})})), "value: there is no table"},
		"sort":               {try(SortData(ctx, none, SortArgs{Keys: []string{"a"}})), "no table"},
		"sort by nothing":    {try(SortData(ctx, table, SortArgs{})), "key_name"},
		"aggregate":          {try(AggregateData(ctx, none, AggregateArgs{Type: Count})), "no table"},
		"group":              {try(GroupDataBy(ctx, none, GroupArgs{})), "no table"},
		"retrieve":           {try(RetrieveData(ctx, none, RetrieveArgs{})), "no table"},
		"retrieve zero":      {try(RetrieveData(ctx, &Table{}, RetrieveArgs{})), "no table"},
		"unique":             {try(SelectUniqueValues(ctx, none)), "no table"},
		"transform":          {try(TransformData(ctx, none, TransformArgs{Operation: OpUpper})), "no table"},
		"combine":            {try(CombineData(ctx, table, none, CombineArgs{Operation: Union})), "other_data_source: there is no table"},
		"join":               {try(JoinData(ctx, none, table, JoinArgs{})), "data_source: there is no table"},
		"window":             {try(WindowData(ctx, none, WindowArgs{Function: Rank})), "no table"},
		"context":            {try(FilterData(noContext, table, FilterArgs{})), "the context is nil"},
		"context of rows":    {try(table.Rows(noContext)), "the context is nil"},
		"context of column":  {try(table.Column(noContext, 0)), "the context is nil"},
		"context of query":   {try(From(table).Table(noContext)), "the context is nil"},
		"context of CSV":     {try(ReadCSV(noContext, strings.NewReader("a"), CSVOptions{})), "the context is nil"},
		"context of session": {try(NewSession(nil, Options{}).Run(noContext, Call{})), "the context is nil"},
		"context of a table": {try(FromDatabase(noContext, emptyDatabase{}, "t")), "the context is nil"},
		"column":             {try(none.Column(ctx, 0)), "no column 0 in a table of 0"},
		"column too far":     {try(table.Column(ctx, 1)), "no column 1 in a table of 1"},
		"column of new":      {try(NewTable([]Field{{Key: "a"}}, []*Column{nil})), `column "a" is nil`},
		"column of database": {try(lazy.Rows(ctx)), "the database gave no column"},
		"no columns":         {try(FromDatabase(ctx, emptyDatabase{}, "nothing")), "has no columns"},
		"database":           {try(NewSession(nil, Options{}).Init(ctx, start)), "the session has no database"},
		"database of table":  {try(FromDatabase(ctx, nil, "t")), "the database is nil"},
		"memory":             {try(FromDatabase(ctx, (*Memory)(nil), "t")), "the database is nil"},
		"memory to add to":   {(*Memory)(nil).Add("t", nil, nil), "the database is nil"},
		"session":            {try((*Session)(nil).Run(ctx, Call{})), "the session is nil"},
		"session to start":   {try((*Session)(nil).Init(ctx, start)), "the session is nil"},
		"session to put":     {(*Session)(nil).Put("a", table), "the session is nil"},
		"table to put":       {(&Session{}).Put("a", nil), "no table"},
		"label to put":       {(&Session{}).Put("a b", table), "is not a label"},
		"reader":             {try(ReadCSV(ctx, nil, CSVOptions{})), "the reader is nil"},
		"reader of types":    {try(ReadTypedCSV(ctx, strings.NewReader("a"), nil)), "a reader is nil"},
		"writer":             {WriteCSV(ctx, nil, table), "the writer is nil"},
		"writer of types":    {WriteTypedCSV(ctx, io.Discard, nil, table), "the writer of the types is nil"},
		"table to write":     {WriteCSV(ctx, io.Discard, nil), "no table"},
		"rows of SQL":        {try(FromSQL(nil)), "the rows are nil"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q in it", name, test.err, test.want)
		}
	}
	if none.Len() != 0 || none.Keys() != nil || none.Fields() != nil || none.Grouped() || none.GroupKeys() != nil {
		t.Error("a nil table has something")
	}
	if v, err := none.Scalar(ctx); !v.IsNull() || err != nil {
		t.Errorf("the scalar of a nil table is %s, %v", v, err)
	}
	if _, ok := (*Session)(nil).Table("a"); ok || (*Session)(nil).Labels() != nil || (*Session)(nil).Fork() != nil {
		t.Error("a nil session has something")
	}
}

// TestZero checks that zero values are ready for use.
func TestZero(t *testing.T) {
	ctx := context.Background()
	var m Memory
	if err := m.Add("t", []ColumnInfo{{Name: "a", Type: "TEXT"}}, [][]value.Value{{value.Int(1)}, {value.Int(1)}}); err != nil {
		t.Fatal(err)
	}
	table, err := FromDatabase(ctx, &m, "T")
	if err != nil {
		t.Fatal(err)
	}
	var s Session
	if err := s.Put("t", table); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]int{0: 2, 1: 1, 5: 2, -1: 2, NoRows: 0} {
		got, err := RetrieveData(ctx, table, RetrieveArgs{Limit: limit})
		if err != nil || got.Len() != want {
			t.Errorf("limit %d gives %d rows, %v", limit, got.Len(), err)
		}
		n, err := AggregateData(ctx, table, AggregateArgs{Type: Count, Limit: limit})
		if err != nil || rows(t, n)[0][0] != value.Int(int64(want)) {
			t.Errorf("count with limit %d: %v, %v", limit, n, err)
		}
	}
	// In calls as JSON, 0 is no rows.
	for limit, want := range map[int]int{-1: 2, 0: 0, 1: 1} {
		got, err := s.Run(ctx, Call{Name: toolname.Retrieve, Arguments: Arguments{{toolname.ArgDataSource, "$t$"}, {toolname.ArgLimit, limit}}})
		if err != nil || got.Len() != want {
			t.Errorf("a call with limit %d gives %d rows, %v", limit, got.Len(), err)
		}
	}
	joined, err := JoinData(ctx, table, table, JoinArgs{Keys: []string{"a"}})
	if err != nil || joined.Len() != 4 {
		t.Errorf("an inner join on one key gives %d rows, %v", joined.Len(), err)
	}
	// The defaults of a join are not those of a call.
	if _, err := s.Run(ctx, Call{Name: toolname.Join, Arguments: Arguments{{toolname.ArgDataSource, "$t$"}, {toolname.ArgOtherDataSource, "$t$"}, {toolname.ArgKeyName, "a"}, {toolname.ArgJoinType, "inner"}}}); err == nil {
		t.Error("a call joins without other_key_name")
	}
}
