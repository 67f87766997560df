#!lua flags=no-writes
-- Tells who works and what there is to do.
-- KEYS  crew, hints
-- ARGV  1 group
-- Returns how many hints wait and how many are taken, in time, then each worker that
-- lives: its name, its threads, its bots.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- What is over is not counted: who took it may have died, and nobody may be left
-- to strike it off.
local open, taken, live = 0, 0, {}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do
  local fields = entry[2]
  for i = 1, #fields, 2 do
    if fields[i] == 'deadline' and tonumber(fields[i + 1]) > now then
      open, live[entry[1]] = open + 1, true
    end
  end
end
local pending = redis.pcall('XPENDING', KEYS[2], ARGV[1], '-', '+', 1000000)
for _, claim in ipairs(pending) do -- none if the group does not exist
  if live[claim[1]] then
    taken = taken + 1
  end
end
local answer = { open - taken, taken }
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
