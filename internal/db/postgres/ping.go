package postgres

import "context"

// Ping asks the server of an id for nothing, to see whether it answers. What may
// pass is tried again, until ctx ends and for a second at most. No schema is
// looked for.
func (s *Source) Ping(ctx context.Context, id string) error {
	d := &DB{id: id, server: s.server(id)}
	err := d.Retry(ctx, func() error {
		_, err := d.server.ask(ctx, "SELECT 1")
		return err
	})
	if err != nil {
		return fail("ping", d.String(), err)
	}
	return nil
}
