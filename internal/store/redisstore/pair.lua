#!lua
-- Enters or renews a ticket and pairs it if someone else waits.
-- KEYS  ticket, pairing, queue of this player, searches; other keys are made
--       from the ARGV, they have the same hash tag
-- ARGV  1 player  2 queue  3 room  4 data  5 now (ms)  6 ttl (ms)
--       7 how long a pairing is kept (ms)
--       8, 9, 10 beginnings of the ticket, pairing and queue keys
--       11 when the search began (ms)  12 how many searches are listed
-- Returns since (0: the player has withdrawn), room ('' while waiting), opponent
-- or nil. The opponent is player, queue, room, data, since.
local player, queue, room, data = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local now, ttl, kept = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local begun = tonumber(ARGV[11])
local garbage = 60000 -- callers' clocks may be behind

local function get(key)
  local value = redis.call('GET', key)
  local t = value and cmsgpack.unpack(value)
  return t and t.ends > now and t
end

local function set(key, t, ms)
  t.ends = now + ms
  redis.call('SET', key, cmsgpack.pack(t), 'PX', ms + garbage)
end

-- All searches of a player who was paired learn it, until the player knows of
-- the room. One who completed a pair is told again if it asks the very same
-- again: its first answer may be lost.
local known = get(KEYS[2])
if known and (not known.settled or begun <= known.settled) then
  return { known.since, known.room, known.room == room and known.opponent or nil }
end

local since = now
local mine = get(KEYS[1])
if mine and (mine.begun or 0) > begun then -- a later search counts
  return { mine.since, '' }
elseif mine and mine.queue == queue then
  since = mine.since
elseif mine then
  redis.call('ZREM', ARGV[10] .. mine.queue, player)
end

for _, other in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  if other ~= player then
    local theirs = get(ARGV[8] .. other)
    redis.call('ZREM', KEYS[3], other)
    if theirs and theirs.queue == queue then
      redis.call('DEL', KEYS[1], ARGV[8] .. other)
      redis.call('ZREM', KEYS[3], player)
      local opponent = { other, queue, theirs.room, theirs.data, theirs.since }
      set(ARGV[9] .. other, { since = theirs.since, room = room }, kept)
      set(KEYS[2], { since = since, room = room, opponent = opponent }, kept)
      return { since, room, opponent }
    end
  end
end

set(KEYS[1], { queue = queue, room = room, data = data, since = since, begun = begun }, ttl)
redis.call('ZADD', KEYS[3], since, player)
redis.call('PEXPIRE', KEYS[3], ttl + garbage)
redis.call('ZADD', KEYS[4], begun, player)
redis.call('ZREMRANGEBYRANK', KEYS[4], 0, -1 - ARGV[12])
redis.call('PEXPIRE', KEYS[4], ttl + garbage)
return { since, '' }
