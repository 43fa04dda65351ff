import { defineScript } from '@vcds/metering/redis';
import { WINDOWS } from '../limits/windows.ts';
import { LIMITS } from './limits.ts';
import { REGISTRATION_EVENTS, REGISTRATION_STATES, TRANSITIONS } from './states.ts';

// Lua scripts: one slot each, all keys declared, for Redis 7.0 and later. Each is atomic, so that
// no other call runs between counting and comparing. Times are milliseconds of the caller's clock;
// the clock of Redis only deletes expired keys.

/** TRANSITIONS, written as a Lua table: state → event → {next state, outcome}. */
const TABLE = `{${REGISTRATION_STATES.map((state) => {
  const columns = REGISTRATION_EVENTS.map((event) => {
    const { to, outcome } = TRANSITIONS[state][event];
    return `${event}={'${to}','${outcome}'}`;
  });
  return `${state}={${columns.join(',')}}`;
}).join(',')}}`;

/** The beginning of every script: sliding windows, and the steps of a registration. */
const PROLOGUE = `${WINDOWS}
local TRANSITIONS = ${TABLE}

-- The state at a time; nil: the registration does not exist.
local function state_of(key, now)
  local found = redis.call('HMGET', key, 'state', 'expiresAt', 'createdAt')
  if not found[1] or now >= tonumber(found[3]) + ${LIMITS.registrationMs} then return nil end
  if found[1] == 'pending' and now >= tonumber(found[2]) then return 'expired' end
  return found[1]
end

-- Whether a stored digest is one of those given: one for each secret, separated by spaces.
local function is_one_of(stored, digests)
  return stored and string.find(digests, stored, 1, true) ~= nil
end

-- The state for a link; nil: it is not the link of the registration.
local function link_state(key, now, link)
  local state = state_of(key, now)
  local found = redis.call('HMGET', key, 'link', 'expiresAt')
  if not state or not is_one_of(found[1], link) then return nil end
  if state == 'dead' and now >= tonumber(found[2]) then return 'expired' end
  return state
end

local function opens_by_link(state)
  return TRANSITIONS[state].link[2] == 'granted'
end

-- Takes the step of the table and returns the outcome. Without a valid link nothing is sent.
local function step(key, state, event)
  local transition = TRANSITIONS[state][event]
  if transition[1] ~= state then redis.call('HSET', key, 'state', transition[1]) end
  if not opens_by_link(transition[1]) then redis.call('HDEL', key, 'mail') end
  return transition[2]
end`;

/**
 * Opens a registration unless its address or mailbox is over a limit, and lists its message as
 * unsent.
 * KEYS registration, registered, latest, mailbox, unsent
 * ARGV now, member, id, the time of the first check of the message, then the fields of the
 * registration and their values
 * Returns 'opened', or the limit that was reached.
 */
export const OPEN = defineScript(`${PROLOGUE}
local now = tonumber(ARGV[1])
local perAddress, perMailbox = ${LIMITS.perAddress.windowMs}, ${LIMITS.perMailbox.windowMs}
if wait_for(KEYS[2], now, ${LIMITS.perAddress.max}, perAddress) > 0 then return 'address_limit' end
if wait_for(KEYS[4], now, ${LIMITS.perMailbox.max}, perMailbox) > 0 then return 'mailbox_limit' end
count(KEYS[2], now, ARGV[2], perAddress)
count(KEYS[4], now, ARGV[2], perMailbox)
redis.call('HSET', KEYS[1], 'state', 'pending', 'attempts', 0, unpack(ARGV, 5))
redis.call('PEXPIRE', KEYS[1], ${LIMITS.registrationMs})
redis.call('LPUSH', KEYS[3], ARGV[3])
redis.call('LTRIM', KEYS[3], 0, ${LIMITS.perAddress.max - 1})
redis.call('PEXPIRE', KEYS[3], ${LIMITS.registrationMs})
redis.call('ZADD', KEYS[5], ARGV[4], ARGV[3])
redis.call('PEXPIRE', KEYS[5], ${LIMITS.registrationMs})
return 'opened'`);

