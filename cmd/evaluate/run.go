package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/evaluation/agent"
	"github.com/birdcall/birdcall/internal/evaluation/askmodel"
	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/evaluation/prompt"
	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// runFlags say which model is asked, and how.
type runFlags struct {
	scoreFlags
	query   queryFlags // of which --metric and --calls are taken
	model   string
	baseURL string
	keyEnv  string
	mode    string
	native  bool
	prompts string
	limit   int
	name    string

	temperature float64
	topP        float64
	maxTokens   int
	tokensField string
	loops       int
	maxTools    int
	shortlist   bool
	searchTools bool

	parallel       int
	attempts       int
	requestTimeout time.Duration
	seed           uint64
	priceIn        float64
	priceOut       float64
	noScore        bool
}

// errUnanswered says that questions failed; the next run asks them again.
var errUnanswered = errors.New("some questions have no answer")

// The values of --mode.
var modes = []string{string(evaluate.Direct), string(evaluate.ReAct), string(evaluate.SQL), string(evaluate.Agent)}

// runCommand asks a model and scores what it answers.
func runCommand() *cobra.Command { return (&runFlags{}).command() }

func (f *runFlags) command() *cobra.Command {
	c := &cobra.Command{
		Use:   "run",
		Short: "Ask a model, and score what it answers",
		Long: `Ask a model the questions of a dataset at an endpoint that speaks OpenAI's chat
completions, and score the answers.

Answers are kept in OUT/result/MODEL as they come. A run that was ended in any
way goes on where it was when the same command is given again; questions that
failed are asked again.`,
		Example: `  evaluate run --dataset out/slot --model gpt-4o --base-url https://api.openai.com/v1
  evaluate run --dataset out/slot --model NAME --base-url http://127.0.0.1:8000/v1 --mode react
  evaluate run --dataset out/rest --model NAME --base-url http://127.0.0.1:8000/v1 --native --limit 100`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	set := c.Flags()
	set.SortFlags = false
	f.data(set)
	set.StringVar(&f.model, "model", "", "the endpoint's name of the model")
	set.StringVar(&f.baseURL, "base-url", "https://api.openai.com/v1", "address of the endpoint, to which /chat/completions is added")
	set.StringVar(&f.keyEnv, "api-key-env", "OPENAI_API_KEY", "environment variable that has the key; it may be unset where the endpoint asks for none")
	set.StringVar(&f.mode, "mode", string(evaluate.Direct), "direct for all calls at once, react for one call after the other, sql for a SELECT in the place of calls, or agent for one call after the other of a database and of APIs")
	set.BoolVar(&f.native, "native", false, "give the tools by the endpoint's own interface, and not in the text (default for queries)")
	set.StringVar(&f.prompts, "prompts", "", "folder of templates that replace those of the same name: "+strings.Join(prompt.Names(), ", "))
	set.IntVar(&f.limit, "limit", 0, "ask only so many questions, the first; 0 for all")
	set.StringVar(&f.name, "name", "", "name of the files (default: that of --dataset and the mode, such as slot_direct)")
	set.Float64Var(&f.temperature, "temperature", 0, "how freely words are chosen; below 0 for the endpoint's own default")
	set.Float64Var(&f.topP, "top-p", 0, "share of the likeliest words to choose from; below 0 for the endpoint's own default (default: 0.1 in --mode react and agent, else the endpoint's own)")
	set.IntVar(&f.maxTokens, "max-tokens", askmodel.DefaultMaxTokens, "most tokens of an answer; 0 for the endpoint's own default, which it is in --mode react and agent if the flag is left out")
	set.StringVar(&f.tokensField, "max-tokens-field", chatapi.MaxTokens, "what the endpoint calls that number: "+chatapi.MaxTokens+" or "+chatapi.MaxCompletionTokens)
	set.IntVar(&f.loops, "loops", askmodel.DefaultLoops, "most turns of --mode react and agent")
	set.IntVar(&f.maxTools, "max-tools", spec.DefaultMaxTools, "most tools that the endpoint takes with --native; samples that list more are not run; 0 for any number")
	set.BoolVar(&f.shortlist, "shortlist", false, "list --max-tools tools where a sample has more: the gold ones, those nearest to the question, and others")
	set.BoolVar(&f.searchTools, "search-tools", false, "have tools found by their words and not listed: in --mode direct those found for the question, in --mode react those that the model finds with "+spec.SearchName)
	set.IntVar(&f.parallel, "parallel", 4, "questions to ask at a time")
	set.IntVar(&f.attempts, "attempts", chatapi.DefaultAttempts, "most requests for one answer")
	set.DurationVar(&f.requestTimeout, "request-timeout", chatapi.DefaultTimeout, "time for one request")
	set.Uint64Var(&f.seed, "seed", 0, "seed of what --shortlist draws, and of the waits between attempts")
	set.Float64Var(&f.priceIn, "price-in", 0, "price of a million tokens of questions")
	set.Float64Var(&f.priceOut, "price-out", 0, "price of a million tokens of answers")
	set.BoolVar(&f.noScore, "no-score", false, "only ask")
	f.score(set)
	f.query.score(set, string(queryscore.Strict))
	set.Lookup("metric").Usage = "of queries: " + set.Lookup("metric").Usage
	set.Lookup("calls").Usage = "of queries: " + set.Lookup("calls").Usage
	for flag, words := range map[string][]string{"mode": modes, "max-tokens-field": tokensFields} {
		if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // the flag does not exist, which a test would see
		}
	}
	return c
}

