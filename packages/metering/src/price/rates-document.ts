import { PLANS } from '../access/plans.ts';
import { PRICE_CLASS_IDS, PRICE_CLASSES, type PriceClassId } from './price-classes.ts';
import { quote } from './quote.ts';
import { RATE_CARD, rateFor } from './rate-card.ts';

/** Raised whenever a price, a plan or an endpoint changes. */
const RATE_CARD_VERSION = '1.0.0';

type Example = readonly [path: string, records: number, expands: number, count: boolean];

const EXAMPLES: readonly Example[] = [
  ['/signals', 50, 2, false],
  ['/signals', 50, 0, false],
  ['/startups', 25, 0, false],
  ['/startups', 25, 1, false],
  ['/startups', 0, 0, false],
  ['/startups', 0, 0, true],
  ['/startups/fundingrounds', 25, 0, false],
  ['/startups/search', 10, 0, false],
  ['/find', 1, 0, false],
  ['/pricing', 0, 0, false],
];

// Prices of a kind of call, beside those of endpoints.
const CLASS_LINES: readonly (readonly [path: string, PriceClassId, note: string])[] = [
  ['/{collection}?$count=true', 'totals', 'Flat, for every collection.'],
  ['/categories/{country|region|city}', 'locations', 'Flat, as every list of values.'],
];

/** The rate card as the body of GET /pricing (docs/spec/credits.md 10.9). */
export const RATES_DOCUMENT = Object.freeze({
  version: RATE_CARD_VERSION,
  unit: 'credit',
  money: 'Prices are in credits. Amounts of money in records and signals are whole US dollars.',
  formula: 'max(minimum, ceil(base + records * perRecord * (1 + 0.25 * expands)))',
  errors: PRICE_CLASSES.errors.base,
  plans: Object.freeze(Object.values(PLANS)),
  classes: Object.freeze(PRICE_CLASS_IDS.map(classLine)),
  endpoints: Object.freeze([...RATE_CARD.map(endpointLine), ...CLASS_LINES.map(extraLine)]),
  checks: Object.freeze(EXAMPLES.map(check)),
});

function classLine(id: PriceClassId) {
  const { title, base, perRecordQuarters, minimum } = PRICE_CLASSES[id];
  return Object.freeze({ class: id, title, base, perRecord: perRecordQuarters / 4, minimum });
}

function endpointLine(entry: (typeof RATE_CARD)[number]) {
  const { method, path, base, perRecordQuarters, expands, minimum, note } = entry;
  const perRecord = perRecordQuarters / 4;
  const line = { method, path, class: entry.class, base, perRecord, expands, minimum, note };
  return Object.freeze(line);
}

function extraLine([path, priceClass, note]: (typeof CLASS_LINES)[number]) {
  const { base, perRecord, minimum } = classLine(priceClass);
  const line = { path, class: priceClass, base, perRecord, minimum, note };
  return Object.freeze({ method: 'GET', ...line, expands: Object.freeze([]) } as const);
}

function check([path, records, expands, count]: Example) {
  const input = { ceilingRecords: records, expands, countOnly: count };
  const credits = quote(rateFor(path), input).settle(records);
  return Object.freeze({ path, records, expands, count, credits });
}
