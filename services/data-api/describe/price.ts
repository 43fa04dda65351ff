import type { RateCardEntry } from '@vcds/metering';

/** The price of an endpoint in words. */
export function priceOf({ base, perRecordQuarters, minimum, expands, class: id }: RateCardEntry) {
  if (minimum === 0) return 'Free.';
  const plural = (credits: number) => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
  if (perRecordQuarters === 0) return `Price: ${plural(base)} for the call.`;
  const surcharge = expands.length === 0 ? '' : ', plus 25 % of it for each expanded relation';
  const least = `at least ${plural(minimum)} for the call`;
  return `Price: ${plural(perRecordQuarters / 4)} for each record${surcharge}; ${least} (class \`${id}\`).`;
}
