package postgres

import "context"

// Ping checks that the server of an id answers. It repeats failures that may pass, for
// a second at most and until ctx ends. It does not look for the schema of the id.
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
