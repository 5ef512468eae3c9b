package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// useCase is a database: its id and three collections.
type useCase struct {
	id          string
	collections []collection
}

// collection is a table of four columns: prose, a category, a number and a
// boolean, in this order.
type collection struct {
	name string
	rows int
	// sentences are what the prose is made of. {word} is replaced by one of words, or
	// one of words under word/category where there is such a list.
	sentences []string
	words     map[string]string // lists, with | between their entries
	prose     column
	category  column
	// kinds are the categories. The first are the more frequent ones.
	kinds  string
	number number
	truth  column
	share  float64 // of the rows whose boolean is true
	// falseWith lists words whose presence in the prose makes the boolean false, and
	// their absence true, instead of share.
	falseWith string
}

// column is a column with what the dataset says of it.
type column struct {
	name        string
	readable    string // "" for the name with spaces
	description string
	values      string // what its values mean
	nulls       bool   // whether a few rows have none
}

// number is a column of numbers: from least to most, in steps.
type number struct {
	column
	real              bool
	least, most, step float64
}

// list returns the entries of a list.
func list(text string) []string { return strings.Split(text, "|") }

// script returns the SQL that makes the database.
func (u useCase) script() string {
	var b strings.Builder
	for i, c := range u.collections {
		if i > 0 {
			b.WriteByte('\n')
		}
		c.write(&b, randomOf(u.id+"."+c.name))
	}
	return b.String()
}

// randomOf returns the source of a collection's draws.
func randomOf(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(1, h.Sum64()))
}

// write appends the statements that make the table and fill it.
func (c collection) write(b *strings.Builder, random *rand.Rand) {
	declared := "INTEGER"
	if c.number.real {
		declared = "REAL"
	}
	fmt.Fprintf(b, "CREATE TABLE %s (\n", c.name)
	for i, column := range c.columns() {
		notNull, comma := " NOT NULL", ","
		if column.nulls {
			notNull = ""
		}
		if i == 3 {
			comma = ""
		}
		fmt.Fprintf(b, "    %s %s%s%s\n", column.name, []string{"TEXT", "TEXT", declared, "BOOLEAN"}[i], notNull, comma)
	}
	fmt.Fprintf(b, ");\n\nINSERT INTO %s VALUES\n", c.name)
	seen := map[string]bool{}
	for i := range c.rows {
		kind := c.kind(random)
		prose := c.sentence(random, kind)
		for seen[prose] {
			prose = c.sentence(random, kind)
		}
		seen[prose] = true
		cells := []string{quote(prose), quote(kind), c.number.draw(random), truth(c.isTrue(random, prose))}
		for j, column := range c.columns() {
			// About one value in twenty is missing where one may be.
			if column.nulls && random.IntN(20) == 0 {
				cells[j] = "NULL"
			}
		}
		end := ","
		if i == c.rows-1 {
			end = ";"
		}
		fmt.Fprintf(b, "(%s)%s\n", strings.Join(cells, ", "), end)
	}
}

func (c collection) columns() []column {
	return []column{c.prose, c.category, c.number.column, c.truth}
}

// kind draws a category; the earlier of two draws makes the first ones frequent.
func (c collection) kind(random *rand.Rand) string {
	kinds := list(c.kinds)
	return kinds[min(random.IntN(len(kinds)), random.IntN(len(kinds)+2))]
}

// sentence draws the prose of a row.
func (c collection) sentence(random *rand.Rand, kind string) string {
	text := c.sentences[random.IntN(len(c.sentences))]
	for {
		before, rest, found := strings.Cut(text, "{")
		if !found {
			break
		}
		word, after, _ := strings.Cut(rest, "}")
		entries, ok := c.words[word+"/"+kind]
		if !ok {
			if entries, ok = c.words[word]; !ok {
				panic(c.name + " has no words for " + word + ", " + kind)
			}
		}
		// A word occurs once in a sentence.
		choices := slices.DeleteFunc(list(entries), func(e string) bool { return strings.Contains(before, e) })
		text = before + choices[random.IntN(len(choices))] + after
	}
	sentences := strings.Split(text, ". ")
	for i, s := range sentences {
		sentences[i] = strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.Join(sentences, ". ")
}

// draw returns a number as SQL. Numbers in the middle are the more frequent ones.
func (n number) draw(random *rand.Rand) string {
	steps := int((n.most-n.least)/n.step + 0.5)
	at := (random.IntN(steps+1) + random.IntN(steps+1)) / 2
	v := n.least + float64(at)*n.step
	if !n.real {
		return strconv.Itoa(int(v))
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// isTrue draws the boolean of a row.
func (c collection) isTrue(random *rand.Rand, prose string) bool {
	if c.falseWith == "" {
		return random.Float64() < c.share
	}
	return !slices.ContainsFunc(list(c.falseWith), func(word string) bool { return strings.Contains(strings.ToLower(prose), word) })
}

func truth(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// quote returns a text as SQL.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
