/**
 * The life of a registration (docs/spec/registration.md 3.4) as one table. The scripts that run
 * inside Redis are generated from it.
 *
 * The effects of time are not in the table: a pending registration expires after `LIMITS.codeMs`,
 * and so does the link of a dead one; all are unknown after `LIMITS.registrationMs` (`state_of` and
 * `link_state` in scripts.ts).
 */
export const REGISTRATION_STATES = [
  'pending',
  'completed',
  'link_used',
  'dead',
  'expired',
] as const;
export type RegistrationState = (typeof REGISTRATION_STATES)[number];

/**
 * The events of a registration. `lastWrongCode` is the fifth. `deadIssueFailed`: the key of a link
 * could not be issued, and the code was dead before the link was used.
 */
export const REGISTRATION_EVENTS = [
  'rightCode',
  'wrongCode',
  'lastWrongCode',
  'link',
  'issueFailed',
  'deadIssueFailed',
] as const;
export type RegistrationEvent = (typeof REGISTRATION_EVENTS)[number];

/** The result of an event: granted, reopened, or an error of docs/spec/errors.md 11.3. */
export type RegistrationOutcome =
  | 'granted'
  | 'wrong_code'
  | 'too_many_attempts'
  | 'invalid_or_expired'
  | 'reopened';

export interface Transition {
  readonly to: RegistrationState;
  readonly outcome: RegistrationOutcome;
}

const step = (to: RegistrationState, outcome: RegistrationOutcome): Transition =>
  Object.freeze({ to, outcome });
type Row = Readonly<Record<RegistrationEvent, Transition>>;
/** A row of the table; an event that it does not name finds nothing open and changes nothing. */
const row = (state: RegistrationState, named: Partial<Row> = {}): Row => {
  const gone = REGISTRATION_EVENTS.map((event) => [event, step(state, 'invalid_or_expired')]);
  return Object.freeze({ ...Object.fromEntries(gone), ...named });
};
const tooMany = step('dead', 'too_many_attempts');

/** One row a state, one column an event. */
export const TRANSITIONS: Readonly<Record<RegistrationState, Row>> = Object.freeze({
  pending: row('pending', {
    rightCode: step('completed', 'granted'),
    wrongCode: step('pending', 'wrong_code'),
    lastWrongCode: tooMany,
    link: step('link_used', 'granted'),
  }),
  // The key could not be issued: the same code works again.
  completed: row('completed', { issueFailed: step('pending', 'reopened') }),
  link_used: row('link_used', {
    issueFailed: step('pending', 'reopened'),
    deadIssueFailed: step('dead', 'reopened'),
  }),
  dead: row('dead', {
    rightCode: tooMany,
    wrongCode: tooMany,
    lastWrongCode: tooMany,
    // Five wrong codes may come from an attacker; only the owner of the mailbox has the link.
    link: step('link_used', 'granted'),
  }),
  expired: row('expired'),
});

/**
 * The status of each state in `GET /auth/status`; a registration that does not exist is `unknown`.
 */
export const PUBLIC_STATUS = Object.freeze({
  pending: 'pending',
  completed: 'completed',
  link_used: 'link_used',
  dead: 'expired',
  expired: 'expired',
} as const satisfies Record<RegistrationState, string>);
export type PublicStatus = (typeof PUBLIC_STATUS)[RegistrationState] | 'unknown';

export function isRegistrationState(text: unknown): text is RegistrationState {
  return (REGISTRATION_STATES as readonly unknown[]).includes(text);
}
