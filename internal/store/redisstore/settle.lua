#!lua
-- Notes that a player knows what a search led to, or that the player withdraws:
-- one begun later is a new one.
-- KEYS  pairing, ticket
-- ARGV  1 room, or '' to withdraw  2 now (ms)  3 player
--       4 beginning of the queue keys  5 how long a withdrawal is kept (ms)
-- Returns the room if it was not settled before, else ''.
local room, now, kept = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[5])
local garbage = 60000 -- callers' clocks may be behind

local value = redis.call('GET', KEYS[1])
local known = value and cmsgpack.unpack(value)
if known and known.ends > now and not known.settled then
  if room ~= '' and room ~= known.room then
    return ''
  end
  known.settled = now
  redis.call('SET', KEYS[1], cmsgpack.pack(known), 'KEEPTTL')
  return known.room
end
if room ~= '' then
  return ''
end

local ticket = redis.call('GET', KEYS[2])
if ticket then
  redis.call('ZREM', ARGV[4] .. cmsgpack.unpack(ticket).queue, ARGV[3])
  redis.call('DEL', KEYS[2])
end
local withdrawn = { since = 0, room = '', settled = now, ends = now + kept }
redis.call('SET', KEYS[1], cmsgpack.pack(withdrawn), 'PX', kept + garbage)
return ''