var tokensFields = []string{chatapi.MaxTokens, chatapi.MaxCompletionTokens}

// run asks, and then scores.
func (f *runFlags) run(c *cobra.Command) error {
	opts, err := f.options(c.Flags())
	if err != nil {
		return err
	}
	if hasQueries(f.dataset) {
		return f.queries(c, opts)
	}
	for _, name := range []string{"metric", "calls"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is about queries; leave it out, or give a --dataset of convert --variant %s", name, record.QUERY)
		}
	}
	d, err := evaluate.Load(c.Context(), f.dataset)
	if err != nil {
		return err
	}
	if f.shortlist {
		d.Shorten(f.maxTools, f.seed)
	}
	opts.Samples = d.Samples
	return f.askAndScore(c, opts, func(file string) error { return f.scoreFile(c, d, file, "") })
}

// askAndScore asks, and then scores the file of answers.
func (f *runFlags) askAndScore(c *cobra.Command, opts askmodel.Options, score func(file string) error) error {
	summary, err := f.ask(c, opts)
	if err != nil {
		return err
	}
	var unanswered error
	if summary.Failed > 0 {
		unanswered = fmt.Errorf("%w: %d of those asked, the first as %s; give the same command again to ask them again", errUnanswered, summary.Failed, summary.Reason)
	}
	if f.noScore || summary.Answered == 0 && summary.Recorded == 0 {
		return unanswered
	}
	return errors.Join(score(summary.File), unanswered)
}

// ask asks the model, and says what that took.
func (f *runFlags) ask(c *cobra.Command, opts askmodel.Options) (*askmodel.Summary, error) {
	switch opts.Mode {
	case evaluate.Direct:
	case evaluate.Agent:
		dataset, err := f.load(c.Context())
		if err != nil {
			return nil, err
		}
		databases := agent.New(dataset, f.timeout)
		defer func() { _ = databases.Close() }() // they were only read
		opts.Agents = databases
	default:
		databases, err := f.open(c.Context())
		if err != nil {
			return nil, err
		}
		defer func() { _ = databases.Close() }() // they were only read
		opts.Executor, opts.Schemas = databases, askmodel.SchemasOf(databases)
	}
	total := len(opts.Samples)
	if opts.Limit > 0 {
		total = min(total, opts.Limit)
	}
	bar := cli.Progress(c.ErrOrStderr(), total, "questions", f.quiet)
	opts.Progress = func() { _ = bar.Add(1) }
	summary, err := askmodel.Run(c.Context(), opts)
	_ = bar.Clear()
	if err != nil {
		if errors.Is(err, context.Canceled) && !f.quiet {
			fmt.Fprintln(c.ErrOrStderr(), "What was answered is recorded; give the same command again to go on.")
		}
		return nil, err
	}
	if !f.quiet {
		fmt.Fprint(c.OutOrStdout(), outcomeText(summary))
	}
	return summary, nil
}

