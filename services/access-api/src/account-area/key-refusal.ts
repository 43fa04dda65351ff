import { ACCOUNT_KEY_LIMITS, type Creation } from '../keys/account-keys.ts';

/** Why no key was made, to a person. */
export function keyRefusal(status: Exclude<Creation['status'], 'created'>): string {
  const { liveMax, perDayMax } = ACCOUNT_KEY_LIMITS;
  return {
    too_many_live:
      `This account has ${liveMax} keys that work, and no more can be made here. ` +
      'Revoke one that is not needed any more, then create another.',
    signed_out: 'You were signed out meanwhile. Sign in again, and look at your keys.',
    too_many_today: `${perDayMax} keys were made here within a day. Try again tomorrow.`,
  }[status];
}
