package bird

import "strings"

// record is one record of a CSV file.
type record struct {
	line   int // 1-based line it starts on
	fields []string
}

// parseCSV splits text into records. It accepts any line ending and tolerates bad
// quoting. A quote inside an unquoted field is an ordinary character, and so is a quote
// inside a quoted field that is neither doubled nor at the field's end. A field whose
// quote is never closed is read as unquoted. starts reports whether a line certainly
// begins a record; a quoted field that would run over such a line counts as never
// closed. Blank lines give no record.
func parseCSV(text string, comma byte, starts func(line string) bool) []record {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	var records []record
	current := record{line: 1}
	line := 1
	for i := 0; i < len(text); {
		field, next := csvField(text, i, comma, starts)
		line += strings.Count(text[i:next], "\n")
		current.fields = append(current.fields, field)
		i = next
		if i < len(text) && text[i] == comma {
			i++
			if i < len(text) {
				continue
			}
			current.fields = append(current.fields, "")
		}
		records = appendRecord(records, current)
		i++ // the line's end
		line++
		current = record{line: line}
	}
	return records
}

// appendRecord appends r unless all its fields are blank.
func appendRecord(records []record, r record) []record {
	for _, field := range r.fields {
		if strings.TrimSpace(field) != "" {
			return append(records, r)
		}
	}
	return records
}

// csvField returns the field that starts at i, and the position of the comma
// or line end behind it.
func csvField(text string, i int, comma byte, starts func(string) bool) (field string, next int) {
	start := i
	for start < len(text) && text[start] == ' ' {
		start++ // spaces before an opening quote
	}
	if start < len(text) && text[start] == '"' {
		if field, next, ok := quotedField(text, start, comma, starts); ok {
			return field, next
		}
	}
	next = i
	for next < len(text) && text[next] != comma && text[next] != '\n' {
		next++
	}
	return text[i:next], next
}

// maxQuoted bounds the bytes that are searched for a closing quote, so that many
// unclosed quotes cost little.
const maxQuoted = 1 << 16

// quotedField reads the field whose opening quote is at i. It reports failure
// when no quote closes it before the next record.
func quotedField(text string, i int, comma byte, starts func(string) bool) (field string, next int, ok bool) {
	var b strings.Builder
	limit := min(len(text), i+maxQuoted)
	for i++; i < limit; i++ {
		if text[i] != '"' {
			if text[i] == '\n' {
				if line, _, _ := strings.Cut(text[i+1:], "\n"); starts(line) {
					return "", 0, false
				}
			}
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == '"' {
			b.WriteByte('"')
			i++
			continue
		}
		end := i + 1
		for end < len(text) && text[end] == ' ' {
			end++
		}
		if end == len(text) || text[end] == comma || text[end] == '\n' {
			return b.String(), end, true
		}
		b.WriteByte('"')
	}
	return "", 0, false
}

// separator returns the character that separates the fields of a file: a comma, unless
// the first line has more semicolons or tabs.
func separator(text string) byte {
	header, _, _ := strings.Cut(text, "\n")
	best := byte(',')
	for _, c := range []byte{';', '\t'} {
		if strings.Count(header, string(rune(c))) > strings.Count(header, string(rune(best))) {
			best = c
		}
	}
	return best
}
