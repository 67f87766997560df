#!lua
-- Notes that a player knows what a search led to: one begun later is a new one.
-- KEYS  pairing
-- ARGV  1 room  2 now (ms)
local value = redis.call('GET', KEYS[1])
local known = value and cmsgpack.unpack(value)
if known and known.room == ARGV[1] and not known.settled then
  known.settled = tonumber(ARGV[2])
  redis.call('SET', KEYS[1], cmsgpack.pack(known), 'KEEPTTL')
end
return 0
