package pipeline

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/artifact/outdir"
)

// openAPIEnd is what the file with a database's OpenAPI document ends in. The
// names of files that programs read again are those of package folder.
const openAPIEnd = ".openapi.json"

// checkNames reports databases whose files would have the names of others.
func (w *writer) checkNames() error {
	const ours = "convert itself"
	writers := map[string]string{
		folder.ReportFile: ours, folder.ExamplesFile: ours, examplesName + folder.ObfuscationEnd: ours, allFile: ours,
		outdir.ListFile: ours,
	}
	for _, db := range w.opts.Dataset.Databases {
		for _, end := range []string{w.how.Format.Ext(), folder.ToolsEnd, openAPIEnd, folder.ObfuscationEnd} {
			name := db.ID + end
			if other, ok := writers[name]; ok {
				return fmt.Errorf("the database %q and %s would both write %s; rename the database", db.ID, other, name)
			}
			writers[name] = fmt.Sprintf("%q", db.ID)
		}
	}
	return nil
}
