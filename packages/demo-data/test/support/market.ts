/** The companies of a data set with their rounds and valuations in US dollars, for the laws. */
import type { ImportLine } from '@vcds/importer';
import { stages } from '@vcds/venture-model';
import { dayOf } from '../../src/days.ts';
import { dollarsPerUnit } from '../../src/rates.ts';
import { type Fields, finalRecords, keyOf, recordOf } from './records.ts';

/** The final state of a data set; days are `YYYY-MM-DD`. */
export type Market = ReturnType<typeof marketOf>;
export type Company = Market['companies'][number];

function dollarsOf({ Amount, Currency }: Fields, day: string): number | null {
  if (typeof Amount !== 'number') return null;
  const rate = dollarsPerUnit(String(Currency ?? 'USD'), dayOf(day));
  if (rate === null) throw new Error(`no rate of ${Currency} for ${day}`);
  return Amount * rate;
}

/** The number of a stage; 0 where neither it nor a known series is given. */
const stageOf = ({ Stage, Series }: Fields): number =>
  Number(Stage ?? stages.find(({ label }) => label === Series)?.value ?? 0);

export function marketOf(lines: readonly ImportLine[]) {
  const records = finalRecords(lines);
  const all = (type: string) => [...(records.get(type) ?? [])];
  const firstDays = new Map<string, string>();
  for (const line of lines) {
    const record = recordOf(line);
    if (!firstDays.has(record)) firstDays.set(record, line.occurredAt?.slice(0, 10) ?? '');
  }
  const dated = (type: string) =>
    all(type)
      .map(([key, record]) => {
        const day = String(record.Date ?? firstDays.get(`${type} ${key}`));
        const investors = (record.Investors ?? []) as readonly { type: string; key: string }[];
        const [startup, round] = [keyOf(record.Startup), keyOf(record.Round)];
        const dollars = dollarsOf(record, day);
        return { key, day, dollars, startup, round, investors, stage: stageOf(record) };
      })
      .sort((a, b) => (a.day < b.day ? -1 : 1));
  const rounds = groupBy(dated('round'), ({ startup }) => startup);
  const valuations = groupBy(dated('valuation'), ({ startup }) => startup);
  const companies = all('startup').map(([key, profile]) => {
    const own = rounds.get(key) ?? [];
    return {
      key,
      profile,
      index: Number(key.split('-')[1]),
      rounds: own,
      valuations: valuations.get(key) ?? [],
      raised: own.reduce((sum, { dollars }) => sum + (dollars ?? 0), 0),
      isAllDisclosed: own.every(({ dollars }) => dollars !== null),
    };
  });
  const posts = groupBy(all('startup_person'), ([, post]) => keyOf(post.Startup));
  const later = groupBy(all('investor'), ([, { Round }]) => keyOf(Round));
  return {
    companies,
    funds: new Map(all('fund')),
    /** The investors of every final round, with the founders of its company. */
    investments: companies.flatMap((company) => {
      const people = (posts.get(company.key) ?? []).map(([, { Person }]) => keyOf(Person));
      const founders = new Set(people.filter((each) => each.startsWith('founder')));
      return company.rounds.flatMap((round) => {
        const found = (later.get(round.key) ?? []).map(([, { Investor }]) => Investor);
        return [...round.investors, ...(found as typeof round.investors)].map(
          ({ type, key: investor }) => ({ company, founders, day: round.day, type, investor }),
        );
      });
    }),
    /** The lines that end a holding. */
    exits: lines.flatMap((line) => {
      if (line.type !== 'holding' || line.op !== 'upsert' || line.Status === 'Held') return [];
      const [fund, company] = [keyOf(line.Fund), keyOf(line.Startup)];
      return [{ fund, company, day: line.occurredAt?.slice(0, 10) ?? '' }];
    }),
  };
}

function groupBy<Item>(items: readonly Item[], keyOfItem: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
