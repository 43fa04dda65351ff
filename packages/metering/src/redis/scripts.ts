import { OPEN_HOLDS_MAX } from '../ledger/bounds.ts';
import { defineScript } from './define-script.ts';
import { PROLOGUE } from './prologue.ts';

/**
 * KEYS bucket, credits, holds, operation, revoked
 * ARGV offset, op, keyId, endpoint, max, limit, holdMs, lateMs, requestId
 * An operation is stored as `held deleteAt period amount expiresAt keyId endpoint requestId` or
 * `done deleteAt charged`.
 */
export const RESERVE = defineScript(`${PROLOGUE}
local now = now_ms(ARGV[1])
local known = known_operation(KEYS[4], now)
if not known and redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local state = load(KEYS[2])
roll(state, period_of(now))
reap(state, KEYS[3], now)

if known and known[1] == 'done' then return answer('finished', tonumber(known[3]), 0, state) end
if known and not redis.call('ZSCORE', KEYS[3], hold_of(known, ARGV[2])) then
  return answer('finished', 0, 0, state)
end
if known then return answer('held', tonumber(known[4]), tonumber(known[5]), state) end

if redis.call('SISMEMBER', KEYS[5], ARGV[3]) == 1 then
  save(state)
  return {'revoked'}
end

local max = tonumber(ARGV[5])
state.current.limit = tonumber(ARGV[6])
if available(state, state.current, state.previous) < max then
  return answer('exhausted', 0, 0, state)
end
if redis.call('ZCARD', KEYS[3]) >= ${OPEN_HOLDS_MAX} then
  save(state)
  return {'too_many_holds'}
end

state.current.held = state.current.held + max
local period = text(state.current.period)
local expires = now + tonumber(ARGV[7])
local keep = tonumber(ARGV[7]) + tonumber(ARGV[8])
local record = {
  'held', text(now + keep), period, ARGV[5], text(expires), ARGV[3], ARGV[4], ARGV[9],
}
redis.call('SET', KEYS[4], table.concat(record, ' '), 'PX', text(keep))
redis.call('ZADD', KEYS[3], text(expires), period .. ':' .. ARGV[5] .. ':' .. ARGV[2])
return answer('held', max, expires, state)
`);

/**
 * KEYS bucket, credits, holds, operation, ledger
 * ARGV offset, account, op, actual, outcomeMs
 */
export const SETTLE = defineScript(`${PROLOGUE}
local now = now_ms(ARGV[1])
local known = known_operation(KEYS[4], now)
if not known and redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local state = load(KEYS[2])
roll(state, period_of(now))
reap(state, KEYS[3], now)

if not known then return answer('settled', 0, 0, state) end
if known[1] == 'done' then return answer('settled', tonumber(known[3]), 0, state) end

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
  charged = actual
elseif month then
  charged = math.min(actual, math.max(0, available(state, month, other)))
end
local keys = { bucket = KEYS[1], operation = KEYS[4], ledger = KEYS[5] }
local call = {
  op = ARGV[3], account = ARGV[2], keyId = known[6], endpoint = known[7], requestId = known[8],
  keep = tonumber(ARGV[5]),
}
finish(keys, call, state, month, charged, now)
return answer('settled', charged, 0, state)
`);

/**
 * KEYS bucket, credits, holds, operation, ledger, revoked; with an idempotency key also once, onceKeys
 * ARGV offset, account, op, keyId, endpoint, requestId, period, limit, max, actual, outcomeMs; then also
 *   the digests of request and key, onceMs
 */
export const CHARGE = defineScript(`${PROLOGUE}
local now = now_ms(ARGV[1])
local known = known_operation(KEYS[4], now)
if not known and redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local state = load(KEYS[2])
roll(state, period_of(now))
reap(state, KEYS[3], now)

if known and known[1] == 'done' then return answer('settled', tonumber(known[3]), 0, state) end
if known then
  save(state)
  return {'reserved'}
end

if redis.call('SISMEMBER', KEYS[6], ARGV[4]) == 1 then
  save(state)
  return {'revoked'}
end

state.current.limit = tonumber(ARGV[8])
if KEYS[7] then
  local reply = not_charged(KEYS[7], KEYS[8], ARGV[12], now, state)
  if reply then
    save(state)
    return reply
  end
end
local max = tonumber(ARGV[9])
local month, other = month_of(state, tonumber(ARGV[7]))
-- A month that is over is paid by the next one if it cannot pay: the balance is that of the next.
if not month or available(state, month, other) < max then
  month, other = state.current, state.previous
end
if available(state, month, other) < max then
  return answer('exhausted', 0, 0, state)
end
local keys = { bucket = KEYS[1], operation = KEYS[4], ledger = KEYS[5] }
local call = {
  op = ARGV[3], account = ARGV[2], keyId = ARGV[4], endpoint = ARGV[5], requestId = ARGV[6],
  keep = tonumber(ARGV[11]),
}
local charged = tonumber(ARGV[10])
finish(keys, call, state, month, charged, now)
if KEYS[7] then
  local expires = text(now + tonumber(ARGV[14]))
  redis.call('SET', KEYS[7], expires .. ' ' .. ARGV[12] .. ' ' .. text(charged), 'PX', ARGV[14])
  redis.call('ZADD', KEYS[8], expires, ARGV[13])
  redis.call('PEXPIRE', KEYS[8], ARGV[14])
end
return answer('settled', charged, 0, state)
`);

/** KEYS bucket, credits, holds, and maybe once, onceKeys · ARGV offset, limit, the digest of a request */
export const BALANCE = defineScript(`${PROLOGUE}
if redis.call('HEXISTS', KEYS[1], 'open') == 0 then return {'closed'} end
local now = now_ms(ARGV[1])
local state = load(KEYS[2])
roll(state, period_of(now))
reap(state, KEYS[3], now)
state.current.limit = tonumber(ARGV[2])
local reply = KEYS[4] and not_charged(KEYS[4], KEYS[5], ARGV[3], now, state)
if reply then
  save(state)
  return reply
end
return answer('known', 0, 0, state)
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
 * ARGV for each: period, used, spent, seq, purchased
 */
export const RESTORE = defineScript(`${PROLOGUE}
if redis.call('XLEN', KEYS[1]) > 0 then return {'moved'} end
for i = 2, #KEYS do
  local at = (i - 2) * 5
  local period, used = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local state = load(KEYS[i])
  roll(state, period)
  local month = month_of(state, period)
  if month then month.used = math.max(month.used, used) end
  state.spent = math.max(state.spent, tonumber(ARGV[at + 3]))
  state.seq = math.max(state.seq, tonumber(ARGV[at + 4]))
  state.purchased = math.max(state.purchased, tonumber(ARGV[at + 5]))
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