// outcomeText says what a run has come to.
func outcomeText(s *askmodel.Summary) string {
	var b strings.Builder
	if s.Simulated {
		b.WriteString("No model answered, but a program that stands for one.\n")
	}
	fmt.Fprintf(&b, "%d answered, %d not run, %d failed; %d were recorded before\n", s.Answered, s.NotRun, s.Failed, s.Recorded)
	type usage struct {
		of string
		evaluate.Usage
	}
	taken := []usage{{"this run", s.Sent}}
	if s.Recorded > 0 {
		taken = append(taken, usage{"all of it", s.Total})
	}
	for _, u := range taken {
		fmt.Fprintf(&b, "%s: %d answers in %d requests, %d tokens in, %d tokens out", table.Plain(u.of), u.Requests, u.Attempts, u.PromptTokens, u.CompletionTokens)
		if u.Unmeasured > 0 {
			fmt.Fprintf(&b, ", and %d answers without a number of tokens", u.Unmeasured)
		}
		if u.Cost > 0 {
			fmt.Fprintf(&b, ", cost %.4f", u.Cost)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "Written to %s\n\n", s.File)
	return b.String()
}

// options checks the flags and makes the options of a run, but for the samples and
// the databases.
func (f *runFlags) options(set *pflag.FlagSet) (o askmodel.Options, err error) {
	if err := f.check(set,
		cli.Flag{Name: "model", Hint: "give the endpoint's name of a model"},
		cli.Flag{Name: "base-url", Hint: "give an address such as http://127.0.0.1:8000/v1"},
		cli.Flag{Name: "api-key-env", Hint: "give the name of a variable, or leave the flag out for OPENAI_API_KEY"},
		cli.Flag{Name: "prompts", Hint: "give a folder, or leave the flag out"},
		cli.Flag{Name: "name", Hint: "give a name, or leave the flag out"},
	); err != nil {
		return o, err
	}
	if err := f.numbers(set); err != nil {
		return o, err
	}
	client, err := chatapi.New(chatapi.Options{
		BaseURL: f.baseURL, Key: os.Getenv(f.keyEnv), Attempts: f.attempts, Timeout: f.requestTimeout, Seed: f.seed,
	})
	if err != nil {
		return o, err
	}
	templates, err := prompt.Load(f.prompts)
	if err != nil {
		return o, err
	}
	mode := evaluate.Mode(f.mode)
	return askmodel.Options{
		Limit: f.limit, Model: f.model, Mode: mode, Native: f.native, Sampling: f.sampling(set, mode),
		MaxTools: f.maxTools, Search: f.searchTools, Loops: f.loops, Prompts: templates, Asker: client,
		Out: f.out, Name: f.fileName(), Jobs: f.parallel, PriceIn: f.priceIn, PriceOut: f.priceOut,
	}, nil
}

// sampling returns the paper's settings with what the flags say otherwise.
func (f *runFlags) sampling(set *pflag.FlagSet, mode evaluate.Mode) chatapi.Sampling {
	s := askmodel.DefaultSampling(mode, f.native)
	s.TokensField = f.tokensField
	given := func(v float64) *float64 {
		if v < 0 {
			return nil
		}
		return &v
	}
	if set.Changed("temperature") {
		s.Temperature = given(f.temperature)
	}
	if set.Changed("top-p") {
		s.TopP = given(f.topP)
	}
	if set.Changed("max-tokens") {
		s.MaxTokens = f.maxTokens
	}
	return s
}

// fileName returns the name of a run's files: different ways of asking do not
// get in each other's way.
func (f *runFlags) fileName() string {
	if f.name != "" {
		return f.name
	}
	name := baseName(f.dataset) + "_" + f.mode
	if f.native {
		name += "_native"
	}
	if f.searchTools {
		name += "_search"
	}
	return name
}

// numbers checks the flags that choose and count.
func (f *runFlags) numbers(set *pflag.FlagSet) error {
	switch {
	case f.model == "":
		return errors.New("no --model: give the endpoint's name of a model")
	case !slices.Contains(modes, f.mode):
		return cli.OneOf("--mode", f.mode, modes)
	case !slices.Contains(tokensFields, f.tokensField):
		return fmt.Errorf("--max-tokens-field %q: use %s", f.tokensField, strings.Join(tokensFields, " or "))
	case set.Changed("top-p") && (f.topP == 0 || f.topP > 1):
		return fmt.Errorf("--top-p %v: give a number above 0, up to 1, or one below 0 for the endpoint's own", f.topP)
	case f.limit < 0:
		return fmt.Errorf("--limit %d: give a number of 1 or more, or 0 for all", f.limit)
	case f.maxTokens < 0:
		return fmt.Errorf("--max-tokens %d: give a number of 1 or more, or 0 for the endpoint's own", f.maxTokens)
	case f.loops < 1:
		return fmt.Errorf("--loops %d: give a number of 1 or more", f.loops)
	case f.maxTools < 0:
		return fmt.Errorf("--max-tools %d: give a number of 1 or more, or 0 for any number", f.maxTools)
	case f.shortlist && f.searchTools:
		return errors.New("--shortlist and --search-tools choose tools in two ways; give one of them")
	case f.shortlist && f.maxTools == 0:
		return errors.New("--shortlist with --max-tools 0: give the number of tools to list")
	case f.parallel < 1:
		return fmt.Errorf("--parallel %d: ask 1 question at a time at least", f.parallel)
	case f.attempts < 1:
		return fmt.Errorf("--attempts %d: give a number of 1 or more", f.attempts)
	case f.requestTimeout <= 0:
		return fmt.Errorf("--request-timeout %v: give a time, such as 5m", f.requestTimeout)
	case f.priceIn < 0 || f.priceOut < 0:
		return errors.New("--price-in and --price-out: give prices of 0 or more")
	}
	return nil
}
