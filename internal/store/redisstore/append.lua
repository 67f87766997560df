#!lua
-- Appends events to a room's log, keeps the lists up to date, and announces.
-- KEYS  log, room, due, live, then the player's 'mine' of each of the players
-- ARGV  1 room  2 expected  3 wake  4 epoch (if it creates)
--       5 index: '' or L(ive)/- D(one)/-  6 keep (ms)
--       7 beginning of 'mine' keys  8 number of players, the players
--       the events
-- Returns the new version; -1-version when that is not the expected one.
local log, room, due, live = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local name, expected, index = ARGV[1], tonumber(ARGV[2]), ARGV[5]
local players = tonumber(ARGV[8])

local version = redis.call('LLEN', log)
if version ~= expected then
  return -1 - version
end

-- While a cluster moves the slot to another master, a key that is there already
-- fails the script. Redis makes sure of the KEYS before it begins; what is not
-- among them must be tried before anything is written, and nothing that a
-- removal may have deleted is touched again.
local before
if index ~= '' then
  before = redis.call('HGET', room, 'players')
  before = before and cmsgpack.unpack(before)
  for _, player in ipairs(before or {}) do
    if type(redis.pcall('EXISTS', ARGV[7] .. player)) == 'table' then -- an error
      return redis.error_reply('TRYAGAIN the slot is moving')
    end
  end
end

-- The announcement: the version, then each event, all behind their lengths.
local first = 9 + players
local parts = { struct.pack('>I4', version + #ARGV - first + 1) }
for i = first, #ARGV do
  redis.call('RPUSH', log, ARGV[i])
  parts[#parts + 1] = struct.pack('>I4', #ARGV[i])
  parts[#parts + 1] = ARGV[i]
end

if expected == 0 then
  redis.call('HSET', room, 'epoch', ARGV[4])
end
if ARGV[3] == '0' then
  redis.call('ZREM', due, name)
elseif ARGV[3] ~= '-1' then -- or what was said before is kept
  redis.call('ZADD', due, ARGV[3], name)
end

if index ~= '' then
  local now, plays = {}, {}
  for i = 1, players do
    redis.call('SADD', KEYS[4 + i], name)
    now[i] = ARGV[8 + i]
    plays[now[i]] = true
  end
  for _, player in ipairs(before or {}) do
    if not plays[player] then
      redis.call('SREM', ARGV[7] .. player, name)
    end
  end
  if players > 0 then
    redis.call('HSET', room, 'players', cmsgpack.pack(now))
  elseif before then
    redis.call('HDEL', room, 'players')
  end

  if index:sub(1, 1) == 'L' then
    local time = redis.call('TIME')
    redis.call('ZADD', live, 'NX', time[1] .. string.format('%06d', time[2]), name)
  else
    redis.call('ZREM', live, name)
  end

  if index:sub(2, 2) == 'D' then
    redis.call('PEXPIRE', log, ARGV[6])
    redis.call('PEXPIRE', room, ARGV[6])
  else
    redis.call('PERSIST', log)
    redis.call('PERSIST', room)
  end
end

redis.call('SPUBLISH', log, table.concat(parts))
return version + #ARGV - first + 1
