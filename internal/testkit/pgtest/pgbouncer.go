package pgtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// Bouncer starts PgBouncer before the server, with connections that are shared
// between transactions, and returns its address. It ends with the test. Where
// there is no PgBouncer, the test is skipped and says so.
func (s *Server) Bouncer(t testing.TB) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("needs pgbouncer")
	}
	port := freePort(t)
	config := filepath.Join(s.folder, "pgbouncer.ini")
	users := filepath.Join(s.folder, "users.txt")
	if err := os.WriteFile(users, []byte("\"reader\" \"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`[databases]
* = host=127.0.0.1 port=%d
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = trust
auth_file = %s
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`, s.Port, port, users)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := s.Command(program, config)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	address := "127.0.0.1:" + strconv.Itoa(port)
	Wait(t, "PgBouncer listens", func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close() // it was opened to see that it can be
		}
		return err == nil
	})
	return address
}
