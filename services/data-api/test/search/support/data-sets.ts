import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';

/** A company as the sets describe it. */
export interface NamedSite {
  readonly name: string;
  readonly website: string | null;
}

/** Files of the sets, within the folder of real data. */
export const FUNDS_FILE = 'vc-investors-findavc2025/vcs.csv';
export const COMPANIES_FILE = 'crunchbase-2013oct-datahoarder/crunchbase-companies.csv';

/** The 6,088 funds. */
export function readFunds(folder: string): NamedSite[] {
  return rowsOf(readFileSync(join(folder, FUNDS_FILE), 'utf8')).map((row) => ({
    name: (row['Investor name'] ?? '').trim(),
    website: (row.Website ?? '').trim() || null,
  }));
}

/** The 17,727 companies of October 2013: Mac Roman, lines ended by CR, no sites. */
export function readCompanies(folder: string): NamedSite[] {
  const text = iconv.decode(readFileSync(join(folder, COMPANIES_FILE)), 'macroman');
  return rowsOf(text.replaceAll('\r', '\n')).map((row) => ({
    name: (row.name ?? '').trim(),
    website: null,
  }));
}

function rowsOf(text: string): Record<string, string>[] {
  return parse(text, { bom: true, columns: true, relax_quotes: true, skip_empty_lines: true });
}
