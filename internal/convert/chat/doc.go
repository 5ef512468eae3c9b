// Package chat writes a sample as a chat with tool calls, in the form of OpenAI's
// chat completions that trainers of models read: a system message, the question,
// then for each call a message of the assistant and one with what the call
// returned, and the answer.
//
// What a call returned is an observation of pkg/observation, which bounds it. The
// answer is written out where all of it was shown. Else it says what returned
// it, and the system message says that it is so.
package chat
