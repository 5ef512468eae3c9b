// Package valueindex finds the stored values of one database that words of a text
// mean: "San Francisco" in "schools of san francisco" is a value of schools.City.
//
// [Build] makes an [Index] of the values of columns. Its bytes are a file that
// [Read] takes as it is: lookups read from the bytes, and nothing is unpacked
// first. Equal values give equal bytes. A text is prepared once and then looked up
// in any number of indexes:
//
//	text := valueindex.Prepare(question, evidence)
//	for _, m := range index.Lookup(text) {
//		fmt.Println(index.Columns()[m.Column], m.Value, m.Kind)
//	}
//
// # What matches
//
// Texts are compared by their tokens: runs of letters and digits of their
// compatibility decomposition (NFKD), without case and accents. A value matches a
// span of the text if all tokens do, in their order. How well is said by [How]:
//
//   - Same: the bytes are the same.
//   - Folded: case, accents or punctuation differ, the last token is a plural or
//     singular of the other, or punctuation alone takes a word apart (e-mail).
//   - Form: both are the same date, as in "August 24th, 2012" and "2012-08-24".
//   - Typo: one letter is missing, too many, another one, or changed places with its
//     neighbour, in a token of at least three letters, or of four letters and
//     digits; or one word is written as two, or two as one. Digits have to be the
//     same. A span that matches better, or lies in one that does, has no matches of
//     this kind.
//
// A value that is one English function word, such as "is" or "OR", matches only
// where it is all that is in quotation marks, or is written in the same upper
// case. One without letters and digits, such as "+", matches only in quotation
// marks or between spaces. Numbers match by what they are worth: "1,000" is 1000.
//
// # What is indexed
//
// Texts of up to 200 bytes, integers and reals. Longer texts are counted and left out. The caller chooses the columns, and which of their numbers
// are worth it. Values are kept exactly, class included.
//
// # How
//
// The values of a column are sorted and front-coded in blocks. A hash table leads
// from the tokens of a value to its number; a Bloom filter of the beginnings of
// values ends a search that no value can complete; and a second hash table has the
// tokens by what is left of them when a letter is taken out, where tokens that are
// one edit apart meet (symmetric deletion). What the tables give is compared with
// the text before it counts.
package valueindex
