package postgres

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// everyDatabase is the path of a URL that means a database for each id.
const everyDatabase = "{db}"

// execMode is pgx's parameter for how statements are sent. Here it says whether
// connections may keep statements prepared by name. Poolers that share connections
// between transactions may not allow that.
const execMode = "default_query_exec_mode"

// parameters lists what a URL may set besides hosts, user and database. Any other
// parameter would be a run-time parameter, which a pooler loses.
var parameters = []string{
	"host", "port", "user", "database", "dbname", "passfile", "service", "servicefile", "connect_timeout", "application_name", "target_session_attrs",
	"sslmode", "sslrootcert", "sslcert", "sslkey", "sslcertmode", "sslnegotiation", "sslsni", "channel_binding", "require_auth", "krbspn", "krbsrvname",
}

// target is what a URL says.
type target struct {
	config  *pgconn.Config
	each    bool   // a database for each id, rather than a schema
	unnamed bool   // statements are not kept prepared
	shown   string // the URL, for messages
}

// connectWait bounds the time to connect to one host, where the URL has no
// connect_timeout.
const connectWait = 2 * time.Second

// parseURL reads a URL. Errors do not contain the refused text, which may have a
// password.
func parseURL(text string) (*target, error) {
	refuse := func(format string, args ...any) error {
		return &Error{Op: "open", Database: "the server", Err: fmt.Errorf("%w: "+format, append([]any{ErrURL}, args...)...),
			Hint: "give postgres://user@host/database, or postgres://user@host/{db} for a database per id"}
	}
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || !slices.Contains(schemes, scheme) {
		return nil, refuse("it does not start with postgres://")
	}
	// A password with one of these signs would be parsed as other parts of the URL,
	// which may be shown.
	if at := strings.IndexAny(rest, "/?#"); at >= 0 && strings.ContainsAny(rest[at:], "@#") {
		return nil, refuse("after the host there is an @ or a #; in the name of a database, write %%40 or %%23")
	}
	rest, query, _ := strings.Cut(rest, "?")
	authority, name, _ := strings.Cut(rest, "/")
	user, hosts := "", authority
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, hosts = authority[:at], authority[at+1:]
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, refuse("what follows the question mark cannot be read")
	}
	if strings.Contains(user, ":") || values.Has("password") || values.Has("sslpassword") {
		return nil, &Error{Op: "open", Database: "the server", Err: ErrPassword,
			Hint: "leave it out, and give it in the environment as PGPASSWORD, or in a file that PGPASSFILE names"}
	}
	t := &target{each: name == everyDatabase || name == url.PathEscape(everyDatabase), shown: text}
	if t.each {
		name = "postgres" // each id replaces it
	}
	switch mode := values.Get(execMode); mode {
	case "", "cache_statement":
	case "exec", "simple_protocol", "cache_describe", "describe_exec":
		t.unnamed = true
	default:
		return nil, refuse("%s is none of cache_statement, cache_describe, describe_exec, exec and simple_protocol", execMode)
	}
	values.Del(execMode)
	plain := "postgres://"
	if user != "" {
		plain += user + "@"
	}
	plain += hosts + "/" + name
	if len(values) > 0 {
		plain += "?" + values.Encode()
	}
	t.config, err = pgconn.ParseConfigWithOptions(plain, pgconn.ParseConfigOptions{ConnStringAllowedKeys: parameters})
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			return nil, refuse("%w", cause)
		}
		return nil, refuse("it has a parameter that is not one of %s", strings.Join(parameters, ", "))
	}
	if t.config.ConnectTimeout == 0 || t.config.ConnectTimeout > time.Minute {
		t.config.ConnectTimeout = connectWait
	}
	application := t.config.RuntimeParams["application_name"]
	if application == "" {
		application = "birdcall"
	}
	// A pooler would refuse or lose other settings from the environment.
	t.config.RuntimeParams = map[string]string{"application_name": application, "client_encoding": "UTF8"}
	t.config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler { return &canceller{conn: c} }
	return t, nil
}

// weak returns a remote host whose connection does not require verify-full, or "".
func (t *target) weak() string {
	verified := map[string]bool{}
	look := func(host string, isVerified bool) {
		if was, ok := verified[host]; ok {
			isVerified = isVerified && was
		}
		verified[host] = isVerified
	}
	look(t.config.Host, t.config.TLSConfig != nil && !t.config.TLSConfig.InsecureSkipVerify)
	for _, f := range t.config.Fallbacks {
		look(f.Host, f.TLSConfig != nil && !f.TLSConfig.InsecureSkipVerify)
	}
	for _, host := range t.hosts() {
		if !verified[host] && !isLoopback(host) {
			return host
		}
	}
	return ""
}

// hosts returns the hosts in their order.
func (t *target) hosts() []string {
	hosts := []string{t.config.Host}
	for _, f := range t.config.Fallbacks {
		hosts = append(hosts, f.Host)
	}
	return hosts
}

// isLoopback reports whether a host is this computer, by its name or address.
func isLoopback(host string) bool {
	if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
