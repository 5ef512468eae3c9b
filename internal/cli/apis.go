package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/pkg/api"
	"github.com/birdcall/birdcall/pkg/bird"
)

// APIs is the flag by which programs find the tables and functions of APIs.
type APIs struct {
	file     string
	declared *api.Declaration
}

// AddFlags adds the flag.
func (a *APIs) AddFlags(set *pflag.FlagSet) {
	set.StringVar(&a.file, "apis", "", "file that declares tables and functions of APIs, which SQL can use beside those of the databases (default: none)")
}

// IsSet reports whether there is such a file.
func (a *APIs) IsSet() bool { return a.file != "" }

// Attach reads the declaration, if there is one, and gives the databases of a dataset
// what it has for them. With some, it may be about other databases, too.
func (a *APIs) Attach(ctx context.Context, d *bird.Dataset, some bool) error {
	if a.file == "" {
		return nil
	}
	var err error
	if a.declared == nil {
		if a.declared, err = api.Load(ctx, a.file, os.LookupEnv); err != nil {
			return err
		}
	}
	if err := d.Attach(a.declared, some); err != nil {
		return fmt.Errorf("%s: %w", a.file, err)
	}
	return nil
}

// Close lets go of the connections to the APIs.
func (a *APIs) Close() {
	if a.declared != nil {
		a.declared.Close()
	}
}