/**
 * Selects the registrations with a message to send. Removes the others from the list of unsent
 * messages, and the encrypted messages of expired ones.
 * KEYS unsent, then the registrations · ARGV now, then the ids in the same order
 * Returns the ids with a message to send.
 */
export const STILL_UNSENT = defineScript(`
local now = tonumber(ARGV[1])
local unsent = {}
for i = 2, #KEYS do
  local found = redis.call('HMGET', KEYS[i], 'mail', 'expiresAt')
  if found[1] and now < tonumber(found[2]) then
    unsent[#unsent + 1] = ARGV[i]
  else
    redis.call('HDEL', KEYS[i], 'mail')
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return unsent`);

/**
 * Evaluates a code for the first open registration, or if none is open for the first one. Counts
 * the attempt before it compares the code, and compares only while attempts remain.
 * KEYS wrong, then the registrations, newest first
 * ARGV now, member, 1 or 0: whether to compare (else nothing is counted and the outcome is
 * 'not_compared'), then for each registration the digests of the given code
 * Returns {outcome, index of the registration from 1, remaining attempts (-1: not compared) or
 * milliseconds to wait}
 */
export const TRY_CODE = defineScript(`${PROLOGUE}
local now = tonumber(ARGV[1])
local chosen, state
for i = 2, #KEYS do
  local found = state_of(KEYS[i], now)
  if found and (not chosen or found == 'pending') then chosen, state = i, found end
  if found == 'pending' then break end
end
if not chosen then return {'invalid_or_expired', 0, 0} end
local key = KEYS[chosen]
if state ~= 'pending' then return {step(key, state, 'wrongCode'), chosen - 1, -1} end
local window = ${LIMITS.wrongCodes.windowMs}
local wait = wait_for(KEYS[1], now, ${LIMITS.wrongCodes.max}, window)
if wait > 0 then return {'too_many_requests', chosen - 1, wait} end
if ARGV[3] ~= '1' then return {'not_compared', chosen - 1, -1} end
local attempts = redis.call('HINCRBY', key, 'attempts', 1)
local left = ${LIMITS.attemptsMax} - attempts
if is_one_of(redis.call('HGET', key, 'code'), ARGV[chosen + 2]) then
  redis.call('HSET', key, 'grantedTo', ARGV[2])
  return {step(key, state, 'rightCode'), chosen - 1, left}
end
count(KEYS[1], now, ARGV[2], window)
return {step(key, state, left > 0 and 'wrongCode' or 'lastWrongCode'), chosen - 1, left}`);

/**
 * Uses the link of a registration, once.
 * KEYS registration · ARGV now, member, digests of the link · Returns the outcome.
 */
export const USE_LINK = defineScript(`${PROLOGUE}
local state = link_state(KEYS[1], tonumber(ARGV[1]), ARGV[3])
if not state then return 'invalid_or_expired' end
if opens_by_link(state) then redis.call('HSET', KEYS[1], 'grantedTo', ARGV[2]) end
return step(KEYS[1], state, 'link')`);

/**
 * Reopens a registration whose key could not be issued, and gives its attempt back.
 * KEYS registration · ARGV now · Returns the outcome.
 */
export const REOPEN = defineScript(`${PROLOGUE}
local state = state_of(KEYS[1], tonumber(ARGV[1]))
if not state then return 'invalid_or_expired' end
if state == 'completed' then redis.call('HINCRBY', KEYS[1], 'attempts', -1) end
local left = ${LIMITS.attemptsMax} - tonumber(redis.call('HGET', KEYS[1], 'attempts'))
return step(KEYS[1], state, left > 0 and 'issueFailed' or 'deadIssueFailed')`);

/** KEYS registration · ARGV now · Returns the state, or nil if the registration does not exist. */
export const STATE = defineScript(`${PROLOGUE}
return state_of(KEYS[1], tonumber(ARGV[1]))`);

/**
 * Checks whether a link is valid, without using it.
 * KEYS registration · ARGV now, digests of the link · Returns 1 or 0.
 */
export const IS_LINK_OPEN = defineScript(`${PROLOGUE}
local state = link_state(KEYS[1], tonumber(ARGV[1]), ARGV[2])
return state and opens_by_link(state) and 1 or 0`);
