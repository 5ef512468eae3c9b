package calltext

import (
	"slices"
	"strings"
)

// thoughts are the tags that reasoning is between.
var thoughts = [][2]string{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<scratchpad>", "</scratchpad>"},
	{"<|thought_start|>", "<|thought_end|>"},
	{"<|begin_of_thought|>", "<|end_of_thought|>"},
	{"<|START_THINKING|>", "<|END_THINKING|>"},
	{"[THINK]", "[/THINK]"},
}

// The tags that begin reasoning, and those that end it.
var thoughtBegins, thoughtEnds = func() (begins, ends []string) {
	for _, t := range thoughts {
		begins, ends = append(begins, t[0]), append(ends, t[1])
	}
	return begins, ends
}()

var thoughtTags = slices.Concat(thoughtBegins, thoughtEnds)

// withoutReasoning returns a text without its reasoning, and whether the
// reasoning ends. If it does not, the text is all there is, without the tag.
func withoutReasoning(text string) (string, bool) {
	var kept strings.Builder
	for {
		at, tag := next(text, 0, thoughtTags)
		if tag < 0 {
			kept.WriteString(text)
			return kept.String(), true
		}
		before, after := text[:at], text[at+len(thoughtTags[tag]):]
		if tag >= len(thoughtBegins) { // what came before was reasoning
			kept.Reset()
			text = after
			continue
		}
		kept.WriteString(before)
		end := strings.Index(after, thoughtEnds[tag])
		if end < 0 {
			kept.WriteString(after)
			return kept.String(), false
		}
		text = after[end+len(thoughtEnds[tag]):]
	}
}

// next returns the place of the first of these words in a text, from a place
// on, and which one it is, or -1. All of them begin with < or [.
func next(text string, at int, words []string) (place, word int) {
	for {
		i := strings.IndexAny(text[at:], "<[")
		if i < 0 {
			return len(text), -1
		}
		at += i
		for word, w := range words {
			if strings.HasPrefix(text[at:], w) {
				return at, word
			}
		}
		at++
	}
}

// The marks of turns. Speakers begin a line.
var (
	ownTurn = []string{
		"ASSISTANT:", "Assistant:", "<s>", "<|im_start|>assistant", "<|assistant|>", "<｜Assistant｜>", "<|Assistant|>",
		"<|start_header_id|>assistant<|end_header_id|>", "<|start_of_role|>assistant<|end_of_role|>",
	}
	speakers   = []string{"ASSISTANT:", "Assistant:", "USER:", "User:", "HUMAN:", "Human:", "OBSERVATION:", "Observation:"}
	turnTokens = []string{
		"<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|end_of_text|>", "<|endoftext|>",
		"</s>", "[INST]", "<｜User｜>", "<|User|>", "<|user|>", "<|observation|>", "<｜end▁of▁sentence｜>", "<|start_of_role|>",
		"<|END_OF_TURN_TOKEN|>",
	}
)

// firstTurn returns a text up to the next turn.
func firstTurn(text string) string {
	text = strings.TrimSpace(text)
	for _, own := range ownTurn {
		text = strings.TrimSpace(strings.TrimPrefix(text, own))
	}
	end, _ := next(text, 0, turnTokens)
	text = text[:end]
	for at := strings.IndexByte(text, '\n'); at >= 0; {
		line := text[at+1:]
		if slices.ContainsFunc(speakers, func(s string) bool { return strings.HasPrefix(line, s) }) {
			return text[:at]
		}
		i := strings.IndexByte(line, '\n')
		if i < 0 {
			break
		}
		at += 1 + i
	}
	return text
}
