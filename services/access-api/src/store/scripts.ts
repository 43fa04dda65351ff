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

/** Stores the keys in ARGV from an index: keyId, its JSON, `revoked` or `live`. */
const storeKeys = (from: number): string => `for i = ${from}, #ARGV, 3 do
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    if ARGV[i + 2] == 'revoked' then redis.call('SADD', KEYS[3], ARGV[i]) end
  end`;

/**
 * Replaces an account by a snapshot, unless Redis has a later one.
 * KEYS account, keys, revoked, position
 * ARGV previous, position, plan, then for each key: keyId, its JSON, `revoked` or `live`
 * Returns the resulting positions of the account and the bucket.
 */
export const APPLY_ACCOUNT = defineScript(`${MOVE}
local position = tonumber(ARGV[2])
local applied = tonumber(redis.call('HGET', KEYS[1], 'position') or '0')
if position >= applied then
  redis.call('DEL', KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[1], 'plan', ARGV[3], 'position', ARGV[2])
  ${storeKeys(4)}
  applied = position
end
return {applied, move(KEYS[4], ARGV[1], ARGV[2])}`);

/** Fields of the keys of an account, from which a snapshot replaces them: most of them have ended. */
const FIELDS_MAX = 300;

/**
 * Applies the changed keys of an account whose earlier changes are all applied.
 * KEYS account, keys, revoked, position
 * ARGV previous, position, plan, the account's position before, then as APPLY_ACCOUNT
 * Returns the resulting positions of the account and the bucket; -1 for the account: a snapshot must
 * replace it.
 */
export const APPLY_KEYS = defineScript(`${MOVE}
local position = tonumber(ARGV[2])
local applied = tonumber(redis.call('HGET', KEYS[1], 'position') or '0')
if position >= applied then
  if applied < tonumber(ARGV[4]) or redis.call('HLEN', KEYS[2]) > ${FIELDS_MAX} then
    return {-1, tonumber(redis.call('GET', KEYS[4]) or '0')}
  end
  redis.call('HSET', KEYS[1], 'plan', ARGV[3], 'position', ARGV[2])
  ${storeKeys(5)}
  applied = position
end
return {applied, move(KEYS[4], ARGV[1], ARGV[2])}`);

/**
 * Stores the owner of a digest, which never changes, until some time after the end of the key.
 * KEYS owner, position · ARGV previous, position, owner, milliseconds to keep it: 0 always, below 0 not at all
 * Returns the bucket's position.
 */
export const APPLY_OWNER = defineScript(`${MOVE}
local keep = tonumber(ARGV[4])
if keep == 0 then
  redis.call('SET', KEYS[1], ARGV[3])
elseif keep > 0 then
  redis.call('SET', KEYS[1], ARGV[3], 'PX', keep)
end
return move(KEYS[2], ARGV[1], ARGV[2])`);

/**
 * Moves a bucket past changes that later ones replaced.
 * KEYS position · ARGV previous, position · Returns the bucket's position.
 */
export const ADVANCE = defineScript(`${MOVE}
return move(KEYS[1], ARGV[1], ARGV[2])`);
