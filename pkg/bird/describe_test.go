package bird

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

const tablesFile = `[{"db_id": "zoo",
	"table_names_original": ["Animal"], "table_names": ["animals of the zoo"],
	"column_names_original": [[-1, "*"], [0, "id"], [0, "name "], [0, "Mass (kg)"]],
	"column_names": [[-1, "*"], [0, "animal id"], [0, "given name"], [0, "mass"]],
	"column_types": ["text", "integer", "text", "real"]}]`

const header = "original_column_name,column_name,column_description,data_format,value_description\n"

// encode16 returns text in UTF-16 with a byte order mark.
func encode16(text string, order binary.AppendByteOrder) string {
	data := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		data = order.AppendUint16(data, unit)
	}
	return string(data)
}

// Each case is a description file with one kind of damage; want lists the
// columns it gives as name|readable|description|format|values, then warnings.
func TestDescriptionFiles(t *testing.T) {
	const clean = "id|the id|unique id|integer|\nname |given name|what it’s called|text|\nMass (kg)|mass|weight|real|in kg"
	const afterID = "name,,what it’s called,text,\nMass (kg),,weight,real,in kg\n"
	body := "id,the id,unique id,integer,\n" + afterID
	tests := []struct {
		name, csv, want string
	}{
		{"clean", header + body, clean},
		{"UTF-8 with a mark", "\ufeff" + header + body, clean},
		{"UTF-16, low byte first", encode16(header+body, binary.LittleEndian), clean},
		{"UTF-16, high byte first", encode16(header+body, binary.BigEndian), clean},
		{"UTF-16 without a mark", encode16(header+body, binary.LittleEndian)[2:], clean},
		{"UTF-16 with tabs", encode16(strings.ReplaceAll(header+body, ",", "\t"), binary.LittleEndian), clean},
		{"Windows-1252", header + strings.ReplaceAll(body, "’", "\x92"), clean},
		{"Windows-1252 amid UTF-8", header + strings.ReplaceAll(body, "weight", "w\x96é"), strings.ReplaceAll(clean, "weight", "w–é")},
		{"CR LF", strings.ReplaceAll(header+body, "\n", "\r\n"), clean},
		{"CR only", strings.ReplaceAll(header+body, "\n", "\r"), clean},
		{"marks inside", header + "\ufeff" + strings.ReplaceAll(body, "name", "na\ufeffme"), clean},
		{"blank lines", "\n" + header + "\n,,,,\n" + body + "\n\n", clean},
		{"no line end at the end", header + strings.TrimSuffix(body, "\n"), clean},
		{"semicolons", strings.ReplaceAll(header+body, ",", ";"), clean},
		{"header with spaces and capitals", "Original Column Name , column_name,Column Description,data format,value_description\n" + body, clean},
		{"no header", body, clean},
		{"other order of fields", "column_description,original_column_name\nunique id,id\n", "id|animal id|unique id|integer|\nname |given name||text|\nMass (kg)|mass||real|"},
		{"spaces around the names", header + strings.ReplaceAll(body, "name,", "name  ,"), clean},
		{"other case and signs in names", header + strings.NewReplacer("id,the", "ID,the", "Mass (kg)", "mass_kg").Replace(body), clean},
		{
			"a field of its own", "original_column_name,column_description,notes\nid,unique id,never reused\n",
			"id|animal id|unique id|integer|never reused\nname |given name||text|\nMass (kg)|mass||real|",
		},
		{"trailing commas", header + strings.ReplaceAll(body, "\n", ",,\n"), clean},
		{
			"too few fields", header + "id,the id\nname\nMass (kg),,weight\n",
			"id|the id||integer|\nname |given name||text|\nMass (kg)|mass|weight|real|",
		},
		{
			"commas without quotes", header + "id,the id,unique, stable id,integer,1, 2, 3\n",
			"id|the id|unique, stable id|integer|1, 2, 3\nname |given name||text|\nMass (kg)|mass||real|",
		},
		{
			"quotes, commas and line breaks", header + "id,the id,\"unique, \"\"stable\"\"\nid\",integer,\"1\r\n2\"\n",
			"id|the id|unique, \"stable\"\nid|integer|1\n2\nname |given name||text|\nMass (kg)|mass||real|",
		},
		{
			"stray quotes", header + "id,the id,a \"unique\" id,integer,\"the \"one\" key\"\n",
			"id|the id|a \"unique\" id|integer|the \"one\" key\nname |given name||text|\nMass (kg)|mass||real|",
		},
		{
			"a quote that is never closed", header + "id,the id,\"unique id,integer,\n" + afterID,
			"id|the id|\"unique id|integer|\nname |given name|what it’s called|text|\nMass (kg)|mass|weight|real|in kg",
		},
		{
			"a quote that is closed by the next one", header + "id,the id,\"unique id,integer,\nname,,\"what, or who\",text,\n",
			"id|the id|\"unique id|integer|\nname |given name|what, or who|text|\nMass (kg)|mass||real|",
		},
		{
			"line break without quotes", header + "id,the id,unique id,integer,one of:\n1 for new, 2 for old\n0\nname,,what,text,\n",
			"id|the id|unique id|integer|one of:\n1 for new, 2 for old\n0\nname |given name|what|text|\nMass (kg)|mass||real|",
		},
		{
			"a column described twice", header + "id,the id,unique id,integer,\nid,key,primary key,integer,\n",
			"id|key|unique id\nprimary key|integer|\nname |given name||text|\nMass (kg)|mass||real|\n" +
				"3: column \"id\" is described again; both texts are kept",
		},
		{
			"a nonexistent column", header + "wins,,how often it won,integer,\n",
			"id|animal id||integer|\nname |given name||text|\nMass (kg)|mass||real|\nwins||how often it won|integer|\n" +
				"2: table \"Animal\" has no column \"wins\"",
		},
		{"empty", "", "id|animal id||integer|\nname |given name||text|\nMass (kg)|mass||real|"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, err := Load(Options{FS: tree(
				"dev.json", birdRecords, "dev_tables.json", tablesFile, "dev_databases/zoo/zoo.sqlite", "",
				"dev_databases/zoo/database_description/Animal.csv", test.csv)})
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, c := range d.Databases[0].Tables[0].Columns {
				lines = append(lines, strings.Join([]string{c.Name, c.Readable, c.Description.Description, c.DataFormat, c.ValueDescription}, "|"))
			}
			for _, w := range d.Warnings {
				lines = append(lines, fmt.Sprintf("%d: %s", w.Line, w.Text))
			}
			if diff := cmp.Diff(test.want, strings.Join(lines, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDescriptionFileNames(t *testing.T) {
	d, err := Load(Options{FS: tree(
		"dev.json", birdRecords, "dev_tables.json", tablesFile, "dev_databases/zoo/zoo.sqlite", "",
		"dev_databases/zoo/database_description/animal .CSV", header+"id,,from a file of another case,,\n",
		"dev_databases/zoo/database_description/keeper.csv", header+"id,,number of the keeper,,\n",
		"dev_databases/zoo/database_description/.DS_Store", "\x00")})
	if err != nil {
		t.Fatal(err)
	}
	db := d.Databases[0]
	for _, test := range []struct{ table, column, want string }{
		{"animal", "ID", "from a file of another case"},
		{"KEEPER", "id", "number of the keeper"},
		{"keeper", "none", ""},
		{"none", "id", ""},
	} {
		if got := db.Describe(test.table, test.column).Description; got != test.want {
			t.Errorf("%s.%s: got %q, want %q", test.table, test.column, got, test.want)
		}
	}
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0].Text, `no table "keeper"`) {
		t.Errorf("got warnings %v", d.Warnings)
	}
	if got := db.Table("ANIMAL").Readable; got != "animals of the zoo" {
		t.Errorf("got readable name %q", got)
	}
}

// Whatever the damage, no text of a description file may vanish unless a
// warning says so.
func FuzzDescriptionFile(f *testing.F) {
	f.Add([]byte(header + "id,,\"unique\nid\",integer,\n"))
	f.Add([]byte("column_name,notes\nid,\"a\"b,c"))
	f.Add([]byte("\xff\xfei\x00d\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := decode(data)
		d, table := &Dataset{}, &Table{}
		d.attach(table, "t.csv", text)
		if len(d.Warnings) > 0 {
			return
		}
		var kept strings.Builder
		for _, c := range table.Columns {
			kept.WriteString(letters(c.Name + c.Readable + c.Description.Description + c.DataFormat + c.ValueDescription))
		}
		for i, r := range parseCSV(text, separator(text), func(string) bool { return false }) {
			if _, isHeader := headerOrder(r.fields); i == 0 && isHeader {
				continue
			}
			for _, field := range r.fields {
				if !strings.Contains(kept.String(), letters(field)) {
					t.Errorf("line %d: %q is lost", r.line, field)
				}
			}
		}
	})
}

// TestManyLinesOfAColumn reads files that describe a column, or columns that do not
// exist, a million times.
func TestManyLinesOfAColumn(t *testing.T) {
	const lines = 1_000_000
	var others strings.Builder
	for i := range lines {
		fmt.Fprintf(&others, "c%d,,text %d,,\n", i, i)
	}
	for _, test := range []struct{ name, csv, want string }{
		{"one column", header + strings.Repeat("id,,another text,,\n", lines), `column "id" is described 1000000 times; the first 16 texts are kept`},
		{"one column, with line breaks", header + strings.Repeat("id,,another text,,\nand more\n", lines/2), `column "id" is described 500000 times; the first 16 texts are kept`},
		{"lines that go on", header + "id,,text,,\n" + strings.Repeat("more\n", lines), ""},
		{"nonexistent columns", header + others.String(), `table "Animal" has more than 10000 columns; 990003 lines about others are left out`},
	} {
		d := &Dataset{}
		table := &Table{Name: "Animal", Columns: []*Column{{Name: "id"}, {Name: "name"}, {Name: "Mass (kg)"}}}
		d.attach(table, "Animal.csv", test.csv)
		last := ""
		if n := len(d.Warnings); n > 0 {
			last = d.Warnings[n-1].Text
		}
		if last != test.want || len(d.Warnings) > 10_000 || len(table.Columns) > 10_000 {
			t.Errorf("%s: %d warnings, %d columns, the last %q, want %q", test.name, len(d.Warnings), len(table.Columns), last, test.want)
		}
	}
}
