package brain

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// allowed is what a brain may say.
var allowed = regexp.MustCompile(`^(OK|SWAP|\d+,\d+( \d+,\d+){0,2}|FORBID (\d{4})*\.|name=".*"|(MESSAGE|ERROR|UNKNOWN) \S.*)$`)

// FuzzRun: whatever a manager says, every command is answered as it may be, and
// it ends.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("conversations %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var said bytes.Buffer
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "> "); ok {
				said.WriteString(rest)
			}
		}
		f.Add(said.Bytes())
	}
	for _, text := range []string{
		"", "\r\r\n\n", "\x00\xff\r\nSTART\x0015", "START 5\rBEGIN\rTURN 0,0\r\nTURN 0,1\nEND\nBEGIN",
		"START 15\nSWAP2BOARD\nDONE\nSWAP2BOARD\n7,7\n8,8\n9,9\nDONE\n", "START 25\nYXNBEST 9\nSTOP\nYXSHOWINFO",
		"INFO rule 4\nRECTSTART 5,25\nYXBOARD\n0,0,3\n1,1,1\nDONE\nYXSHOWFORBID\nBEGIN", "BOARD\n1,1,1", strings.Repeat("A", 1<<13),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		var out bytes.Buffer
		if err := Run(context.Background(), config(analyst{engine: first}), bytes.NewReader(said), &out); err != nil {
			t.Fatal(err)
		}
		answers := 0
		for scan := bufio.NewScanner(&out); scan.Scan(); {
			line := scan.Text()
			if !allowed.MatchString(line) {
				t.Errorf("it says %q", line)
			}
			if !strings.HasPrefix(line, "MESSAGE ") {
				answers++
			}
		}
		if commands := countLines(said); answers > commands {
			t.Errorf("%d answers to %d lines", answers, commands)
		}
	})
}

// countLines counts the lines that are not empty.
func countLines(said []byte) int {
	return len(bytes.FieldsFunc(said, func(r rune) bool { return r == '\r' || r == '\n' }))
}

// TestEveryCommandIsAnswered: lines of their own, each with its one answer.
func TestEveryCommandIsAnswered(t *testing.T) {
	for _, board := range []string{"", "START 15", "START 15\nINFO rule 4\nTURN 7,7"} {
		for _, command := range []string{
			"START 15", "START 1", "START", "RECTSTART 5,9", "RECTSTART", "RESTART", "BEGIN", "TURN 3,3", "TURN x", "PLAY 4,4",
			"TAKEBACK 7,7", "TAKEBACK", "BOARD\nDONE", "BOARD\n1,1,2\nDONE", "BOARD\n1\nDONE", "SWAP2BOARD\nDONE", "SWAP2BOARD\n1,1\nDONE",
			"YXSHOWFORBID", "YXNBEST 2", "YXNBEST", "DONE", "NONSENSE", "ABOUT", "SUGGEST 1,1", "OK",
		} {
			var out bytes.Buffer
			script := strings.TrimPrefix(board+"\n"+command+"\nABOUT\n", "\n")
			if err := Run(context.Background(), config(engine(first)), strings.NewReader(script), &out); err != nil {
				t.Fatal(err)
			}
			want := 2 + map[string]int{"": 0, "START 15": 1}[board]
			if strings.Contains(board, "TURN") {
				want = 4
			}
			if got := countLines(out.Bytes()); got != want {
				t.Errorf("%q: %d answers\n%s", script, got, &out)
			}
		}
	}
}
