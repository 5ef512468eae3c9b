// Package askmodel asks a model the questions of a dataset and keeps what it
// answers.
//
// The files of a run are in OUT/result/MODEL:
//
//	NAME_result.jsonl   the journal: a Prediction a line
//	NAME_loops.jsonl    the turns of ReAct of samples that are not done yet
//	NAME_settings.json  what the answers depend on
//	.NAME.lock          while a run is on
//
// An answer counts once it is on disk. A run that was ended in any way goes on
// where it was: what a journal has is not asked again, but for questions that
// failed, and a line that was cut in the middle. The turns of ReAct are kept one
// by one; their calls are run again, and the model is asked from the first turn
// that is missing. A run with other settings is refused, as its answers would be
// others.
//
// At its end a run brings the journal into the order of the samples, so that the
// same answers make the same bytes.
//
// The Usage of a prediction counts all requests for the sample whose end was
// seen: those of the run that recorded it, of earlier runs in which it failed,
// and of turns that were recorded. What a killed run had sent without an answer
// is in no file, and not counted.
package askmodel
