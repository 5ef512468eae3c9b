// Package recent keeps the values that were used most recently.
package recent

import (
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Cache keeps values by their keys, and drops the least recently used one where
// there are too many. Several goroutines may use it at once. Make it with New.
type Cache[K comparable, V any] struct{ *lru.Cache[K, V] }

// New returns an empty cache of at most size values, which is at least 1.
func New[K comparable, V any](size int) Cache[K, V] {
	c, err := lru.New[K, V](size)
	if err != nil {
		panic(fmt.Sprintf("a cache of %d values: %s", size, err))
	}
	return Cache[K, V]{c}
}

// Put keeps a value unless its key has one, and returns the value that is kept. If two
// goroutines make a value for a key, both go on with the same one.
func (c Cache[K, V]) Put(key K, value V) V {
	if kept, ok, _ := c.PeekOrAdd(key, value); ok {
		return kept
	}
	return value
}
