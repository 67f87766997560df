package boltstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What was appended is told again after the journal was opened anew, whatever
// the entries' lengths, however often the files took turns, and whatever writes a
// power cut tore.
func TestTheJournalTellsWhatWasAppended(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "journal")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		j := opened(t, dir)
		defer func() { j.close() }()
		var all [][]byte // entry n is all[n-1]
		saved := 0
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				batch := slices.Repeat([]byte{byte(len(all))}, rapid.IntRange(0, 3*pageSize).Draw(t, "length"))
				appendBatch(t, j, len(all)+1, batch)
				all = append(all, batch)
				j.takeTurns(uint64(saved))
			},
			"save": func(t *rapid.T) { saved = rapid.IntRange(saved, len(all)).Draw(t, "saved") },
			"open anew": func(t *rapid.T) {
				j = openedAnew(t, j, dir)
				wantAll(t, j, saved, all)
			},
			"power cut": func(t *rapid.T) {
				before := j.files[j.now]
				batch := bytes.Repeat([]byte{0xff}, rapid.IntRange(1, 3*pageSize).Draw(t, "length"))
				appendBatch(t, j, len(all)+1, batch)
				torn := make([]byte, pageSize)
				page := rapid.Int64Range(0, pages(len(batch))/pageSize-1).Draw(t, "page")
				if _, err := before.WriteAt(torn, before.end+page*pageSize); err != nil {
					t.Fatal(err)
				}
				j = openedAnew(t, j, dir)
				wantAll(t, j, saved, all)
			},
		})
	})
}

func openedAnew(t *rapid.T, j *journal, dir string) *journal {
	t.Helper()
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	return opened(t, dir)
}

func wantAll(t *rapid.T, j *journal, saved int, all [][]byte) {
	t.Helper()
	told, err := replayed(j, saved)
	if err != nil {
		t.Fatal(err)
	}
	if want := all[saved:]; !slices.EqualFunc(told, want, bytes.Equal) {
		t.Fatalf("%d entries were told after %d, want %d", len(told), saved, len(want))
	}
}

// A write that a power cut tore is no entry: all before it are there, and the
// next one takes its place.
func TestATornWriteIsTheEnd(t *testing.T) {
	const torn = 3*pageSize - headerSize
	for page := range int64(3) {
		for name, tear := range map[string]func([]byte){
			"zeros":         func(b []byte) { clear(b) },
			"half is there": func(b []byte) { clear(b[pageSize/2:]) },
			"other bytes":   func(b []byte) { copy(b, bytes.Repeat([]byte{7}, pageSize)) },
		} {
			t.Run(fmt.Sprintf("page %d %s", page, name), func(t *testing.T) {
				dir := t.TempDir()
				j := opened(t, dir)
				appendBatch(t, j, 1, []byte("first"))
				appendBatch(t, j, 2, []byte("second"))
				appendBatch(t, j, 3, bytes.Repeat([]byte("x"), torn))
				damage(t, j, (2+page)*pageSize, tear)

				j = opened(t, dir)
				wantTold(t, j, 0, "first", "second")
				appendBatch(t, j, 3, []byte("again"))
				wantTold(t, opened(t, dir), 0, "first", "second", "again")
			})
		}
	}
}

func TestDamageBeforeTheEndIsNoticed(t *testing.T) {
	flip := func(b []byte) { b[headerSize] ^= 1 }
	for name, c := range map[string]struct {
		turn    int64 // of the files
		entry   int64 // of the file, that is damaged
		told    int
		corrupt bool
	}{
		"in the file that is written":  {turn: 1 << 20, entry: 1, corrupt: true},
		"its first entry":              {turn: 1 << 20, entry: 0, corrupt: true},
		"the last is as good as torn":  {turn: 1 << 20, entry: 5, told: 5},
		"at the end of the other file": {turn: 3 * pageSize, entry: 2, corrupt: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			j := opened(t, dir)
			j.turn = c.turn
			for n := 1; n <= 6; n++ {
				appendBatch(t, j, n, fmt.Append(nil, "entry ", n))
				if n == 3 {
					j.takeTurns(0)
				}
			}
			j.now = 0
			damage(t, j, c.entry*pageSize, flip)
			told, err := replayed(opened(t, dir), 0)
			if errors.Is(err, errCorrupt) != c.corrupt || !c.corrupt && (err != nil || len(told) != c.told) {
				t.Errorf("%d entries were told, error %v", len(told), err)
			}
		})
	}
}

