package askmodel

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// action is what a model says in a turn of ReAct: a call, the final answer, or
// something that is neither.
type action struct {
	call   tools.Call
	final  bool
	answer string
	wrong  string // what the model is shown, "" for a call and for an answer
}

var (
	actionLine = regexp.MustCompile(`(?im)^[ \t*]*Action[ \t*]*:[ \t*]*(.*)$`)
	inputLine  = regexp.MustCompile(`(?im)^[ \t*]*Action[ \t]+Input[ \t*]*:\**`)
	finalLine  = regexp.MustCompile(`(?im)^[ \t*]*Final[ \t]+Answer[ \t*]*:\**`)
)

// The form of a turn, as a model that did not keep to it is shown it.
const actionForm = `write "Action: " with the name of a tool, and on the next line "Action Input: " with a JSON object; or "Final Answer: " with the answer`

// readAction reads a turn: the first action or final answer in it.
func readAction(text string) action {
	act, final := actionLine.FindStringSubmatchIndex(text), finalLine.FindStringIndex(text)
	if final != nil && (act == nil || final[0] < act[0]) {
		return action{final: true, answer: strings.TrimSpace(text[final[1]:])}
	}
	if act == nil {
		return action{wrong: "there is no action; " + actionForm}
	}
	name := strings.Trim(text[act[2]:act[3]], " \t\r*`'\"")
	rest := text[act[1]:]
	input := inputLine.FindStringIndex(rest)
	if input == nil {
		return action{wrong: "there is no Action Input; " + actionForm}
	}
	call, wrong := readCall(name, rest[input[1]:])
	return action{call: call, wrong: wrong}
}

// readCall reads the arguments of a call: the JSON object that a text starts with,
// possibly in a block of code.
func readCall(name, text string) (c tools.Call, wrong string) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		text = strings.TrimPrefix(inner, "json")
	}
	var object json.RawMessage
	c = tools.Call{Name: name, Arguments: tools.Arguments{}}
	err := json.NewDecoder(strings.NewReader(text)).Decode(&object)
	if err == nil {
		err = json.Unmarshal(object, &c.Arguments)
	}
	switch {
	case text == "" || string(object) == "null": // what some write for no arguments
		c.Arguments = tools.Arguments{}
		return c, ""
	case err != nil:
		return tools.Call{}, fmt.Sprintf("the arguments of the call are no JSON object (%v); write one such as {\"argument\": \"value\"}", err)
	}
	return c, ""
}
