package brain

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

// info is what the manager told us with INFO. The zero info was told nothing.
type info struct {
	clock   clock
	rule    rules.Rule
	strange string // what we have to say of a rule that we do not offer
	memory  int64  // bytes that we may have; 0: no limit
	hash    int64  // bytes that the engine shall have; 0: as many as it likes
	threads int    // 0: as many as it likes
	nodes   int64  // of a search; 0: no bound
	depth   int    // the same
	detail  bool   // show the play that is expected
}

const (
	leastTable = 1 << 20  // bytes
	mostTable  = 1 << 30  // bytes; more than this no manager can make us take
	ourOwn     = 32 << 20 // bytes that we need without a table
)

// tell takes a value over. It is never answered: what is not understood is
// passed over.
func (s *session) tell(l line) {
	key, value, _ := strings.Cut(l.rest, " ")
	key = strings.ToLower(key)
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return // also the folder and the point under the mouse, which we do not need
	}
	switch key {
	case "timeout_turn":
		s.told.clock.turn = millis(max(n, 0))
	case "timeout_match":
		s.told.clock.match = *millis(max(n, 0))
	case "time_left":
		s.told.clock.left = millis(n)
	case "max_memory":
		s.told.memory = max(n, 0)
	case "hash_size":
		s.told.hash = min(max(n, 0), mostTable>>10) << 10
	case "thread_num":
		s.told.threads = int(min(max(n, 0), int64(runtime.NumCPU())))
	case "max_node":
		s.told.nodes = max(n, 0)
	case "max_depth":
		s.told.depth = int(min(max(n, 0), 1<<10))
	case "show_detail":
		s.told.detail = n > 0
	case "rule":
		rule, ok := gomocup.ParseRule(int(min(max(n, -1), 1<<10)))
		if s.told.strange = ""; !ok {
			s.told.strange = fmt.Sprintf("rule %d is not offered; it will be %s", n, rule)
		}
		s.told.rule = rule
	}
}

func millis(n int64) *time.Duration {
	most := forever.Milliseconds()
	d := time.Duration(min(max(n, -most), most)) * time.Millisecond
	return &d
}

// settings is what the engine may have.
func (i *info) settings(cfg Config) Settings {
	memory, threads := cfg.Memory, cfg.Threads
	if i.hash > 0 {
		memory = i.hash
	}
	if i.memory > 0 { // half, as garbage may come to as much as the table
		memory = min(memory, max((i.memory-ourOwn)/2, leastTable))
	}
	if i.threads > 0 {
		threads = i.threads
	}
	return Settings{Memory: memory, Threads: threads}
}
