package find

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestSchemaOf joins what a database has with what is said of it: keys that name no
// column, in another case, of several columns, and to what does not exist.
func TestSchemaOf(t *testing.T) {
	has := &engine.Schema{Tables: []*engine.Table{
		{Name: "Site", Comment: "where birds are", Columns: []engine.Column{{Name: "id", PrimaryKey: 1}, {Name: "name", Comment: "its name"}}},
		{Name: "visit", Columns: []engine.Column{{Name: "site_id", PrimaryKey: 1}, {Name: "day", PrimaryKey: 2}}, ForeignKeys: []engine.ForeignKey{
			{Table: "site", Columns: []string{"SITE_ID"}},
			{Table: "nowhere", Columns: []string{"day"}},
		}},
		{Name: "note", Columns: []engine.Column{{Name: "visit_site"}, {Name: "visit_day"}, {Name: "ref"}}, ForeignKeys: []engine.ForeignKey{
			{Table: "visit", Columns: []string{"visit_site", "visit_day"}},
			{Table: "site", Columns: []string{"ref"}, To: []string{"name"}},
			{Table: "site", Columns: []string{"ref"}, To: []string{"nothing"}},
		}},
	}}
	info := &bird.Database{Tables: []*bird.Table{
		{Name: "site", Readable: "bird site", Columns: []*bird.Column{{Name: "NAME", Description: bird.Description{Readable: "site name", Description: "what it is called", ValueDescription: "A: first"}}}},
		{Name: "gone", Readable: "a table that there is not"},
	}}
	want := &schema{Tables: []table{
		{Name: "Site", Text: "bird site where birds are", Columns: []column{{Name: "id", Primary: true}, {"name", "site name", "what it is called its name", "A: first", false}}},
		{Name: "visit", Columns: []column{{Name: "site_id", Primary: true}, {Name: "day", Primary: true}}, Keys: []key{{0, 0, 0}}},
		{Name: "note", Columns: []column{{Name: "visit_site"}, {Name: "visit_day"}, {Name: "ref"}}, Keys: []key{{0, 1, 0}, {1, 1, 1}, {2, 0, 1}}},
	}}
	if diff := cmp.Diff(want, schemaOf(info, has)); diff != "" {
		t.Error(diff)
	}
}
