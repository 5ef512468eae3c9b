// Package mixed makes questions that a database alone cannot answer: it adds a
// condition or a column that functions of package scalars compute to the questions
// of a dataset, as Benchmark II of Khabiri et al. does ("Declarative Techniques for
// NL Queries over Heterogeneous Data", section 4.2 and appendix D).
//
// Each new question has its SQL in two forms that mean the same. In one the
// functions are called, and in the other each function is a table whose arguments
// are columns that need a value:
//
//	SELECT T1.name FROM member AS T1 WHERE T1.age > 30 AND is_prime(count_syllables(T1.name)) = 1
//
//	SELECT T1.name FROM member AS T1
//	JOIN count_syllables AS cs ON cs.string = T1.name JOIN is_prime AS ip ON ip.number = cs.count
//	WHERE T1.age > 30 AND ip.truth = 1
//
// Nobody looks at the questions, so Augment changes only what is safe to change: one
// SELECT of inner joins, and a column that the question's words can name without
// doubt. What it does not change it refuses, and says why. Whether a new question is
// worth keeping is for whoever runs both forms: they have to agree, to give rows, and
// to give others than the question did before.
//
// Run runs both of their benchmarks against a service on this computer (Serve) that
// has the tables and functions behind an API. Benchmark I leaves the questions as
// they are and moves a share of each database's tables behind the API (section 4.1):
// each answer must be that of the files alone, or another one that SQL allows.
package mixed
