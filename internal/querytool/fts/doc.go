// Package fts finds objects by the words in their texts, with SQLite's FTS5
// (https://www.sqlite.org/fts5.html) in a memory database of its own.
//
// An Index has a table for each collection, made when the collection is first
// searched, with a row for each object and a column for each property that has
// texts. The tokenizer is porter unicode61: words are runs of letters and digits
// without regard to case and diacritics, compared by their English stems.
//
// Search finds the objects that have all words of a text, in any of the columns
// and in any order. The best come first, by bm25 (section 5.1.1) with all columns
// alike, and equal ones in the order of their rows. Each word of the text counts
// for bm25, also one that is there twice. No text has a meaning to FTS5 beyond its
// words: quotes, stars, NEAR and the like are what they are in any other text.
package fts
