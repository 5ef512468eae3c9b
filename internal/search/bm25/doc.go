// Package bm25 ranks documents of several fields by the words that they share with
// a query: BM25F (Robertson and Zaragoza, The Probabilistic Relevance Framework:
// BM25 and Beyond, 2009, section 3.6).
//
// Words are runs of letters or digits, folded: without case and accents. In names,
// snake_case and camelCase are taken apart. They are compared by their stems
// (Porter's English stemmer, snowballstem.org/algorithms/english). There are no stop
// words: words that are everywhere weigh little of themselves.
package bm25
