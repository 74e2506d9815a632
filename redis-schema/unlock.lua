-- Removes a lock only if it still carries the token of the one who asks.
-- KEYS[1]: the lock.  ARGV[1]: the token.  Gives 1 if removed, else 0.
if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
end
return 0
