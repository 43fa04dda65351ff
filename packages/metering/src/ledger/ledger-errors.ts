import { OPEN_HOLDS_MAX } from './bounds.ts';

export function moreThanHeld(actual: number, amount: number): RangeError {
  return new RangeError(`${actual} credits cannot be settled: ${amount} were held.`);
}

export function closedBucket(): Error {
  return new Error('The credit bucket is closed until it is healed.');
}

export function tooManyHolds(): Error {
  return new Error(`The account has ${OPEN_HOLDS_MAX} calls under way.`);
}

export function reservedBefore(): Error {
  return new Error('An operation that was reserved is settled and not charged.');
}
