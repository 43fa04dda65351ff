/** The companies of a data set with their rounds and valuations in US dollars, for the laws. */
import { readFileSync } from 'node:fs';
import { DEFAULT_RATES_FILE, type ImportLine } from '@vcds/importer';
import { stages } from '@vcds/venture-model';
import { type Fields, finalRecords } from './final-records.ts';

export interface Round {
  readonly key: string;
  readonly day: string;
  /** The number of the stage; null where neither it nor a known series is given. */
  readonly stage: number | null;
  readonly dollars: number | null;
  readonly confirmed: boolean;
}

export interface Valuation {
  readonly day: string;
  readonly dollars: number | null;
  readonly round: string | null;
}

export interface Company {
  readonly key: string;
  readonly index: number;
  readonly profile: Fields;
  /** In the order of their days. */
  readonly rounds: readonly Round[];
  readonly valuations: readonly Valuation[];
}

export interface Investment {
  readonly company: Company;
  readonly round: Round;
  readonly type: string;
  readonly investor: string;
}

/** The keys of what is left in the end, and the investors of every round that is. */
export interface Market {
  readonly companies: readonly Company[];
  readonly funds: ReadonlyMap<string, Fields>;
  readonly investments: readonly Investment[];
  readonly founders: ReadonlyMap<string, ReadonlySet<string>>;
  /** Lines that end a holding: fund, company, the day. */
  readonly exits: readonly {
    readonly fund: string;
    readonly company: string;
    readonly day: string;
  }[];
}

type Ref = { readonly key: string; readonly type?: string };

const RATES = new Map(
  readFileSync(DEFAULT_RATES_FILE, 'utf8')
    .split('\n')
    .map((row) => row.split(','))
    .map(([currency, date, rate]) => [`${currency} ${date?.slice(0, 4)}`, Number(rate)]),
);

function dollarsOf(amount: unknown, currency: unknown, day: string): number | null {
  if (typeof amount !== 'number') return null;
  if (currency === 'USD' || currency === null || currency === undefined) return amount;
  for (let year = Number(day.slice(0, 4)); year >= 1990; year -= 1) {
    const rate = RATES.get(`${currency} ${year}`);
    if (rate !== undefined) return amount * rate;
  }
  throw new Error(`no rate of ${currency} for ${day}`);
}

export function marketOf(lines: readonly ImportLine[]): Market {
  const records = finalRecords(lines);
  const all = (type: string) => [...(records.get(type) ?? [])];
  const first = new Map<string, string>();
  for (const line of lines) {
    const id = `${line.type} ${line.key}`;
    if (!first.has(id)) first.set(id, (line.occurredAt ?? '').slice(0, 10));
  }
  const dayOf = (type: string, key: string, date: unknown) =>
    typeof date === 'string' ? date : (first.get(`${type} ${key}`) ?? '');
  const rounds = grouped(all('round'), ([key, round]) => [
    (round.Startup as Ref).key,
    roundOf(key, round, dayOf('round', key, round.Date)),
  ]);
  const valuations = grouped(all('valuation'), ([key, valuation]) => {
    const day = dayOf('valuation', key, valuation.Date);
    const dollars = dollarsOf(valuation.Amount, valuation.Currency, day);
    const round = (valuation.Round as Ref | null)?.key ?? null;
    return [(valuation.Startup as Ref).key, { day, dollars, round }];
  });
  const companies = all('startup').map(
    ([key, profile]): Company => ({
      key,
      index: Number(key.split('-')[1]),
      profile,
      rounds: (rounds.get(key) ?? []).sort(byDay),
      valuations: (valuations.get(key) ?? []).sort(byDay),
    }),
  );
  return {
    companies,
    funds: records.get('fund') ?? new Map(),
    investments: investmentsOf(companies, records),
    founders: new Map(
      [
        ...grouped(all('startup_person'), ([, post]) => [
          (post.Startup as Ref).key,
          (post.Person as Ref).key,
        ]),
      ].map(([key, people]) => [key, new Set(people.filter((each) => each.startsWith('founder')))]),
    ),
    exits: lines.flatMap((line) =>
      line.type === 'holding' && line.op === 'upsert' && line.Status !== 'Held'
        ? [
            {
              fund: (line.Fund as Ref).key,
              company: (line.Startup as Ref).key,
              day: (line.occurredAt ?? '').slice(0, 10),
            },
          ]
        : [],
    ),
  };
}

function roundOf(key: string, round: Fields, day: string): Round {
  const named = stages.find(({ label }) => label === round.Series)?.value;
  return {
    key,
    day,
    stage: Number(round.Stage ?? named ?? 0) || null,
    dollars: dollarsOf(round.Amount, round.Currency, day),
    confirmed: round.Confirmed !== false,
  };
}

function investmentsOf(
  companies: readonly Company[],
  records: ReadonlyMap<string, ReadonlyMap<string, Fields>>,
): Investment[] {
  const later = grouped([...(records.get('investor')?.values() ?? [])], (line) => [
    (line.Round as Ref).key,
    line.Investor as Ref,
  ]);
  return companies.flatMap((company) =>
    company.rounds.flatMap((round) => {
      const listed = (records.get('round')?.get(round.key)?.Investors ?? []) as readonly Ref[];
      return [...listed, ...(later.get(round.key) ?? [])].map(({ type = '', key }) => ({
        company,
        round,
        type,
        investor: key,
      }));
    }),
  );
}

function grouped<Item, Value>(
  items: readonly Item[],
  pair: (item: Item) => readonly [string, Value],
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const item of items) {
    const [key, value] = pair(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

function byDay(a: { readonly day: string }, b: { readonly day: string }): number {
  return a.day < b.day ? -1 : 1;
}
