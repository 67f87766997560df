package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// journal keeps the events of a relay's rooms in Redis: the least that makes a
// relay durable. Each is appended by compare-and-append, all of them through
// one pipeline, set up as the real store's.
type journal struct {
	client   *redis.Client
	pipeline *redis.AutoPipeliner
	script   string // its digest
}

// appendScript appends an event to a list that has the expected length.
// KEYS: the list. ARGV: the length, the event. Returns the new length, or 0.
const appendScript = `
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
return redis.call('RPUSH', KEYS[1], ARGV[2])`

// openJournal connects to the server of a redis:// URL.
func openJournal(ctx context.Context, url string) (*journal, error) {
	opts, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("open the journal: not a redis:// URL") // which may hold a password
	}
	j := &journal{client: redis.NewClient(opts)}
	j.pipeline, err = j.client.AsyncAutoPipelineWithOptions(&redis.AutoPipelineOptions{
		MaxBatchSize: 300, MaxConcurrentBatches: 1, MaxQueuedCommands: 16 << 10,
	})
	if err == nil {
		j.script, err = j.client.ScriptLoad(ctx, appendScript).Result()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the journal: %w", err), j.close())
	}
	return j, nil
}

func (j *journal) close() error {
	var err error
	if j.pipeline != nil {
		err = j.pipeline.Close()
	}
	return errors.Join(err, j.client.Close())
}

func journalKey(room string) string { return "gomokud-bench:" + room }

// begin empties the log of a room, which an earlier run may have left.
func (j *journal) begin(ctx context.Context, room string) error {
	return j.run(ctx, redis.NewCmd(ctx, "del", journalKey(room)))
}

// append adds an event to the log of a room that holds the expected number.
func (j *journal) append(ctx context.Context, room string, expected int, event []byte) error {
	cmd := redis.NewIntCmd(ctx, "evalsha", j.script, 1, journalKey(room), expected, event)
	if err := j.run(ctx, cmd); err != nil {
		return fmt.Errorf("append to the journal: %w", err)
	}
	if got := cmd.Val(); got != int64(expected)+1 {
		return fmt.Errorf("append to the journal: the room has not %d events", expected)
	}
	return nil
}

// read returns all events of a room.
func (j *journal) read(ctx context.Context, room string) ([]string, error) {
	cmd := redis.NewStringSliceCmd(ctx, "lrange", journalKey(room), 0, -1)
	if err := j.run(ctx, cmd); err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return cmd.Val(), nil
}

func (j *journal) run(ctx context.Context, cmd redis.Cmder) error {
	return j.pipeline.Submit(ctx, cmd).WaitContext(ctx)
}

// eventOf is the part of a message that is kept: the event, as a real log has
// it, without what is only for who is shown it.
func eventOf(message []byte) []byte {
	_, rest, found := bytes.Cut(message, []byte(`"events":[`))
	event, _, ended := bytes.Cut(rest, []byte(`],"view":`))
	if !found || !ended {
		return message
	}
	return event
}
