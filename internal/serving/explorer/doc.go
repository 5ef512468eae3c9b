// Package explorer is a page for people who look at the samples of a dataset:
// questions with their SQL and answer, the calls of each variant with the tables
// before and after each of them, the specifications as a model sees them, the
// endpoints, what was converted, and the report of an evaluation.
//
// Explorer.Page answers with the files of the page, which hold no data. They are
// modules of JavaScript as a browser runs them: there is no build step. The page
// works without a network but for the service itself, and its
// Content-Security-Policy allows nothing else.
//
// Explorer.Data answers with JSON under /explorer/data/. It shows gold calls,
// SQL and answers, which an agent must not see, so that whoever mounts it has to
// decide who may ask it. The page sends the control key that it was given in the
// header X-Control-Key, and asks for one where Data is answered with 401.
//
// Values keep their digits on the way: arguments travel as JSON texts within
// JSON, and the cells of tables as texts.
package explorer
