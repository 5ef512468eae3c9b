// Package recent keeps the values that were used most lately.
package recent

import (
	"container/list"
	"sync"
)

// Cache keeps values by their keys, and lets go of the one that was used least
// lately where there are too many. Several goroutines may use it at once. Make it
// with New.
type Cache[K comparable, V any] struct {
	most int

	mu    sync.Mutex
	kept  map[K]*list.Element
	order list.List // of entry[K, V], the latest first
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns an empty cache of at most that many values.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, kept: map[K]*list.Element{}}
}

// Len returns how many values are kept.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len()
}

// Get returns the value of a key, and whether it is kept.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.kept[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(entry[K, V]).value, true
}

// Put keeps a value, unless its key has one already, and returns the one that is
// kept: if two goroutines make a value, both go on with the same.
func (c *Cache[K, V]) Put(key K, value V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.kept[key]; e != nil {
		return e.Value.(entry[K, V]).value
	}
	c.kept[key] = c.order.PushFront(entry[K, V]{key, value})
	if c.order.Len() > c.most {
		delete(c.kept, c.order.Remove(c.order.Back()).(entry[K, V]).key)
	}
	return value
}

// Drop lets go of a value.
func (c *Cache[K, V]) Drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.kept[key]; e != nil {
		c.order.Remove(e)
		delete(c.kept, key)
	}
}
