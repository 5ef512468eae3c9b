// Package episode runs the tools of a dataset live, for agents that react to what
// they see: a task is what an agent is asked and the tools that it has, and an
// episode is one run of it, after the live environment of Elder et al.
// (arXiv:2506.11266, section 4.3).
//
// An Environment has the tasks of a dataset, in every variant: those that convert
// wrote, or of questions that are converted when they are first asked for. Open
// begins an episode, Episode.Call runs one call and returns what an agent is shown
// of it, and Episode.Score says how well the calls answer the question. Results
// stay with the episode until it ends; the agent refers to them by their labels.
//
// A mistake that an agent can mend is an observation that says what is wrong, and
// no error. Time, rows and memory are bounded, of a call, of an episode, and of all
// together: see Limits. Several goroutines may use an Environment, and one Episode,
// at once. There is no HTTP here.
package episode
