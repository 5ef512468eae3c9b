// Package calltext reads the function calls in what language models write.
//
// A model that was asked for calls answers with text, and each family of models
// has a notation of its own. Parse knows these:
//
//   - JSON: a list or an object, one or several, in lines or behind semicolons;
//     also as Python writes it, with comments, with a comma too many, or as a
//     string of JSON in JSON
//   - calls of functions: [f(a=1, b='x'), g.h(c=true)]
//   - fenced blocks of either, and either within prose
//   - <tool_call> (Qwen, Hermes), <function_call>, <|tool_call|> (Granite, Phi),
//     [TOOL_CALLS] (Mistral), <|python_tag|> and <function=name> (Llama),
//     <｜tool▁calls▁begin｜> (DeepSeek), <|tool_call_begin|> (Kimi),
//     <|tool_call_start|> (MiniCPM), <|action_start|> (InternLM),
//     <|START_ACTION|> (Command), <parameter=name> (Qwen3-Coder) and <arg_key>
//     (GLM)
//
// An entry is a call in one of these forms, with a label or without:
//
//	{"name": "f", "arguments": {...}, "label": "L"}
//	{"function": {"name": "f", "arguments": {...}}}
//	{"f": {...}}
//	f(a=1)
//
// The name may also be under function, function_name, tool_name or tool, the
// arguments under parameters, params, args, kwargs, input or tool_input, and as
// a string of JSON.
//
// # Order
//
// The notations are tried in this order, and the first one that holds a call is
// the one that is read:
//
//  1. the whole text as values and calls
//  2. the same without the reasoning and without invented turns
//  3. the marks of the families, such as <tool_call>
//  4. fenced blocks, all of them
//  5. lists and objects anywhere in the text
//  6. calls of functions in a line or a code span of their own
//  7. the text without one level of backslashes, from step 1
//
// # Decisions
//
//   - Reasoning (<think>...</think> and the like) is no answer: calls in it do
//     not count. The tag that begins it may be missing, as templates put it into
//     the prompt. Where the one that ends it is missing, only the marks of step 3
//     are read in what follows: they are what a model writes when it calls.
//   - Where a text goes on with USER:, ASSISTANT:, Observation: or the token of
//     another turn, these are invented, and only what is before is read.
//   - A list says what it holds: an element that is no call is an entry that is
//     Malformed. So is a value that is no call after a mark, and a call that is
//     cut off. In prose and fenced blocks, values that are no calls are left out
//     if there are calls; with no call, a fenced block is Malformed and prose is
//     an Error.
//   - A list without elements is an answer: no calls are needed.
//   - Arguments without names are Malformed, since their order is not known.
//   - A label is what is under "label" next to the name. Within arguments, or
//     in f(a=1, label='L'), it is an argument: tools have parameters of that name.
//   - The values of <parameter=name> and <arg_value> have no quotes. What is JSON
//     is read as such, and the rest is text.
//   - Backslashes before _ and $, as Markdown has them, are dropped. NaN is null,
//     Infinity is 1e999. A word without quotes among the arguments of f(a=b) is
//     text. A name that occurs twice in one object has its last value.
//   - Numbers keep their digits and objects their order.
//
// # Bounds
//
// A text has 1 MiB at most, arguments are at most 100 deep, and the time is in
// proportion to the length of the text: a text that makes the reader start again
// and again is given up.
//
// # The paper's own reading
//
// Paper, PaperREST and PaperArguments read as the evaluator of Elder et al.
// does, for scores to be held against theirs. They share nothing with Parse.
package calltext
