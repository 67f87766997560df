#!lua
-- Records what a node sees in a room and sums up all nodes.
-- KEYS  here
-- ARGV  1 node  2 black (0 or 1)  3 white  4 spectators  5 now (ms)  6 ttl (ms)
-- Returns black, white, spectators.
local now, ttl = tonumber(ARGV[5]), tonumber(ARGV[6])
local mine = { tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), now + ttl }
redis.call('HSET', KEYS[1], ARGV[1], cmsgpack.pack(mine))
redis.call('PEXPIRE', KEYS[1], ttl + 60000)

local black, white, spectators = 0, 0, 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local seen = cmsgpack.unpack(all[i + 1])
  if seen[4] <= now then
    redis.call('HDEL', KEYS[1], all[i])
  else
    black = math.max(black, seen[1])
    white = math.max(white, seen[2])
    spectators = spectators + seen[3]
  end
end
return { black, white, spectators }
