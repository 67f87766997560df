package main

import (
	"crypto/x509"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gomokud/internal/store/redistest"
)

// secured starts a Redis that speaks TLS, too, and returns its URL and the file with
// the certificate that its callers must trust.
func secured(t *testing.T) (url, trusted string) {
	t.Helper()
	lent := httptest.NewTLSServer(nil) // has a certificate for 127.0.0.1
	lent.Close()
	pair := lent.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	trusted, secret := filepath.Join(folder, "certificate.pem"), filepath.Join(folder, "key.pem")
	for name, block := range map[string]*pem.Block{
		trusted: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]},
		secret:  {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	addr := freeAddr(t)
	_, port, _ := net.SplitHostPort(addr)
	redistest.Start(t, "--tls-port", port, "--tls-auth-clients", "no",
		"--tls-cert-file", trusted, "--tls-key-file", secret, "--tls-ca-cert-file", trusted)
	return "rediss://" + addr, trusted
}

// Games are played over TLS by who trusts the certificate, and by nobody else.
func TestTheStoreMayBeBehindTLS(t *testing.T) {
	url, trusted := secured(t)
	cmd, _, _, said := program(t, "serve", "--addr", "127.0.0.1:0", "--store", url)
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(said.String(), "certificate") {
		t.Errorf("who does not trust it serves: %v\n%s", err, said)
	}

	t.Setenv("SSL_CERT_FILE", trusted)
	results := benched(t, "--scenario=closed", "--games=2", "--moves=100", "--store", url).Scenarios[0].Results
	if ours := results[len(results)-1]; ours.Service != "gomokud" || ours.Play == nil || ours.Play.Moves < 100 {
		t.Errorf("played over TLS: %+v", ours)
	}
}
