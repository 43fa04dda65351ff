/** What currencies were worth, from the rates that the importer converts by. */
import { readFileSync } from 'node:fs';
import { yearOf } from './calendar.ts';

/** US dollars for one unit, by currency and year; the years of a currency rise without a gap. */
const rates = new Map<string, Map<number, number>>();
const lastYears = new Map<string, number>();
const file = readFileSync(
  new URL('../../../../packages/importer/rates/usd.csv', import.meta.url),
  'utf8',
);
for (const row of file.trimEnd().split('\n').slice(1)) {
  const [currency = '', date = '', rate = ''] = row.split(',');
  const year = Number(date.slice(0, 4));
  const ofCurrency = rates.get(currency) ?? new Map<number, number>();
  rates.set(currency, ofCurrency.set(year, Number(rate)));
  lastYears.set(currency, Math.max(year, lastYears.get(currency) ?? 0));
}

/** US dollars for one unit of a currency on a day; null before its first rate. */
export function dollarsPerUnit(currency: string, day: number): number | null {
  if (currency === 'USD') return 1;
  const year = Math.min(yearOf(day), lastYears.get(currency) ?? 0);
  return rates.get(currency)?.get(year) ?? null;
}
