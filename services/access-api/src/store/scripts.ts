// Lua run inside Redis: one slot each, every key declared, nothing newer than Redis 7.0.

/**
 * Brings an account to a snapshot, whole, unless it is further along already; then moves the
 * bucket's position on if this was the very next one. A gap stays visible as a low position.
 * KEYS account, keys, revoked, position
 * ARGV position, plan, then for each key: keyId, its JSON, `revoked` or `live`
 * Returns the account's position and the bucket's, as they now are.
 */
export const APPLY_ACCOUNT = `
local position = tonumber(ARGV[1])
local applied = tonumber(redis.call('HGET', KEYS[1], 'position') or '0')
if position >= applied then
  redis.call('DEL', KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[1], 'plan', ARGV[2], 'position', ARGV[1])
  for i = 3, #ARGV, 3 do
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    if ARGV[i + 2] == 'revoked' then redis.call('SADD', KEYS[3], ARGV[i]) end
  end
  applied = position
end
local bucket = tonumber(redis.call('GET', KEYS[4]) or '0')
if bucket == position - 1 then
  bucket = position
  redis.call('SET', KEYS[4], ARGV[1])
end
return {applied, bucket}`;

/**
 * Says whose key a digest is (it never changes), and moves the bucket's position on likewise.
 * KEYS owner, position · ARGV position, owner · Returns the bucket's position.
 */
export const APPLY_OWNER = `
redis.call('SET', KEYS[1], ARGV[2])
local position = tonumber(ARGV[1])
local bucket = tonumber(redis.call('GET', KEYS[2]) or '0')
if bucket == position - 1 then
  bucket = position
  redis.call('SET', KEYS[2], ARGV[1])
end
return bucket`;

/**
 * Moves a bucket's position forward, once everything up to it is applied.
 * KEYS position · ARGV position · Returns the bucket's position.
 */
export const ADVANCE = `
local position = tonumber(ARGV[1])
local bucket = tonumber(redis.call('GET', KEYS[1]) or '0')
if position > bucket then
  bucket = position
  redis.call('SET', KEYS[1], ARGV[1])
end
return bucket`;
