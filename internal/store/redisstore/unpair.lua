#!lua
-- Withdraws a ticket and forgets a pairing.
-- KEYS  ticket, pairing
-- ARGV  1 player  2 beginning of the queue keys
local value = redis.call('GET', KEYS[1])
if value then
  redis.call('ZREM', ARGV[2] .. cmsgpack.unpack(value).queue, ARGV[1])
end
redis.call('DEL', KEYS[1], KEYS[2])
return 0
