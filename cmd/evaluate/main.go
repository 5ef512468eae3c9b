// Command evaluate scores what language models call against the samples that
// convert wrote, asks models, and compares their scores.
//
//	evaluate --dataset out/slot --predictions calls.jsonl
//	evaluate run --dataset out/slot --model NAME --base-url URL
//	evaluate compare score/*/report.json
//
// Exit codes: 0 when scores were written, 2 when the command line or a file is
// not as it should be, 130 after Ctrl-C and 143 after SIGTERM.
package main

import "github.com/birdcall/birdcall/internal/cli"

func main() { cli.Program{Command: command()}.Main() }
