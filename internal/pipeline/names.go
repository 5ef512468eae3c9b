package pipeline

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/outdir"
)

// reportFile holds the report.
const reportFile = "report.json"

// What the files of a database end in, besides the records'.
const (
	toolsEnd       = ".tools.json"
	openAPIEnd     = ".openapi.json"
	obfuscationEnd = ".obfuscation.json"
)

// checkNames reports databases whose files would have the names of others.
func (w *writer) checkNames() error {
	const ours = "convert itself"
	writers := map[string]string{
		reportFile: ours, examplesFile + ".json": ours, examplesFile + obfuscationEnd: ours, allFile: ours,
		outdir.ListFile: ours,
	}
	for _, db := range w.opts.Dataset.Databases {
		for _, end := range []string{w.how.Format.Ext(), toolsEnd, openAPIEnd, obfuscationEnd} {
			name := db.ID + end
			if other, ok := writers[name]; ok {
				return fmt.Errorf("the database %q and %s would both write %s; rename the database", db.ID, other, name)
			}
			writers[name] = fmt.Sprintf("%q", db.ID)
		}
	}
	return nil
}
