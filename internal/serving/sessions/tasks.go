package sessions

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/evaluation/prompt"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/spec"
)

// row is a task in the list, in the shape of a dataset of NeMo Gym: what is asked
// of a model in the parameters of OpenAI's Responses, and what names the task
// besides them. It has nothing of gold.
type row struct {
	Task       string  `json:"task_id"` // variant/db/sample_id
	Variant    string  `json:"variant"`
	DB         string  `json:"db"`
	Sample     bird.ID `json:"sample_id"`
	Question   string  `json:"question"`
	Evidence   string  `json:"evidence,omitempty"`
	Difficulty string  `json:"difficulty,omitempty"`
	Create     *create `json:"responses_create_params,omitempty"`
}

// create is the parameters of a response
// (https://platform.openai.com/docs/api-reference/responses/create).
type create struct {
	Input    []message  `json:"input"`
	Tools    []function `json:"tools"`
	Parallel bool       `json:"parallel_tool_calls"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type function struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"`
	Strict      bool           `json:"strict"`
}

// turns is how many turns a task's system message allows where the request does
// not say. The longest gold sequence of BIRD dev has 27 calls.
const turns = 30

// rowTries is how often a task is tried to be made for the list.
const rowTries = 3

// rowTime is how long one task may take to be made and sent.
const rowTime = 3 * time.Minute

// tasks answers with a line of JSON for each task of a variant, or of some databases.
func (a *API) tasks(c *gin.Context) {
	if !onlyTakes(c, "variant", paramDB, "bare", "turns") {
		return
	}
	variant, allowed, bare := c.DefaultQuery("variant", a.defaultVariant()), turns, c.Query("bare") == "true"
	if text := c.Query("bare"); text != "" && text != "true" && text != "false" {
		bad(c, "bare: use true or false.")
		return
	}
	if !slices.Contains(a.env.Variants(), variant) {
		bad(c, "variant: use one of "+strings.Join(a.env.Variants(), ", ")+".")
		return
	}
	if text := c.Query("turns"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			bad(c, "turns: give a number from 1 on.")
			return
		}
		allowed = n
	}
	prompts, err := prompt.Load("")
	if err != nil {
		a.fail(c, err)
		return
	}
	databases := c.QueryArray(paramDB)
	for _, db := range databases {
		if err := a.env.KnownDatabase(db); err != nil {
			a.fail(c, err)
			return
		}
	}
	c.Header("Content-Type", "application/x-ndjson; charset=utf-8")
	c.Header("Cache-Control", "no-store")
	writer := http.NewResponseController(c.Writer)
	for i := range a.env.Dataset().Questions {
		q := &a.env.Dataset().Questions[i]
		if len(databases) > 0 && !slices.Contains(databases, q.DB) {
			continue
		}
		_ = writer.SetWriteDeadline(time.Now().Add(rowTime)) // else the server's own holds
		line, err := a.row(c, q, variant, prompts, allowed, bare)
		var none *episode.NoTaskError
		var failed *episode.FailedError
		for try := 1; try < rowTries && errors.As(err, &failed); try++ {
			line, err = a.row(c, q, variant, prompts, allowed, bare)
		}
		if errors.As(err, &none) {
			continue
		}
		if errors.As(err, &failed) && failed.Failure == episode.OutOfTime {
			a.opts.Warn(c.Request, fmt.Sprintf("a task is not listed: %v", failed)) // or one slow question would end each list
			continue
		}
		if err != nil && c.Request.Context().Err() == nil { // the answer has begun; it ends without a last line
			a.opts.Failed(c.Request, err)
			panic(http.ErrAbortHandler)
		}
		if err != nil {
			return // the client has left
		}
		if _, err := c.Writer.Write(line); err != nil {
			return // likewise
		}
		_ = writer.Flush()
	}
}

func (a *API) row(c *gin.Context, q *bird.Question, variant string, prompts *prompt.Set, turns int, bare bool) ([]byte, error) {
	r := row{
		Task: taskID(variant, q.DB, q.ID), Variant: variant, DB: q.DB, Sample: q.ID,
		Question: q.Text, Evidence: q.Evidence, Difficulty: q.Difficulty,
	}
	if !bare {
		task, err := a.env.Task(c.Request.Context(), variant, q.DB, q.ID.String())
		if err != nil {
			return nil, err
		}
		system, user, err := prompts.NativeReAct(task.Gold(), turns)
		if err != nil {
			return nil, err
		}
		r.Create = &create{Input: []message{{"system", system}, {"user", user}}, Tools: functions(task.Tools)}
	}
	text, err := jsontext.Marshal(r, "")
	return append(text, '\n'), err
}

func functions(list []spec.Tool) []function {
	out := make([]function, len(list))
	for i, t := range list {
		out[i] = function{Type: "function", Name: t.Name, Description: t.Description, Parameters: t.Parameters}
	}
	return out
}

// taskID names a task in one text.
func taskID(variant, db string, id bird.ID) string { return variant + "/" + db + "/" + id.String() }
