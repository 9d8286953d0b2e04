// Command etcd-init runs in the init containers of etcd members: the images of etcd have no shell.
//
//	etcd-init wait-dns [--timeout 0s] NAME
//	etcd-init fetch [--timeout 1h] [--sha256 HEX] [--ca FILE] [--token-file FILE] URL FILE
//	etcd-init restore SNAPSHOT FOLDER [FLAG OF etcdutl ...]
package main

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	usage = `Usage:
  etcd-init wait-dns [--timeout 0s] NAME
      waits until NAME has an address; 0s waits for ever
  etcd-init fetch [--timeout 1h] [--sha256 HEX] [--ca FILE] [--token-file FILE] URL FILE
      downloads URL to FILE, which appears only when it is complete
  etcd-init restore SNAPSHOT FOLDER [FLAG ...]
      makes FOLDER a data folder with the content of SNAPSHOT, by "etcdutl snapshot restore" with these flags;
      does nothing if FOLDER exists`
	// Between two attempts.
	pause = time.Second
	// Of one DNS query, and of the silence of a server that sends a file.
	patience = 30 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch args[0] {
	case "wait-dns":
		return waitDNS(ctx, args[1:])
	case "fetch":
		return fetch(ctx, args[1:])
	case "restore":
		return restore(ctx, args[1:])
	case "help", "--help", "-h":
		fmt.Println(usage)
		return nil
	default:
		return fmt.Errorf("Unknown command %q\n%s", args[0], usage)
	}
}

func waitDNS(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("wait-dns", flag.ContinueOnError)
	timeout := flags.Duration("timeout", 0, "0s waits for ever")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New(usage)
	}
	name := flags.Arg(0)
	if *timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *timeout)
		defer cancel()
	}
	reported := ""
	for {
		attempt, cancel := context.WithTimeout(ctx, patience)
		addresses, err := net.DefaultResolver.LookupHost(attempt, name)
		cancel()
		if err == nil && len(addresses) > 0 {
			fmt.Printf("%s has the addresses %s\n", name, strings.Join(addresses, ", "))
			return nil
		}
		if err == nil {
			err = errors.New("no addresses")
		}
		// A change is reported, not each of hundreds of attempts.
		if err.Error() != reported {
			fmt.Printf("Waiting for %s: %v\n", name, err)
			reported = err.Error()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("Cannot resolve %s within %s: %w", name, *timeout, err)
		case <-time.After(pause):
		}
	}
}

func fetch(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("fetch", flag.ContinueOnError)
	timeout := flags.Duration("timeout", time.Hour, "for all attempts")
	digest := flags.String("sha256", "", "expected digest of the file, in hexadecimal digits")
	ca := flags.String("ca", "", "file with the certificates that sign the server's")
	tokenFile := flags.String("token-file", "", "file with a bearer token")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		return errors.New(usage)
	}
	client, err := clientFor(*ca)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	download := download{client: client, url: flags.Arg(0), file: flags.Arg(1), digest: strings.ToLower(*digest), tokenFile: *tokenFile}
	for {
		size, err := download.attempt(ctx)
		if err == nil {
			fmt.Printf("Downloaded %d bytes to %s\n", size, download.file)
			return nil
		}
		var final finalError
		if errors.As(err, &final) {
			return err
		}
		fmt.Printf("Trying again: %v\n", err)
		select {
		case <-ctx.Done():
			return fmt.Errorf("Cannot download %s within %s: %w", download.url, *timeout, err)
		case <-time.After(pause):
		}
	}
}

func clientFor(ca string) (*http.Client, error) {
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		ResponseHeaderTimeout: patience,
		DialContext:           (&net.Dialer{Timeout: patience}).DialContext,
	}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, err
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s contains no certificate", ca)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	// A redirect would carry the token elsewhere.
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: noRedirect}, nil
}

// finalError is an error that another attempt does not change.
type finalError struct{ error }

type download struct {
	client                       *http.Client
	url, file, digest, tokenFile string
}

func (d download) attempt(parent context.Context) (int64, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url, nil)
	if err != nil {
		return 0, finalError{err}
	}
	if d.tokenFile != "" {
		// Read for each attempt: a projected token is rotated.
		token, err := os.ReadFile(d.tokenFile)
		if err != nil {
			return 0, finalError{err}
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	response, err := d.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		reason, _ := io.ReadAll(io.LimitReader(response.Body, 1024))
		err := fmt.Errorf("GET %s: %s: %s", d.url, response.Status, strings.TrimSpace(string(reason)))
		if response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests {
			return 0, finalError{err}
		}
		return 0, err
	}
	return d.save(response, cancel)
}

// save writes the body to a temporary file, verifies it, and renames it: a file of that name is complete.
func (d download) save(response *http.Response, cancel context.CancelFunc) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(d.file), 0o700); err != nil {
		return 0, finalError{err}
	}
	unfinished := d.file + ".part"
	file, err := os.OpenFile(unfinished, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, finalError{err}
	}
	defer os.Remove(unfinished)
	defer file.Close()
	hash := sha256.New()
	silence := time.AfterFunc(patience, cancel)
	defer silence.Stop()
	size, err := io.Copy(io.MultiWriter(file, hash), &alive{response.Body, silence})
	if err != nil {
		return 0, err
	}
	if response.ContentLength >= 0 && size != response.ContentLength {
		return 0, fmt.Errorf("GET %s: %d of %d bytes arrived", d.url, size, response.ContentLength)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); d.digest != "" && got != d.digest {
		return 0, finalError{fmt.Errorf("%s has the SHA-256 %s instead of %s", d.url, got, d.digest)}
	}
	if err := file.Sync(); err != nil {
		return 0, finalError{err}
	}
	if err := os.Rename(unfinished, d.file); err != nil {
		return 0, finalError{err}
	}
	return size, nil
}

// restore can be repeated: the folder appears only when it is complete, and is not touched again.
func restore(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return errors.New(usage)
	}
	snapshot, folder, flags := args[0], filepath.Clean(args[1]), args[2:]
	if _, err := os.Stat(folder); err == nil {
		fmt.Printf("%s exists: nothing is restored\n", folder)
		return nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	unfinished := folder + ".restoring"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "etcdutl", append([]string{"snapshot", "restore", snapshot, "--data-dir", unfinished}, flags...)...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("Cannot restore %s: etcdutl: %w", snapshot, err)
	}
	return os.Rename(unfinished, folder)
}

// alive restarts a timer with each read that returns.
type alive struct {
	reader io.Reader
	timer  *time.Timer
}

func (a *alive) Read(p []byte) (int, error) {
	n, err := a.reader.Read(p)
	a.timer.Reset(patience)
	return n, err
}
