import { ONCE_KEYS_MAX } from '../ledger/bounds.ts';

/**
 * The beginning of every ledger script: the account as a table, and the same steps, in the same
 * order and under the same names, as the model that the scripts are tested against (`test/model`).
 *
 * Concurrency: Redis runs one script at a time and everything of an account lies in one slot, so
 * a script reads the account as the previous script left it, and no other command runs between its
 * steps. Redis TIME is the only clock; `offset` shifts it in tests and is 0 otherwise. Numbers are whole and
 * below 2^53, where Lua's doubles are exact; they are written with %.0f because tostring rounds
 * to 14 digits.
 */
export const PROLOGUE = `
local NAMES = {
  'period', 'limit', 'used', 'held',
  'previousPeriod', 'previousLimit', 'previousUsed', 'previousHeld',
  'purchased', 'spent', 'seq',
}

local function text(number) return string.format('%.0f', number) end

local function now_ms(offset)
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(offset)
end

-- The proleptic Gregorian calendar from days since 1970-01-01, months counted from March.
local function period_of(ms)
  local days = math.floor(ms / 86400000) + 719468
  local era = math.floor(days / 146097)
  local day = days - era * 146097
  local leaps = math.floor(day / 1460) - math.floor(day / 36524) + math.floor(day / 146096)
  local year = math.floor((day - leaps) / 365)
  local rest = day - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local march = math.floor((5 * rest + 2) / 153)
  local month = march < 10 and march + 3 or march - 9
  return (era * 400 + year + (month <= 2 and 1 or 0)) * 100 + month
end

-- The months of a key, by period, from the text of its field: \`period used held\` of each.
local function add_key(state, id, value)
  local months = {}
  for period, used, held in string.gmatch(value or '', '(%d+) (%d+) (%d+)') do
    months[tonumber(period)] = { used = tonumber(used), held = tonumber(held) }
  end
  state.keys[id] = { was = value or '', months = months }
end

local function load(key, id)
  local fields = { unpack(NAMES) }
  if id then fields[#fields + 1] = 'key:' .. id end
  local was = redis.call('HMGET', key, unpack(fields))
  local of_key = was[#NAMES + 1]
  for i = 1, #NAMES do was[i] = tonumber(was[i] or '0') end
  local state = {
    key = key, was = was, keys = {},
    current = { period = was[1], limit = was[2], used = was[3], held = was[4] },
    previous = { period = was[5], limit = was[6], used = was[7], held = was[8] },
    purchased = was[9], spent = was[10], seq = was[11],
  }
  if id then add_key(state, id, of_key) end
  return state
end

-- The credits of a key in a month.
local function share(state, id, month)
  if not state.keys[id] then add_key(state, id, redis.call('HGET', state.key, 'key:' .. id)) end
  local months = state.keys[id].months
  if not months[month.period] then months[month.period] = { used = 0, held = 0 } end
  return months[month.period]
end

local function key_text(key, state)
  local parts = {}
  for _, month in ipairs({ state.current, state.previous }) do
    local its = key.months[month.period]
    if its and (its.used > 0 or its.held > 0) then
      parts[#parts + 1] = text(month.period) .. ' ' .. text(its.used) .. ' ' .. text(its.held)
    end
  end
  return table.concat(parts, ' ')
end

-- Once a month: keys that were not used in this month or the one before.
local function remove_old_keys(state)
  local all = redis.call('HGETALL', state.key)
  for i = 1, #all, 2 do
    local newest = string.match(all[i + 1], '^%d+')
    if string.sub(all[i], 1, 4) == 'key:' and tonumber(newest) < state.previous.period then
      redis.call('HDEL', state.key, all[i])
    end
  end
end

local function save(state)
  local c, p = state.current, state.previous
  local is = {
    c.period, c.limit, c.used, c.held, p.period, p.limit, p.used, p.held,
    state.purchased, state.spent, state.seq,
  }
  local changes = {}
  for i = 1, #NAMES do
    if is[i] ~= state.was[i] then
      changes[#changes + 1] = NAMES[i]
      changes[#changes + 1] = text(is[i])
    end
  end
  for id, key in pairs(state.keys) do
    local is_now = key_text(key, state)
    if is_now == '' and key.was ~= '' then redis.call('HDEL', state.key, 'key:' .. id) end
    if is_now ~= '' and is_now ~= key.was then
      changes[#changes + 1] = 'key:' .. id
      changes[#changes + 1] = is_now
    end
  end
  if #changes > 0 then redis.call('HSET', state.key, unpack(changes)) end
  if state.current.period ~= state.was[1] then remove_old_keys(state) end
end

local function roll(state, period)
  if period <= state.current.period then return end
  state.previous = state.current
  state.current = { period = period, limit = state.previous.limit, used = 0, held = 0 }
end

local function month_of(state, period)
  if period == state.current.period then return state.current, state.previous end
  if period == state.previous.period then return state.previous, state.current end
end

local function reap(state, holds, now)
  local expired = redis.call('ZRANGEBYSCORE', holds, '-inf', text(now))
  if #expired == 0 then return end
  for _, member in ipairs(expired) do
    -- A hold of an earlier version names no key.
    local period, amount, id = string.match(member, '^(%d+):(%d+):%S* ?(%S*)$')
    local month = month_of(state, tonumber(period))
    if month then
      month.held = month.held - tonumber(amount)
      if id ~= '' then
        local its = share(state, id, month)
        its.held = its.held - tonumber(amount)
      end
    end
  end
  redis.call('ZREMRANGEBYSCORE', holds, '-inf', text(now))
end

-- A hold's name among the holds, from the record of its operation.
local function hold_of(known, op)
  return known[3] .. ':' .. known[4] .. ':' .. op .. ' ' .. known[6]
end

local function allowance_left(month) return math.max(0, month.limit - month.used) end

local function purchased_left(state) return math.max(0, state.purchased - state.spent) end

local function available(state, month, other)
  local overhang = math.max(0, other.held - allowance_left(other))
  return allowance_left(month) + purchased_left(state) - overhang - month.held
end

-- What a key may still hold or charge of a month; a limit of nil is none.
local function key_left(state, id, month, limit)
  if not limit then return math.huge end
  local its = share(state, id, month)
  return limit - its.used - its.held
end

local function charge(state, month, amount, id)
  local beyond = math.max(0, amount - allowance_left(month))
  local purchased = math.min(beyond, purchased_left(state))
  month.used = month.used + amount - purchased
  state.spent = state.spent + purchased
  state.seq = state.seq + 1
  local its = share(state, id, month)
  its.used = its.used + amount
  return purchased
end

-- Stores the outcome of an operation and, unless it is 0, its charge, as one field of the ledger:
-- op account keyId endpoint requestId period charged purchased seq bucketSeq at. Ids have no spaces,
-- and one field takes less memory than eleven.
local function finish(keys, call, state, month, charged, now)
  local outcome = 'done ' .. text(now + call.keep) .. ' ' .. text(charged)
  redis.call('SET', keys.operation, outcome, 'PX', text(call.keep))
  if charged == 0 then return end
  local purchased = charge(state, month, charged, call.keyId)
  local seq = redis.call('HINCRBY', keys.bucket, 'seq', 1)
  local entry = {
    call.op, call.account, call.keyId, call.endpoint, call.requestId, text(month.period),
    text(charged), text(purchased), text(state.seq), text(seq), text(now),
  }
  redis.call('XADD', keys.ledger, '*', 'charge', table.concat(entry, ' '))
end

local function known_operation(key, now)
  local value = redis.call('GET', key)
  if not value then return nil end
  local op = {}
  for part in string.gmatch(value, '%S+') do op[#op + 1] = part end
  if tonumber(op[2]) <= now then return nil end
  return op
end

local function answer(status, first, second, state, id)
  local its = id and share(state, id, state.current) or { used = 0, held = 0 }
  save(state)
  local c = state.current
  local remaining = math.max(0, available(state, c, state.previous))
  return {
    status, first, second,
    c.limit, remaining, c.used, c.held, purchased_left(state), c.period, its.used, its.held,
  }
end

-- Whether a charge with an idempotency key is not made: the reply, or nil. A record is
-- deleteAt request charged.
local function not_charged(record_key, keys, request, now, state, id)
  local value = redis.call('GET', record_key)
  if value then
    local expires, first, charged = string.match(value, '^(%d+) (%S+) (%d+)$')
    if tonumber(expires) > now then
      if first ~= request then return {'mismatch'} end
      return answer('repeated', tonumber(charged), 0, state, id)
    end
  end
  redis.call('ZREMRANGEBYSCORE', keys, '-inf', text(now))
  if redis.call('ZCARD', keys) >= ${ONCE_KEYS_MAX} then return {'too_many_keys'} end
end
`;