// After a failed write the next entry takes its place, also if what failed is on
// the disk after all.
func TestAFailedWriteIsWrittenOver(t *testing.T) {
	dir := t.TempDir()
	j := opened(t, dir)
	appendBatch(t, j, 1, []byte("first"))
	before := j.files[0]
	appendBatch(t, j, 2, bytes.Repeat([]byte("failed"), pageSize))
	j.files[0].end, j.files[0].last = before.end, before.last
	appendBatch(t, j, 2, []byte("second"))
	appendBatch(t, j, 3, []byte("third"))
	wantTold(t, opened(t, dir), 0, "first", "second", "third")
}

func TestTheFilesKeepTheirLength(t *testing.T) {
	j := opened(t, t.TempDir())
	j.turn = growth
	turns := 0
	for n := 1; n <= 5*growth/pageSize; n++ {
		appendBatch(t, j, n, []byte("x"))
		if j.takeTurns(uint64(n)) {
			turns++
		}
	}
	if turns != 5 {
		t.Errorf("the files took turns %d times", turns)
	}
	for _, f := range j.files {
		if info, err := f.Stat(); err != nil || info.Size() != growth {
			t.Errorf("%s has %d bytes, %v", f.Name(), info.Size(), err)
		}
	}
}

// A file does not take its turn while the database lacks something that it holds.
func TestNothingUnsavedIsWrittenOver(t *testing.T) {
	j := opened(t, t.TempDir())
	j.turn = 1
	for n, c := range []struct {
		saved uint64
		turns bool
	}{{0, true}, {0, false}, {0, false}, {1, true}, {1, false}, {3, false}, {4, true}} {
		appendBatch(t, j, n+1, []byte("x"))
		if got := j.takeTurns(c.saved); got != c.turns {
			t.Errorf("after entry %d, with %d saved: takes turns %v", n+1, c.saved, got)
		}
	}
}

func FuzzReplay(f *testing.F) {
	dir := f.TempDir()
	j := opened(f, dir)
	for n := 1; n <= 4; n++ {
		appendBatch(f, j, n, fmt.Append(nil, "entry ", n))
	}
	content, err := os.ReadFile(j.files[0].Name())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content[:5*pageSize], []byte(nil), uint64(0))
	f.Add(content[:2*pageSize], content[2*pageSize:5*pageSize], uint64(1))
	f.Add(content[:2*pageSize+9], content[3*pageSize:4*pageSize], uint64(2))
	f.Fuzz(func(t *testing.T, a, b []byte, after uint64) {
		dir := t.TempDir()
		for i, content := range [][]byte{a, b} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("journal-", i)), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		j := opened(t, dir)
		told, err := replayed(j, int(after%100))
		if err != nil && !errors.Is(err, errCorrupt) {
			t.Fatalf("%d entries, then %v", len(told), err)
		}
	})
}

// testingT is what testing.TB and *rapid.T have in common.
type testingT interface {
	Helper()
	Fatal(...any)
}

// opened is a journal whose files take turns at two pages.
func opened(t testingT, dir string) *journal {
	t.Helper()
	j, err := openJournal(dir, 2*pageSize, true)
	if err != nil {
		t.Fatal(err)
	}
	if t, ok := t.(testing.TB); ok {
		t.Cleanup(func() { j.close() })
	}
	return j
}

func appendBatch(t testingT, j *journal, seq int, batch []byte) {
	t.Helper()
	if err := j.append(uint64(seq), func(b []byte) []byte { return append(b, batch...) }); err != nil {
		t.Fatal(err)
	}
}

// replayed is what the journal tells, of numbers that follow one another.
func replayed(j *journal, after int) (told [][]byte, err error) {
	err = j.replay(uint64(after), func(seq uint64, batch []byte) error {
		if want := uint64(after + len(told) + 1); seq != want {
			return fmt.Errorf("number %d, want %d", seq, want)
		}
		told = append(told, batch)
		return nil
	})
	return told, err
}

func wantTold(t *testing.T, j *journal, after int, want ...string) {
	t.Helper()
	told, err := replayed(j, after)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(told, want, func(b []byte, s string) bool { return string(b) == s }) {
		t.Errorf("the journal tells %q, want %q", told, want)
	}
}

// damage changes a page of the file that is written.
func damage(t *testing.T, j *journal, at int64, change func([]byte)) {
	t.Helper()
	page := make([]byte, pageSize)
	f := j.files[j.now]
	if _, err := f.ReadAt(page, at); err != nil {
		t.Fatal(err)
	}
	change(page)
	if _, err := f.WriteAt(page, at); err != nil {
		t.Fatal(err)
	}
}
