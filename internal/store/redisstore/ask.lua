#!lua
-- Hands a bot's turn to the workers, unless that has been done before or they
-- have enough to do.
-- KEYS  hints, crew, asked (of this position)
-- ARGV  1 room  2 version  3 bot  4 time for the turn (ms)
--       5 how long a hint may stay after its deadline (ms)
-- Returns the time that is left of the turn's, and 1 if the hint is new; nil
-- where no worker is free or one does not know the bot.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('GET', KEYS[3])
if known then
  return { known - now, 0 }
end

local threads = 0
local crew = redis.call('HVALS', KEYS[2])
for _, value in ipairs(crew) do
  local worker = cmsgpack.unpack(value)
  if worker.ends > now and worker.threads > 0 then
    if not worker.bots[ARGV[3]] then
      return false
    end
    threads = threads + worker.threads
  end
end
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%.0f', now - ARGV[4] - ARGV[5]))
if redis.call('XLEN', KEYS[1]) >= threads then
  return false
end

local deadline = string.format('%.0f', now + ARGV[4])
redis.call('XADD', KEYS[1], '*', 'room', ARGV[1], 'version', ARGV[2], 'bot', ARGV[3], 'deadline', deadline)
redis.call('SET', KEYS[3], deadline, 'PX', ARGV[4] + ARGV[5])
return { tonumber(ARGV[4]), 1 }
