#!lua
-- Removes a ticket and forgets a pairing. Of one that is settled stays that what
-- was begun before does not go on.
-- KEYS  ticket, pairing
-- ARGV  1 player  2 beginning of the queue keys
local value = redis.call('GET', KEYS[1])
if value then
  redis.call('ZREM', ARGV[2] .. cmsgpack.unpack(value).queue, ARGV[1])
end
redis.call('DEL', KEYS[1])

value = redis.call('GET', KEYS[2])
local known = value and cmsgpack.unpack(value)
if known and known.settled then
  known.since, known.room, known.opponent = 0, '', nil
  redis.call('SET', KEYS[2], cmsgpack.pack(known), 'KEEPTTL')
else
  redis.call('DEL', KEYS[2])
end
return 0
