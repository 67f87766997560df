package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// saveProfile writes a processor profile of a span of a server's work to a file.
func saveProfile(ctx context.Context, profiler string, span time.Duration, file string) error {
	out, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("save the profile: %w", err)
	}
	seconds := max(1, int(span.Seconds()))
	err = fetch(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", profiler, seconds), out)
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("save the profile: %w", err)
	}
	return nil
}

// collectGarbage has a server collect its garbage: a profile of the heap can be
// asked to begin with that.
func collectGarbage(ctx context.Context, profiler string) error {
	if err := fetch(ctx, "http://"+profiler+"/debug/pprof/heap?gc=1", io.Discard); err != nil {
		return fmt.Errorf("collect garbage: %w", err)
	}
	return nil
}

func fetch(ctx context.Context, url string, to io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, res.Status)
	}
	_, err = io.Copy(to, res.Body)
	return err
}
