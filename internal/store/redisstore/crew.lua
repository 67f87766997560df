#!lua flags=no-writes
-- Tells who works and what there is to do.
-- KEYS  crew, hints
-- ARGV  1 group
-- Returns how many hints wait and how many are taken, then each worker that
-- lives: its name, its threads, its bots.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local pending = redis.pcall('XPENDING', KEYS[2], ARGV[1])
local taken = pending.err and 0 or pending[1]
local answer = { redis.call('XLEN', KEYS[2]) - taken, taken }
local crew = redis.call('HGETALL', KEYS[1])
for i = 1, #crew, 2 do
  local worker = cmsgpack.unpack(crew[i + 1])
  if worker.ends > now then
    local bots = {}
    for bot in pairs(worker.bots) do
      bots[#bots + 1] = bot
    end
    answer[#answer + 1] = { crew[i], worker.threads, bots }
  end
end
return answer
