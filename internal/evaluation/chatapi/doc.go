// Package chatapi asks an endpoint for chat completions in the form of OpenAI's
// API (https://platform.openai.com/docs/api-reference/chat), which other
// servers of models speak too. Answers come whole and not in parts.
//
// A client sends a request again where that may help: after the statuses 408,
// 409, 429 and 5xx, after a broken connection, and after a body that is cut, no
// JSON, or without an answer. It waits longer each time, and as long as the
// endpoint asks for. Every request that is sent is counted, so that an Answer
// says how many there were. Redirects are not followed: they would take the key
// and the question elsewhere, and be requests that nobody counts.
//
// The key is in the header of requests and in nothing else. Where an endpoint
// repeats it, it is taken out of what is read.
//
// The client is net/http's. OpenAI's own module (openai-go/v3 v3.96.0) makes
// cmd/convert, built without symbols, 58.7 MB large instead of 38.4 MB, with
// everything else that the API has. net/http is linked already and adds nothing.
package chatapi
