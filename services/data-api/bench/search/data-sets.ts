import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';

/** A company as the sets describe it. */
export interface NamedSite {
  readonly name: string;
  readonly website: string | null;
}

const repositoryRoot = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where the sets of real data lie. */
export const dataDir = process.env.VCDS_DATA_DIR ?? join(repositoryRoot, '../shared/data');

/** The 6,088 funds. */
export function readFunds(): NamedSite[] {
  const text = readFileSync(join(dataDir, 'vc-investors-findavc2025/vcs.csv'), 'utf8');
  return rowsOf(text).map((row) => ({
    name: (row['Investor name'] ?? '').trim(),
    website: (row.Website ?? '').trim() || null,
  }));
}

/** The 17,727 companies of October 2013: Mac Roman, ended by CR, without sites. */
export function readCompanies(): NamedSite[] {
  const file = 'crunchbase-2013oct-datahoarder/crunchbase-companies.csv';
  const text = iconv.decode(readFileSync(join(dataDir, file)), 'macroman');
  return rowsOf(text.replaceAll('\r', '\n')).map((row) => ({
    name: (row.name ?? '').trim(),
    website: null,
  }));
}

function rowsOf(text: string): Record<string, string>[] {
  return parse(text, { bom: true, columns: true, relax_quotes: true, skip_empty_lines: true });
}
