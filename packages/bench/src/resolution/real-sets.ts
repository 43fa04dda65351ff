import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatedRound, Statement } from '@vcds/resolution';
import { dataFolder, readCsv, records } from '../matching/load-sets.ts';

/** A statement with the company that it is of, by an id that the comparison does not read. */
export interface Labelled {
  readonly statement: Statement;
  /** Undefined: not known, pairs of it are not counted. */
  readonly truth: string | undefined;
}

type Draft = { -readonly [K in keyof Statement]: Statement[K] } & {
  rounds: StatedRound[];
  links: string[];
  people: string[];
  newsDays: string[];
  truth?: string;
};

export class Drafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #source: string;
  readonly #entity: 1 | 2;

  constructor(source: string, entity: 1 | 2 = 1) {
    this.#source = source;
    this.#entity = entity;
  }

  of(key: string, name: string, fields: Partial<Statement> = {}): Draft {
    let draft = this.#drafts.get(key);
    if (draft === undefined) {
      const lists = { rounds: [], links: [], people: [], newsDays: [] };
      const id = `${this.#source}:${key}`;
      draft = { id, entity: this.#entity, source: this.#source, name, ...lists };
      this.#drafts.set(key, draft);
    }
    Object.assign(draft, fields);
    return draft;
  }

  get(key: string): Draft | undefined {
    return this.#drafts.get(key);
  }

  entries(): IterableIterator<[string, Draft]> {
    return this.#drafts.entries();
  }
}

const known = (text = ''): string[] =>
  ['', '0', '#N/A', 'unknown', '\\N'].includes(text) ? [] : [text];
const numberOf = (text = ''): number | null => (Number(text) > 0 ? Number(text) : null);

/** October 2013: companies with rounds and takeovers; the key is the permalink. */
export function october(): Drafts {
  const folder = 'crunchbase-2013oct-datahoarder';
  const drafts = new Drafts('crunchbase-2013oct');
  const place = (r: Record<string, string>, p: string): Partial<Statement> => ({
    countries: known(r[`${p}country_code`]),
    regions: known(r[`${p}state_code`]),
    cities: known(r[`${p}city`]),
    tags: known(r[`${p}category_code`]),
  });
  for (const r of records(`${folder}/crunchbase-companies.csv`, 'macintosh')) {
    drafts.of(r.permalink ?? '', r.name ?? '', {
      ...place(r, ''),
      founded: numberOf(r.founded_year),
      totalRaised: numberOf(r.funding_total_usd),
    });
  }
  for (const r of records(`${folder}/crunchbase-rounds.csv`, 'macintosh')) {
    const draft = drafts.get(r.company_permalink ?? '');
    draft?.rounds.push({ month: r.funded_month ?? '', amount: numberOf(r.raised_amount_usd) });
  }
  for (const r of records(`${folder}/crunchbase-acquisitions.csv`, 'macintosh')) {
    const key = r.company_permalink ?? '';
    if (key === '') continue;
    const draft = drafts.get(key) ?? drafts.of(key, r.company_name ?? '', place(r, 'company_'));
    if (r.acquired_at) draft.newsDays.push(r.acquired_at);
  }
  return drafts;
}

/** The snapshot of 2013: companies with investors and takeovers, and investors; keys are numbers. */
export function lando(): { startups: Drafts; funds: Drafts } {
  const startups = new Drafts('crunchbase-2013');
  const funds = new Drafts('crunchbase-2013', 2);
  for (const file of ['company_investments.csv', 'people_investments.csv']) {
    for (const r of records(`crunchbase-lando224/${file}`)) {
      const [name] = known(r.startup_name);
      if (name === undefined) continue;
      const draft = startups.of(r.startup_id ?? '', name, {
        countries: known(r.country_code),
        regions: known(r.state_code),
        cities: known(r.city),
        tags: known(r.category_code),
        totalRaised: numberOf(r.funding_total_usd),
      });
      const [fund] = known(r.funding_name);
      if (fund === undefined) {
        const person = `${r.funding_first_name} ${r.funding_last_name}`;
        if (r.funding_first_name !== undefined) draft.people.push(person);
        continue;
      }
      draft.links.push(fund);
      funds.of(r.funding_id ?? '', fund).links.push(name);
    }
  }
  for (const r of records('crunchbase-lando224/acquisitions.csv')) {
    const [name] = known(r.acquired_name);
    if (name === undefined) continue;
    const day = dayOf(r.acquired_at);
    const draft =
      startups.get(r.acquired_object_id ?? '') ?? startups.of(r.acquired_object_id ?? '', name);
    if (day !== '') draft.newsDays.push(day);
  }
  return { startups, funds };
}

