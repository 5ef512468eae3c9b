package chatapi

import (
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/birdcall/birdcall/internal/federation/retry"
)

// backoff returns how long to wait after a failed attempt, counted from 1: twice
// as long each time, and between half of it and all of it, so that requests that
// failed together do not come back together. It depends on the seed and the
// request alone.
func (c *Client) backoff(body []byte, attempt int) time.Duration {
	d := retry.Wait(c.opts.FirstWait, c.opts.MaxWait, attempt)
	h := fnv.New64a()
	h.Write(body)
	random := rand.New(rand.NewPCG(c.opts.Seed, h.Sum64()+uint64(attempt)))
	return d/2 + time.Duration(random.Float64()*float64(d/2))
}
