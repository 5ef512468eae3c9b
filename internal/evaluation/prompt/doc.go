// Package prompt writes what a model is asked, from templates that a user may
// replace one by one.
//
//	direct_slot.txt           all calls at once, the tools in the text: SLOT
//	direct_sel.txt            the same for SEL
//	direct_rest.txt           the same for REST, without examples
//	native_direct_system.txt  all calls at once, the tools given outside of the text
//	native_react_system.txt   one call after the other, the tools given outside of the text
//	native_user.txt           the question, after either of these
//	react.txt                 thought, action and observation, the tools in the text
//	sql.txt                   one SELECT instead of calls
//
// Each is a text/template that reads Data. The words are this project's own; what
// they ask for is what the prompts of Elder et al. do (arXiv:2506.11266,
// appendices F.1.9 and G.1).
//
// The examples are three questions about a database that is made up for them and
// of no dataset. A test converts them anew, so that their calls are right.
package prompt
