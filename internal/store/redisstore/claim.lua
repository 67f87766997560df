#!lua
-- Puts off the wakes of rooms that are still due when they were seen to be.
-- KEYS  due
-- ARGV  1 the new wake, then pairs of room and the wake that was seen
-- Returns the rooms that were put off.
local claimed = {}
for i = 2, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i])) == tonumber(ARGV[i + 1]) then
    if ARGV[1] == '0' then
      redis.call('ZREM', KEYS[1], ARGV[i])
    else
      redis.call('ZADD', KEYS[1], ARGV[1], ARGV[i])
    end
    claimed[#claimed + 1] = ARGV[i]
  end
end
return claimed
