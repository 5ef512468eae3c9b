package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Server is a Postgres server of a test.
type Server struct {
	Port   int
	folder string
	bin    string
	t      testing.TB
}

// Start makes a server and starts it. It has a superuser postgres and a database
// of that name, and trusts whoever connects. It ends with the test.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := prepare(t)
	s.initialize()
	s.configure(append([]string{"fsync=off", "max_connections=40", "wal_level=replica", "max_wal_senders=4", "hot_standby=on"}, settings...))
	s.Start()
	return s
}

// Standby starts another server that follows s. Where there is no pg_basebackup, the
// test is skipped and says so.
func (s *Server) Standby() *Server {
	s.t.Helper()
	if !isProgram(filepath.Join(s.bin, "pg_basebackup")) {
		s.t.Skip("needs pg_basebackup of Postgres")
	}
	other := prepare(s.t)
	other.do("pg_basebackup", "-D", other.data(), "-h", "127.0.0.1", "-p", strconv.Itoa(s.Port), "-U", "postgres", "-R", "-c", "fast")
	other.configure(nil)
	other.Start()
	return other
}

// prepare finds the programs, a folder and a port.
func prepare(t testing.TB) *Server {
	t.Helper()
	bin := Find()
	if bin == "" {
		t.Skip("needs initdb and pg_ctl of Postgres, in the PATH or in /usr/lib/postgresql")
	}
	if os.Geteuid() == 0 && !canDrop() {
		t.Skip("Postgres does not run as root, and there is no setpriv or no user postgres to run it as")
	}
	// The folders of testing are closed to other users, and sockets want short names.
	folder, err := os.MkdirTemp("", "pgtest")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) }) // in the folder for such files
	if os.Geteuid() == 0 {
		own(t, folder)
	}
	return &Server{Port: freePort(t), folder: folder, bin: bin, t: t}
}

// Find returns the folder of Postgres' programs, "" if there is none.
func Find() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is valid
	sort.Slice(found, func(i, j int) bool { return version(found[i]) > version(found[j]) })
	for _, folder := range append(found, filepath.SplitList(os.Getenv("PATH"))...) {
		if isProgram(filepath.Join(folder, "initdb")) && isProgram(filepath.Join(folder, "pg_ctl")) {
			return folder
		}
	}
	return ""
}

// version returns the number in /usr/lib/postgresql/15/bin.
func version(folder string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder))) // 0 comes last
	return n
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// canDrop reports whether root can run a program as the user postgres.
func canDrop() bool {
	_, err := exec.LookPath("setpriv")
	if err != nil {
		return false
	}
	_, err = user.Lookup("postgres")
	return err == nil
}

// own gives a folder to the user postgres.
func own(t testing.TB, folder string) {
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid) // numbers on Unix
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(folder, uid, gid); err != nil {
		t.Fatal(err)
	}
}

func freePort(t testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing was sent
	return l.Addr().(*net.TCPAddr).Port
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// Folder returns the folder that the server may write to.
func (s *Server) Folder() string { return s.folder }

// Command returns a command that runs as the user that the server runs as.
func (s *Server) Command(name string, args ...string) *exec.Cmd {
	if os.Geteuid() == 0 {
		args = append([]string{"--reuid=postgres", "--regid=postgres", "--init-groups", "--", name}, args...)
		name = "setpriv"
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = s.folder
	return cmd
}

// do runs one of Postgres' programs.
func (s *Server) do(program string, args ...string) {
	s.t.Helper()
	if err := s.try(program, args...); err != nil {
		s.t.Fatal(err)
	}
}

// try is do for what may fail. The output goes to a file: a server would keep a
// pipe open.
func (s *Server) try(program string, args ...string) error {
	log, err := os.CreateTemp("", "pgtest")
	if err != nil {
		return err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	cmd := s.Command(filepath.Join(s.bin, program), args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name()) // "" if it cannot be read
		return fmt.Errorf("%s: %w: %s", program, err, said)
	}
	return nil
}

// configure appends settings to those of the server.
func (s *Server) configure(settings []string) {
	s.t.Helper()
	settings = append(settings, fmt.Sprintf("port=%d", s.Port), "listen_addresses='127.0.0.1'", "unix_socket_directories='"+s.folder+"'")
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Join(settings, "\n") + "\n"); err != nil {
		s.t.Fatal(err)
	}
}

// Start starts a server that was stopped.
func (s *Server) Start() {
	s.t.Helper()
	s.do("pg_ctl", "-D", s.data(), "-l", filepath.Join(s.folder, "log"), "-w", "-t", "60", "start")
	s.t.Cleanup(func() { _ = s.try("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop") }) // it may be stopped already
}

// Stop stops the server at once, as a crash does.
func (s *Server) Stop() {
	s.t.Helper()
	s.do("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop")
}

// Log returns the server's own log.
func (s *Server) Log() string {
	text, _ := os.ReadFile(filepath.Join(s.folder, "log")) // "" if there is none
	return string(text)
}

// URL returns the URL of a database for a user, with parameters such as
// ?sslmode=disable.
func (s *Server) URL(user, database, parameters string) string {
	return "postgres://" + user + "@" + s.Host() + "/" + database + parameters
}

// Host returns the address.
func (s *Server) Host() string { return "127.0.0.1:" + strconv.Itoa(s.Port) }

// Wait calls f until it returns true, and fails the test when it does not for
// long.
func Wait(t testing.TB, what string, f func() bool) {
	t.Helper()
	for range 1000 {
		if f() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited too long until %s", what)
}

// Exec runs statements as the superuser.
func (s *Server) Exec(sql string) {
	s.t.Helper()
	s.Ask(sql)
}

// Ask runs statements as the superuser and returns the rows of the last one, a
// line each.
func (s *Server) Ask(sql string) string {
	s.t.Helper()
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, s.URL("postgres", "postgres", "?sslmode=disable"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = c.Close(ctx) }() // the answer is there
	results, err := c.Exec(ctx, sql).ReadAll()
	if err != nil {
		s.t.Fatalf("%v\n%s", err, sql)
	}
	var lines []string
	for _, row := range results[len(results)-1].Rows {
		lines = append(lines, string(bytes.Join(row, []byte(" | "))))
	}
	return strings.Join(lines, "\n")
}
