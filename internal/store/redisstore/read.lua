#!lua flags=no-writes
-- Reads the end of a room's log.
-- KEYS  log, room
-- ARGV  1 how many events to leave out
-- Returns epoch, version, events; nil if there is no such room.
local version = redis.call('LLEN', KEYS[1])
if version == 0 then
  return false
end
return {
  redis.call('HGET', KEYS[2], 'epoch') or '',
  version,
  redis.call('LRANGE', KEYS[1], ARGV[1], -1),
}
