#!lua
-- Says that a worker lives, renews its claims, and clears away dead workers
-- that left nothing to be taken over.
-- KEYS  crew, hints
-- ARGV  1 group  2 worker  3 threads  4 how long this is true (ms)
--       5 how long a dead worker is remembered (ms)
--       6 number of bots, the bots, then the entries that it has claimed
-- Returns how many of these are still its own.
local group, me = ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bots, last = {}, 6 + ARGV[6]
for i = 7, last do
  bots[ARGV[i]] = true
end

local crew = redis.call('HGETALL', KEYS[1])
for i = 1, #crew, 2 do
  if cmsgpack.unpack(crew[i + 1]).ends <= now then
    redis.call('HDEL', KEYS[1], crew[i])
  end
end
redis.call('HSET', KEYS[1], me, cmsgpack.pack({ ends = now + ARGV[4], threads = tonumber(ARGV[3]), bots = bots }))
redis.call('PEXPIRE', KEYS[1], ARGV[4] + ARGV[5])

local mine = 0
for i = last + 1, #ARGV do
  local entry = redis.pcall('XPENDING', KEYS[2], group, ARGV[i], ARGV[i], 1, me)
  if #entry == 1 then -- else somebody took it over, or all is lost
    redis.call('XCLAIM', KEYS[2], group, me, 0, ARGV[i], 'JUSTID')
    mine = mine + 1
  end
end

local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[2], group)
for _, c in ipairs(consumers) do -- none if the group does not exist
  local name, pending, idle = c[2], c[4], c[6]
  if name ~= me and pending == 0 and idle > tonumber(ARGV[5]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[2], group, name)
  end
end
return mine
