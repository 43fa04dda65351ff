import { defineScript } from '@vcds/metering/redis';

// Lua scripts: one slot each, all keys declared, for Redis 7.0 and later.
//
// All changes up to a bucket's position are in Redis. A write has its own position and the previous
// one, and moves the bucket only from the previous one. So if Redis loses its latest writes at any
// moment, the position stays below the first missing change.

const MOVE = `
local function move(key, previous, position)
  local bucket = tonumber(redis.call('GET', key) or '0')
  if bucket >= tonumber(previous) and bucket < tonumber(position) then
    bucket = tonumber(position)
    redis.call('SET', key, position)
  end
  return bucket
end`;

/** Fields of the keys of an account, from which a snapshot replaces them: most of them have ended. */
const FIELDS_MAX = 300;

/**
 * Applies an account, unless Redis has a later state: a snapshot of it, or the keys that changed after
 * all its earlier changes.
 * KEYS account, keys, revoked, position
 * ARGV previous, position, plan, the account's position before or -1: a snapshot, then for each key:
 * keyId, its JSON, `revoked` or `live`
 * Returns the resulting positions of the account and the bucket; -1 for the account: Redis lacks
 * earlier changes, or has many ended keys, so a snapshot must be applied.
 */
export const APPLY = defineScript(`${MOVE}
local position, since = tonumber(ARGV[2]), tonumber(ARGV[4])
local applied = tonumber(redis.call('HGET', KEYS[1], 'position') or '0')
if position >= applied then
  if since == -1 then
    redis.call('DEL', KEYS[2], KEYS[3])
  elseif applied < since or redis.call('HLEN', KEYS[2]) > ${FIELDS_MAX} then
    return {-1, tonumber(redis.call('GET', KEYS[4]) or '0')}
  end
  redis.call('HSET', KEYS[1], 'plan', ARGV[3], 'position', ARGV[2])
  for i = 5, #ARGV, 3 do
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    if ARGV[i + 2] == 'revoked' then redis.call('SADD', KEYS[3], ARGV[i]) end
  end
  applied = position
end
return {applied, move(KEYS[4], ARGV[1], ARGV[2])}`);

/**
 * Moves a bucket past changes that later ones replaced.
 * KEYS position · ARGV previous, position · Returns the bucket's position.
 */
export const ADVANCE = defineScript(`${MOVE}
return move(KEYS[1], ARGV[1], ARGV[2])`);
