package chaos

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if dir := programs.dir; dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// programs are built once, when the first test needs them.
var programs builder

// builder makes the two programs that the suite runs.
type builder struct {
	once    sync.Once
	dir     string
	real    string // gomokud as it is
	skewed  string // gomokud on a machine whose clock can be set wrong
	problem error
}

func (b *builder) build(t testing.TB) {
	t.Helper()
	b.once.Do(func() { b.problem = b.make() })
	if b.problem != nil {
		t.Fatal(b.problem)
	}
}

func (b *builder) make() (err error) {
	if b.dir, err = os.MkdirTemp("", "gomokud-chaos"); err != nil {
		return err
	}
	b.real, b.skewed = filepath.Join(b.dir, "gomokud"), filepath.Join(b.dir, "gomokud-skewed")
	if err := compile("-o", b.real); err != nil {
		return err
	}
	overlay, err := b.overlay()
	if err != nil {
		return fmt.Errorf("prepare a wrong clock: %w", err)
	}
	return compile("-overlay", overlay, "-o", b.skewed)
}

func compile(args ...string) error {
	out, err := exec.Command("go", append(append([]string{"build", "-ldflags=-s -w"}, args...), "gomokud/cmd/gomokud")...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// overlay replaces time.Now, for the compiler only, by one whose wall clock -
// not the monotonic one - is as many seconds off as a file says. Our own
// sources have no switch for that, and a preloaded library would not do: Go
// asks the kernel, not libc.
func (b *builder) overlay() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(folder, "time.go"))
	if err != nil {
		return "", err
	}
	const reading = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {"
	if strings.Count(string(source), reading) != 1 {
		return "", fmt.Errorf("time.Now in %s is not as it was", folder)
	}
	wrong := strings.Replace(string(source), reading, strings.Replace(reading, "\n", "\n\tsec += skew.Load()\n", 1), 1)
	replaced := map[string]string{}
	for name, text := range map[string]string{"time.go": wrong, "skew.go": skewSource} {
		ours := filepath.Join(b.dir, name)
		if err := os.WriteFile(ours, []byte(text), 0o600); err != nil {
			return "", err
		}
		replaced[filepath.Join(folder, name)] = ours
	}
	data, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	name := filepath.Join(b.dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}

// repeated says once more, after the many lines that everybody who ran has said
// at last, what failed.
type repeated struct {
	testing.TB
	failures complaints
}

func repeatAtTheEnd(t testing.TB) testing.TB {
	r := &repeated{TB: t}
	t.Cleanup(func() {
		for _, text := range r.failures.all() {
			t.Logf("failed: %s", text[:min(len(text), 2000)])
		}
	})
	return r
}

func (r *repeated) Errorf(format string, args ...any) {
	r.Helper()
	r.failures.add(format, args...)
	r.TB.Errorf(format, args...)
}

func (r *repeated) Fatalf(format string, args ...any) {
	r.Helper()
	r.failures.add(format, args...)
	r.TB.Fatalf(format, args...)
}

func (r *repeated) Error(args ...any) {
	r.Helper()
	r.failures.add("%s", fmt.Sprint(args...))
	r.TB.Error(args...)
}

func (r *repeated) Fatal(args ...any) {
	r.Helper()
	r.failures.add("%s", fmt.Sprint(args...))
	r.TB.Fatal(args...)
}

// skewVariable names the file for skewSource.
const skewVariable = "CHAOS_SKEW"

const skewSource = `package time

import (
	"sync/atomic"
	"syscall"
)

var skew atomic.Int64 // seconds

func init() {
	if file, set := syscall.Getenv("` + skewVariable + `"); set {
		go func() {
			for ; ; Sleep(20 * Millisecond) {
				readSkew(file)
			}
		}()
	}
}

func readSkew(file string) {
	fd, err := syscall.Open(file, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer syscall.Close(fd)
	var text [16]byte
	n, _ := syscall.Read(fd, text[:])
	value, sign := int64(0), int64(1)
	for _, c := range text[:max(0, n)] {
		if c == '-' {
			sign = -1
		} else if c >= '0' && c <= '9' {
			value = 10*value + int64(c-'0')
		}
	}
	skew.Store(sign * value)
}
`
