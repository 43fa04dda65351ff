import { OPEN_HOLDS_MAX } from '../ledger/bounds.ts';
import { defineScript } from './define-script.ts';
import { PROLOGUE } from './prologue.ts';

/**
 * KEYS bucket, credits, holds, operation, revoked
 * ARGV offset, op, keyId, endpoint, max, limit, holdMs, lateMs, requestId, keyLimit or `-`
 * An operation is stored as `held deleteAt period amount expiresAt keyId endpoint requestId keyLimit`
 * or `done deleteAt charged`.
 */
export const RESERVE = defineScript(`${PROLOGUE}
local now = now_ms(ARGV[1])
local known = known_operation(KEYS[4], now)
if not known and redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local id, key_limit = ARGV[3], tonumber(ARGV[10])
local state = load(KEYS[2], id)
roll(state, period_of(now))
reap(state, KEYS[3], now)

if known and known[1] == 'done' then return answer('finished', tonumber(known[3]), 0, state, id) end
if known and not redis.call('ZSCORE', KEYS[3], hold_of(known, ARGV[2])) then
  return answer('finished', 0, 0, state, id)
end
if known then return answer('held', tonumber(known[4]), tonumber(known[5]), state, id) end

if redis.call('SISMEMBER', KEYS[5], id) == 1 then
  save(state)
  return {'revoked'}
end

local max = tonumber(ARGV[5])
state.current.limit = tonumber(ARGV[6])
if available(state, state.current, state.previous) < max then
  return answer('exhausted', 0, 0, state, id)
end
if key_left(state, id, state.current, key_limit) < max then
  return answer('key_exhausted', 0, 0, state, id)
end
if redis.call('ZCARD', KEYS[3]) >= ${OPEN_HOLDS_MAX} then
  save(state)
  return {'too_many_holds'}
end

state.current.held = state.current.held + max
local its = share(state, id, state.current)
its.held = its.held + max
local period = text(state.current.period)
local expires = now + tonumber(ARGV[7])
local keep = tonumber(ARGV[7]) + tonumber(ARGV[8])
local record = {
  'held', text(now + keep), period, ARGV[5], text(expires), id, ARGV[4], ARGV[9], ARGV[10],
}
redis.call('SET', KEYS[4], table.concat(record, ' '), 'PX', text(keep))
redis.call('ZADD', KEYS[3], text(expires), hold_of(record, ARGV[2]))
return answer('held', max, expires, state, id)
`);

/**
 * KEYS bucket, credits, holds, operation, ledger
 * ARGV offset, account, op, actual, outcomeMs, keyId or an empty text
 */
export const SETTLE = defineScript(`${PROLOGUE}
local now = now_ms(ARGV[1])
local known = known_operation(KEYS[4], now)
if not known and redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local id = known and known[1] == 'held' and known[6] or ARGV[6]
if id == '' then id = nil end
local state = load(KEYS[2], id)
roll(state, period_of(now))
reap(state, KEYS[3], now)

if not known then return answer('settled', 0, 0, state, id) end
if known[1] == 'done' then return answer('settled', tonumber(known[3]), 0, state, id) end

local actual = tonumber(ARGV[4])
local amount = tonumber(known[4])
if actual > amount then
  save(state)
  return {'more', amount}
end
local month, other = month_of(state, tonumber(known[3]))
local was_open = redis.call('ZREM', KEYS[3], hold_of(known, ARGV[3])) == 1
local charged = 0
if month and was_open then
  month.held = month.held - amount
  local its = share(state, id, month)
  its.held = its.held - amount
  charged = actual
elseif month then
  local key_limit = tonumber(known[9] or '-')
  local left = math.min(available(state, month, other), key_left(state, id, month, key_limit))
  charged = math.min(actual, math.max(0, left))
end
local keys = { bucket = KEYS[1], operation = KEYS[4], ledger = KEYS[5] }
local call = {
  op = ARGV[3], account = ARGV[2], keyId = id, endpoint = known[7], requestId = known[8],
  keep = tonumber(ARGV[5]),
}
finish(keys, call, state, month, charged, now)
return answer('settled', charged, 0, state, id)
`);

/**
 * KEYS bucket, credits, holds, operation, ledger, revoked; with an idempotency key also once, onceKeys
 * ARGV offset, account, op, keyId, endpoint, requestId, period, limit, max, actual, outcomeMs, keyLimit
 *   or `-`; then also the digests of request and key, onceMs
 */
