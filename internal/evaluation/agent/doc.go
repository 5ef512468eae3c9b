// Package agent gives a model a database and APIs as tools that it calls one after
// the other: one that runs a SELECT over the database's own tables, one for each
// table and function of an API, and one by which it answers with rows. It is the
// agentic strategy of Khabiri et al. (Declarative Techniques for NL Queries over
// Heterogeneous Data, section 3.3). Nothing joins the two sides but the model.
package agent
