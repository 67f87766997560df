#!lua
-- Extends logs that exist. Each commit succeeds, conflicts or fails for itself.
-- KEYS  of each commit its log and, if it says when to wake its room, due
-- ARGV  1 a channel that the caller hears on the connection on which it hears
--         all these logs, or ''
--       2 the commits, one behind the other (msgpack): expected, wake or -1,
--         then of each event what stands before it in the announcement, and
--         the event
-- Returns for each commit that does not fit which it is and the version of its
-- log, or -1 if what is under its keys is no log or no agenda: the others are not
-- to suffer for it.
local listeners -- channels, each before the number of its listeners
if ARGV[1] ~= '' then
  listeners = redis.call('PUBSUB', 'SHARDNUMSUB', ARGV[1], unpack(KEYS))
  listeners = listeners[2] == 1 and listeners
end

-- count is how much a key holds, or -1 if it is not what the command is for.
local function count(command, key)
  local n = redis.pcall(command, key)
  if type(n) ~= 'table' then
    return n
  elseif n.err:find('^WRONGTYPE') then
    return -1
  end
  return redis.call(command, key) -- and fail
end

local conflicts, key = {}, 1
for n, commit in ipairs({ cmsgpack.unpack(ARGV[2]) }) do
  local log, wake = KEYS[key], commit[2]
  local alone = listeners and listeners[2 * key + 2] == 1
  local version = count('LLEN', log)
  if wake >= 0 and count('ZCARD', KEYS[key + 1]) < 0 then
    version = -1
  end
  if version ~= commit[1] then
    conflicts[#conflicts + 1] = n
    conflicts[#conflicts + 1] = version
  else
    for i = 4, #commit, 2 do
      redis.call('RPUSH', log, commit[i])
    end
    if wake >= 0 then
      local due = KEYS[key + 1]
      local room = log:sub(#due + 2) -- PARTITION:due, PARTITION:log:ROOM
      if wake == 0 then
        redis.call('ZREM', due, room)
      else
        redis.call('ZADD', due, string.format('%.0f', wake), room)
      end
    end
    if #commit > 2 and not alone then
      redis.call('SPUBLISH', log, table.concat(commit, '', 3))
    end
  end
  key = key + (wake < 0 and 1 or 2)
end
return conflicts
