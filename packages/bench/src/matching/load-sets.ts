import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type InvestmentData,
  type InvestmentRow,
  type Investor,
  investmentsOf,
  MS_PER_DAY,
  type Startup,
} from '@vcds/matching';

type Encoding = 'utf8' | 'latin1' | 'macintosh';

export const dataFolder = process.env.VCDS_DATA_DIR ?? '../../../shared/data';

/** Rows of a CSV file. */
export function readCsv(path: string, encoding: Encoding = 'utf8'): string[][] {
  const bytes = readFileSync(join(dataFolder, path));
  const text = new TextDecoder(encoding)
    .decode(bytes)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n');
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  for (let k = 0; k < text.length; k++) {
    const c = text[k] as string;
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[k + 1] === '"') {
        field += '"';
        k++;
      } else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') {
      row.push(field);
      field = '';
    } else if (c === '\n') {
      row.push(field);
      if (row.length > 1 || field !== '') rows.push(row);
      row = [];
      field = '';
    } else field += c;
  }
  if (field !== '' || row.length > 0) rows.push([...row, field]);
  return rows;
}

export function records(path: string, encoding: Encoding = 'utf8'): Record<string, string>[] {
  const [header = [], ...rows] = readCsv(path, encoding);
  return rows.map((row) => Object.fromEntries(header.map((name, k) => [name, row[k] ?? ''])));
}

const dayOf = (text: string) => Math.floor(Date.parse(`${text}T00:00:00Z`) / MS_PER_DAY);

class Builder {
  investors: Investor[] = [];
  startups: Startup[] = [];
  rows: InvestmentRow[] = [];
  #investors = new Map<string, number>();
  #startups = new Map<string, number>();
  #rounds = new Map<string, number>();
  investor(id: string, fields: Partial<Investor>): number {
    let index = this.#investors.get(id);
    if (index === undefined) {
      index = this.investors.length;
      this.#investors.set(id, index);
      this.investors.push({
        id,
        name: id,
        type: '',
        country: '',
        region: '',
        city: '',
        stages: [],
        tags: [],
        founded: 0,
        ...fields,
      });
    }
    return index;
  }
  startup(id: string, fields: Partial<Startup>): number {
    let index = this.#startups.get(id);
    if (index === undefined) {
      index = this.startups.length;
      this.#startups.set(id, index);
      this.startups.push({
        id,
        tags: [],
        country: '',
        region: '',
        city: '',
        founded: 0,
        ...fields,
      });
    }
    return index;
  }
  round(id: string): number {
    let index = this.#rounds.get(id);
    if (index === undefined) {
      index = this.#rounds.size;
      this.#rounds.set(id, index);
    }
    return index;
  }
  done(): InvestmentData {
    return {
      investors: this.investors,
      startups: this.startups,
      investments: investmentsOf(this.rows),
    };
  }
}

const OCT_STAGES: Record<string, number> = {
  angel: 2,
  'series-a': 4,
  'series-b': 5,
  'series-c+': 6,
  venture: 12,
  'private-equity': 14,
  'post-ipo': 21,
  crowdfunding: 18,
  other: 22,
};

/** The October 2013 set: investments of 103 firms, joined to rounds by name, year and amount. */
export function loadOctober(): InvestmentData {
  const build = new Builder();
  const companies = new Map<string, Record<string, string>>();
  for (const c of records('crunchbase-2013oct-datahoarder/crunchbase-companies.csv', 'latin1'))
    companies.set(c.permalink as string, c);
  const rounds = new Map<string, Record<string, string>>();
  for (const r of records('crunchbase-2013oct-datahoarder/crunchbase-rounds.csv', 'latin1')) {
    const key = `${r.company_name}|${r.funded_year}|${Number(r.raised_amount_usd)}`;
    if (!rounds.has(key)) rounds.set(key, r);
  }
  const firms = new Map<string, string[]>();
  for (const f of readCsv('crunchbase-2013-vcfirms-hernamesbarbara/investors.csv'))
    firms.set(f[0] as string, f);
  for (const [company, year, amount, , , firm = ''] of readCsv(
    'crunchbase-2013-vcfirms-hernamesbarbara/investments.csv',
  )) {
    const r = rounds.get(`${company}|${Number(year)}|${Number(amount)}`);
    if (r === undefined) continue;
    const c = companies.get(r.company_permalink as string);
    const info = firms.get(firm);
    const investor = build.investor(firm, {
      founded: Number(info?.[1] ?? 0) || 0,
      city: info?.[2] ?? '',
      region: info?.[3] ?? '',
      country: info?.[3] ? 'USA' : '',
      type: 'VentureFund',
    });
    const startup = build.startup(r.company_permalink as string, {
      tags: r.company_category_code ? [r.company_category_code] : [],
      country: r.company_country_code || '',
      region: r.company_state_code || '',
      city: r.company_city || '',
      founded: Number(c?.founded_year || 0),
    });
    build.rows.push({
      investor,
      startup,
      round: build.round(
        `${r.company_permalink}|${r.funded_at}|${r.funding_round_type}|${r.raised_amount_usd}`,
      ),
      day: dayOf(r.funded_at as string),
      stage: OCT_STAGES[r.funding_round_type as string] ?? 0,
      amountUsd: Number(r.raised_amount_usd) || Number.NaN,
    });
  }
  return build.done();
}

const LANDO_FILES = ['company_investments.csv', 'people_investments.csv'];

/**
 * The lando224 set: investments of organisations and people, dated by when they were recorded. Its
 * rounds have no amounts: what a company with a single round raised in all is the amount of that round.
 */
export function loadLando(files = LANDO_FILES): InvestmentData {
  const build = new Builder();
  const roundsOf = new Map<string, Set<string>>();
  for (const row of LANDO_FILES.flatMap((file) => records(`crunchbase-lando224/${file}`))) {
    const { startup_id: startup = '', funding_round_id: round = '' } = row;
    roundsOf.set(startup, (roundsOf.get(startup) ?? new Set()).add(round));
  }
  const known = (v: string | undefined) =>
    v === undefined || v === '0' || v === '#N/A' || v === 'unknown' ? '' : v;
  for (const file of files) {
    for (const r of records(`crunchbase-lando224/${file}`)) {
      const [date = ''] = (r.created_at ?? '').split(' ');
      const [m, d, y] = date.split('/').map(Number);
      if (!y || !known(r.startup_id) || !known(r.funding_id)) continue;
      const investor = build.investor(r.funding_id as string, {
        name: r.funding_name ?? `${r.funding_first_name} ${r.funding_last_name}`,
        type: file.startsWith('people') ? 'person' : 'VentureFund',
      });
      const startup = build.startup(r.startup_id as string, {
        tags: known(r.category_code) ? [r.category_code as string] : [],
        country: known(r.country_code),
        region: known(r.state_code),
        city: known(r.city),
      });
      build.rows.push({
        investor,
        startup,
        round: build.round(r.funding_round_id as string),
        ...(roundsOf.get(r.startup_id as string)?.size === 1 && {
          amountUsd: Number(r.funding_total_usd) || Number.NaN,
        }),
        day: Math.floor(Date.UTC(2000 + y, (m as number) - 1, d as number) / MS_PER_DAY),
      });
    }
  }
  return build.done();
}
