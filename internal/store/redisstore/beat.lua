#!lua
-- Notes that the service is alive, and an outage if it was not.
-- KEYS  beat, outages
-- ARGV  1 now (ms)  2 gap (ms)  3 how long outages are remembered (ms)
-- Returns the outages as 'from:to', oldest first.
local now = tonumber(ARGV[1])
local last = redis.call('GET', KEYS[1])
if last and now - tonumber(last) > tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[2], ARGV[1], last .. ':' .. ARGV[1])
end
if not last or now > tonumber(last) then
  redis.call('SET', KEYS[1], ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[3]))
return redis.call('ZRANGE', KEYS[2], 0, -1)
