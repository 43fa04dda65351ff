import { ACCOUNT_KEY_LIMITS, type Creation } from './account-keys.ts';

/** The message for a key that was not created. */
export function creationError(status: Exclude<Creation['status'], 'created'>): string {
  const { liveMax, perDayMax } = ACCOUNT_KEY_LIMITS;
  return {
    too_many_live:
      `This account has ${liveMax} active keys, the maximum. ` +
      'Revoke one you no longer need, then create another.',
    signed_out: 'You were signed out in the meantime. Sign in again and check your keys.',
    too_many_today:
      `This account has created ${perDayMax} keys within a day, the maximum. ` +
      'Try again tomorrow.',
  }[status];
}