/** `M/D/YY`. */
export function dayOf(text = ''): string {
  const [m, d, y] = text.split('/').map(Number);
  if (!m || !d || y === undefined) return '';
  const year = y > 13 ? 1900 + y : 2000 + y;
  return new Date(Date.UTC(year, m - 1, d)).toISOString().slice(0, 10);
}

/** Rounds in the United States; the key is an older permalink of the same directory as October's. */
export function techcrunch(): Drafts {
  const drafts = new Drafts('techcrunch-continental-usa');
  const rows = records('techcrunch-continental-usa/TechCrunchcontinentalUSA.csv', 'macintosh');
  for (const r of rows) {
    const draft = drafts.of(r.permalink ?? '', r.company ?? '', {
      countries: ['USA'],
      regions: known(r.state),
      cities: known(r.city),
      tags: known(r.category),
    });
    const day = new Date(`${r.fundedDate} UTC`);
    if (Number.isNaN(day.getTime())) continue;
    draft.rounds.push({ month: day.toISOString().slice(0, 7), amount: numberOf(r.raisedAmt) });
  }
  return drafts;
}

/** The firms of 2013 and what they hold; names are keys. */
export function vcfirms(): { startups: Drafts; funds: Drafts } {
  const startups = new Drafts('vcfirms-2013');
  const funds = new Drafts('vcfirms-2013', 2);
  const folder = 'crunchbase-2013-vcfirms-hernamesbarbara';
  for (const [firm = '', founded, city, state] of readCsv(`${folder}/investors.csv`)) {
    if (firm === '') continue;
    const place = { regions: known(state), cities: known(city), countries: state ? ['USA'] : [] };
    funds.of(firm, firm, { founded: numberOf(founded), ...place });
  }
  for (const [company = '', year, amount, , , firm = ''] of readCsv(`${folder}/investments.csv`)) {
    const draft = startups.of(company, company);
    const round = { month: `${year}-01`, amount: numberOf(amount) };
    draft.rounds.push(round);
    draft.links.push(firm);
    funds.of(firm, firm).links.push(company);
  }
  return { startups, funds };
}

export function unicorns(): { startups: Drafts; funds: Drafts } {
  const startups = new Drafts('unicorns-2022');
  const funds = new Drafts('unicorns-2022', 2);
  for (const r of records('unicorns-2022/Unicorn_Companies.csv')) {
    const name = (r.Company ?? '').trim();
    const investors = (r['Select Investors'] ?? '').split(',').map((text) => text.trim());
    startups.of(`${name}|${r.Country}`, name, {
      countries: known(r.Country),
      cities: known(r.City),
      tags: known(r.Industry),
      founded: numberOf(r['Year Founded']),
      links: investors.filter((text) => text !== ''),
    });
    for (const investor of investors) {
      if (investor !== '') funds.of(investor, investor).links.push(name);
    }
  }
  return { startups, funds };
}

export function findavc(): Drafts {
  const drafts = new Drafts('findavc-2025', 2);
  for (const r of records('vc-investors-findavc2025/vcs.csv')) {
    const [name = '', website = ''] = Object.values(r);
    const parts = (r['Global HQ'] ?? '').split(',').map((text) => text.trim());
    drafts.of(`${name}|${website}`, name.trim(), {
      website: website.trim(),
      description: r['Investment thesis'] ?? null,
      countries: known(parts.at(-1)),
      cities: parts.length > 1 && !/\d/u.test(parts[0] ?? '') ? known(parts[0]) : [],
    });
  }
  return drafts;
}

/** The directory at its first snapshot and at its last: the same ids, other names and sites. */
export function directory(): { first: Drafts; last: Drafts } {
  const first = new Drafts('directory-first');
  const last = new Drafts('directory-last');
  const records = new Map<string, Record<string, unknown>>();
  const text = readFileSync(join(dataFolder, 'yc-history/yc_changes_dev.jsonl'), 'utf8');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const { kind, id, record, changed } = JSON.parse(line);
    if (kind === 'added' && !records.has(id)) {
      records.set(id, { ...record });
      first.of(id, record.name, directoryFields(record));
    } else if (kind === 'updated') Object.assign(records.get(id) ?? {}, changed);
  }
  for (const [id, record] of records) last.of(id, String(record.name), directoryFields(record));
  return { first, last };
}

function directoryFields(record: Record<string, unknown>): Partial<Statement> {
  const places =
    String(record.all_locations ?? '')
      .split(';')[0]
      ?.split(',') ?? [];
  const regions = (record.regions as string[] | undefined) ?? [];
  const countries = places.length > 1 ? [places.at(-1)?.trim() ?? ''] : regions;
  return {
    website: String(record.website ?? ''),
    description: String(record.long_description ?? ''),
    tags: (record.tags as string[] | undefined) ?? [],
    cities: places.length > 1 ? known(places[0]?.trim()) : [],
    countries,
  };
}
