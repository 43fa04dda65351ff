/** Exchange rates of the file that the importer converts with. */
import { readFileSync } from 'node:fs';
import { DEFAULT_RATES_FILE } from '@vcds/importer';
import { yearOf } from './days.ts';

const rates = new Map<string, number>();
for (const row of readFileSync(DEFAULT_RATES_FILE, 'utf8').split('\n').slice(1)) {
  const [currency, date, rate] = row.split(',');
  rates.set(`${currency} ${date?.slice(0, 4)}`, Number(rate));
}

/** US dollars for one unit of a currency on a day, by the last rate; null before the first rate. */
export function dollarsPerUnit(currency: string, day: number): number | null {
  if (currency === 'USD') return 1;
  for (let year = yearOf(day); year >= 1990; year -= 1) {
    const rate = rates.get(`${currency} ${year}`);
    if (rate !== undefined) return rate;
  }
  return null;
}
