package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// errIll says that the service does not answer as it should.
var errIll = errors.New("the service is not healthy")

// healthcheck asks a running service how it is. It is for containers, which
// have no other program to ask with.
func healthcheck(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask the service at --admin-addr or else --addr whether it is healthy",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			flag, addr := "--addr", f.addr
			if f.adminAddr != "" {
				flag, addr = "--admin-addr", f.adminAddr
			}
			host, port, err := net.SplitHostPort(addr)
			if err != nil {
				return fmt.Errorf("%s: %w", flag, err)
			}
			if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
				host = "127.0.0.1"
			}
			client := &http.Client{Timeout: 2 * time.Second}
			req, err := http.NewRequestWithContext(c.Context(), http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
			if err != nil {
				return err
			}
			resp, err := client.Do(req)
			if err != nil {
				return fmt.Errorf("%w: %w", errIll, err)
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				return fmt.Errorf("%w: status %d", errIll, resp.StatusCode)
			}
			return nil
		},
	}
}
