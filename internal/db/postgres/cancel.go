package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// cancelWait is how long the server has to end a cancelled statement before the
// connection is given up.
const cancelWait = 2 * time.Second

// arrival is how long a cancel request may take to reach the process that runs the
// statement. The connection is not used meanwhile, because the request could end the
// next statement.
const arrival = 50 * time.Millisecond

// canceller asks the server to end a statement whose context has ended. Unlike pgconn's
// own handler, it repeats the request while the statement goes on, because a request
// that arrives between two statements of a batch ends neither. It also waits for the
// answer if the statement ends first, because PgBouncer 1.18 ends itself when a client
// leaves too early.
type canceller struct {
	conn  *pgconn.PgConn
	ended chan struct{} // closed when the statement has ended
	done  chan struct{} // closed when the asking has ended
}

// HandleCancel implements ctxwatch.Handler.
func (h *canceller) HandleCancel(context.Context) {
	h.ended, h.done = make(chan struct{}), make(chan struct{})
	_ = h.conn.Conn().SetDeadline(time.Now().Add(cancelWait)) // a closed connection has none
	go func() {
		defer close(h.done)
		ctx, cancel := context.WithTimeout(context.Background(), cancelWait)
		defer cancel()
		for {
			_ = h.conn.CancelRequest(ctx) // without it, the deadline ends the connection
			time.Sleep(arrival)
			select {
			case <-h.ended:
				return
			case <-ctx.Done():
				return
			default:
			}
		}
	}()
}

// HandleUnwatchAfterCancel implements ctxwatch.Handler.
func (h *canceller) HandleUnwatchAfterCancel() {
	close(h.ended)
	<-h.done
	_ = h.conn.Conn().SetDeadline(time.Time{}) // as above
}
