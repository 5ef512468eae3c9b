package rest

import (
	"cmp"
	"fmt"
	"strings"
)

// The defaults of Options.Prefix and Options.TablesPrefix.
const (
	defaultPrefix       = "/v1/bird"
	defaultTablesPrefix = "/v1/tables"
)

// prefixes returns what paths begin with, without a slash at the end.
func (o Options) prefixes() (endpoints, tables string, err error) {
	endpoints, tables = cmp.Or(o.Prefix, defaultPrefix), cmp.Or(o.TablesPrefix, defaultTablesPrefix)
	for _, prefix := range []*string{&endpoints, &tables} {
		if !strings.HasPrefix(*prefix, "/") || strings.ContainsAny(*prefix, ":*?#%{}\\ ") || strings.Contains(*prefix, "//") {
			return "", "", fmt.Errorf("rest: the prefix %q is no path; write one such as /v1/shop, without wildcards", *prefix)
		}
		*prefix = strings.TrimSuffix(*prefix, "/")
	}
	if endpoints == tables {
		return "", "", fmt.Errorf("rest: endpoints and tables have the same prefix %q; give tables another one", endpoints)
	}
	return endpoints, tables, nil
}
