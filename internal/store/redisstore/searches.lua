#!lua flags=no-writes
-- Lists the searches that began last.
-- KEYS  searches; the tickets' keys are made from the ARGV, they have the same
--       hash tag
-- ARGV  1 now (ms)  2 beginning of the ticket keys
-- Returns of each that still waits player, queue, room, data, since, begun.
local found = {}
for _, player in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  local value = redis.call('GET', ARGV[2] .. player)
  local t = value and cmsgpack.unpack(value)
  if t and t.ends > tonumber(ARGV[1]) then
    found[#found + 1] = { player, t.queue, t.room, t.data, t.since, t.begun or 0 }
  end
end
return found
