// Package tfidf ranks documents by how many telling words they share with a
// query: plain TF-IDF with the cosine of the angle between the two
// (Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008,
// chapter 6).
//
// Words are runs of letters and digits in lower case, with snake_case and
// camelCase taken apart. An English plural counts as its singular; there is no
// other stemming and there are no stop words: words that are everywhere weigh
// little of themselves.
package tfidf
