package server

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// openAPI opens the databases of the dataset and makes their endpoints. Databases that
// cannot be opened are left out of the dataset, and reported in the log, unless none can.
func openAPI(ctx context.Context, opts *Options) (*rest.API, error) {
	with := rest.Options{
		Connections: opts.Connections, Wait: opts.Wait, Timeout: opts.Timeout, Value: opts.MaxValue, Immutable: opts.Immutable,
		Source: opts.Source, AllowWriter: opts.AllowWriter, Tables: opts.Tables,
		Warn: cli.Once(func(text string) { opts.Logger.Warn("the databases", "warning", text) }),
	}
	api, err := rest.Open(ctx, opts.Dataset, with)
	var failed *rest.OpenError
	if errors.As(err, &failed) && ctx.Err() == nil && len(failed.Failed) < len(opts.Dataset.Databases) {
		opts.Dataset = opts.Dataset.Without(failed.Failed...)
		api, err = rest.Open(ctx, opts.Dataset, with)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range opts.Dataset.Missing {
		opts.Logger.Warn("a database is not served", "database", m.ID, "error", m.Err)
	}
	return api, nil
}

// notFound answers requests of paths that do not exist. Those of a database that could
// not be opened say so.
func notFound(c *gin.Context, dataset *bird.Dataset) {
	parts := strings.Split(strings.TrimPrefix(c.Request.URL.Path, "/"), "/")
	for i, part := range parts {
		if id := strings.TrimSuffix(part, ".json"); i > 0 && dataset.IsMissing(id) {
			rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusServiceUnavailable, Title: "No database",
				Detail: "The database " + id + " could not be opened when the service was started; its log says why."})
			return
		}
	}
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusNotFound, Title: "No such path", Detail: "The paths are listed in /openapi.json."})
}