export const CHARGE = defineScript(`${PROLOGUE}
local now = now_ms(ARGV[1])
local known = known_operation(KEYS[4], now)
if not known and redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local id, key_limit = ARGV[4], tonumber(ARGV[12])
local state = load(KEYS[2], id)
roll(state, period_of(now))
reap(state, KEYS[3], now)

if known and known[1] == 'done' then return answer('settled', tonumber(known[3]), 0, state, id) end
if known then
  save(state)
  return {'reserved'}
end

if redis.call('SISMEMBER', KEYS[6], id) == 1 then
  save(state)
  return {'revoked'}
end

state.current.limit = tonumber(ARGV[8])
if KEYS[7] then
  local reply = not_charged(KEYS[7], KEYS[8], ARGV[13], now, state, id)
  if reply then
    save(state)
    return reply
  end
end
local max = tonumber(ARGV[9])
local month, other = month_of(state, tonumber(ARGV[7]))
-- A month that is over is paid by the next one if it cannot pay: the balance is that of the next.
if not month or available(state, month, other) < max
  or key_left(state, id, month, key_limit) < max then
  month, other = state.current, state.previous
end
if available(state, month, other) < max then
  return answer('exhausted', 0, 0, state, id)
end
if key_left(state, id, month, key_limit) < max then
  return answer('key_exhausted', 0, 0, state, id)
end
local keys = { bucket = KEYS[1], operation = KEYS[4], ledger = KEYS[5] }
local call = {
  op = ARGV[3], account = ARGV[2], keyId = id, endpoint = ARGV[5], requestId = ARGV[6],
  keep = tonumber(ARGV[11]),
}
local charged = tonumber(ARGV[10])
finish(keys, call, state, month, charged, now)
if KEYS[7] then
  local expires = text(now + tonumber(ARGV[15]))
  redis.call('SET', KEYS[7], expires .. ' ' .. ARGV[13] .. ' ' .. text(charged), 'PX', ARGV[15])
  redis.call('ZADD', KEYS[8], expires, ARGV[14])
  redis.call('PEXPIRE', KEYS[8], ARGV[15])
end
return answer('settled', charged, 0, state, id)
`);

/**
 * KEYS bucket, credits, holds, and maybe once, onceKeys
 * ARGV offset, limit, keyId or an empty text, the digest of a request
 */
export const BALANCE = defineScript(`${PROLOGUE}
if redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local now = now_ms(ARGV[1])
local id = ARGV[3] ~= '' and ARGV[3] or nil
local state = load(KEYS[2], id)
roll(state, period_of(now))
reap(state, KEYS[3], now)
state.current.limit = tonumber(ARGV[2])
local reply = KEYS[4] and not_charged(KEYS[4], KEYS[5], ARGV[4], now, state, id)
if reply then
  save(state)
  return reply
end
return answer('known', 0, 0, state, id)
`);

/** KEYS credits · ARGV total */
export const SET_PURCHASED = defineScript(`${PROLOGUE}
local state = load(KEYS[1])
state.purchased = math.max(state.purchased, tonumber(ARGV[1]))
save(state)
return {'done'}
`);

/**
 * KEYS ledger, then the credits of each account
 * ARGV for each: period, used, spent, seq, purchased, the number of keys, then keyId and used of each
 */
export const RESTORE = defineScript(`${PROLOGUE}
if redis.call('XLEN', KEYS[1]) > 0 then return {'moved'} end
local at = 0
for i = 2, #KEYS do
  local period, used = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local state = load(KEYS[i])
  roll(state, period)
  local month = month_of(state, period)
  if month then month.used = math.max(month.used, used) end
  state.spent = math.max(state.spent, tonumber(ARGV[at + 3]))
  state.seq = math.max(state.seq, tonumber(ARGV[at + 4]))
  state.purchased = math.max(state.purchased, tonumber(ARGV[at + 5]))
  local first, keys = at + 7, tonumber(ARGV[at + 6])
  at = at + 6 + 2 * keys
  for k = first, at, 2 do
    local its = month and share(state, ARGV[k], month)
    if its then its.used = math.max(its.used, tonumber(ARGV[k + 1])) end
  end
  save(state)
end
return {'done'}
`);

/** KEYS bucket, ledger · ARGV bucketSeq */
export const OPEN = defineScript(`${PROLOGUE}
if redis.call('XLEN', KEYS[2]) > 0 then return {'moved'} end
local seq = tonumber(redis.call('HGET', KEYS[1], 'seq') or '0')
redis.call('HSET', KEYS[1], 'open', '1', 'seq', text(math.max(seq, tonumber(ARGV[1]))))
return {'done'}
`);
