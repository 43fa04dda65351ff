import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordTables } from '@vcds/importer';
import {
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  personRoles,
  primarySources,
  stages,
} from '@vcds/venture-model';
import { generateDataset } from '../src/dataset.ts';
import { type Fields, finalRecords } from './support/final-records.ts';

const upperBounds = [10, 50, 100, 250, 500, 1000, 5000, 10_000, Number.POSITIVE_INFINITY];
const bucketOf = (members: unknown): number | null =>
  typeof members === 'number' ? upperBounds.findIndex((bound) => members <= bound) + 1 : null;

describe.each([300, 6000])('a data set of %d startups', (startups) => {
  let records: Map<string, Map<string, Fields>>;
  const all = (type: string): Fields[] => [...(records.get(type)?.values() ?? [])];
  const values = (type: string, field: string): Set<unknown> =>
    new Set(all(type).flatMap((record) => record[field]));

  beforeAll(() => {
    records = finalRecords(generateDataset({ startups, today: '2026-01-01' }));
  });

  test('has the documented counts, and no relation is empty', () => {
    const counts = Object.fromEntries([...records].map(([type, ofType]) => [type, ofType.size]));
    const within = (type: string, low: number, high: number) => {
      const share = (counts[type] ?? 0) / startups;
      expect({ type, share, within: share >= low && share <= high }).toMatchObject({
        within: true,
      });
    };
    within('startup', 0.97, 1);
    within('fund', 0.07, 0.25);
    within('person', 1.6, 2.4);
    within('round', 1.6, 2.3);
    within('investor', 0.2, 0.6);
    within('holding', 0.2, 0.8);
    within('valuation', 0.1, 0.3);
    within('news', 0.4, 1);
    within('startup_person', 1.4, 1.8);
    within('fund_person', 0.1, 0.8);
    within('reference', 0.1, 0.4);
    expect(Object.keys(counts).sort()).toEqual(Object.keys(recordTables).sort());
  });

  test('has every stage as the last one of a startup, as the next one and in a mandate', () => {
    const last = new Map<string, Fields>();
    for (const round of all('round')) {
      const startup = JSON.stringify(round.Startup);
      if (round.Confirmed === false || round.Date === null) continue;
      if (String(round.Date) >= String(last.get(startup)?.Date ?? '')) last.set(startup, round);
    }
    const stageOf = ({ Stage, Series }: Fields) =>
      Stage === undefined ? stages.find(({ label }) => label === Series)?.value : Stage;
    const numbers = stages.map(({ value }) => value);
    const missing = (occurring: ReadonlySet<unknown>) =>
      numbers.filter((number) => !occurring.has(number));
    expect(missing(new Set([...last.values()].map(stageOf)))).toEqual([]);
    expect(missing(values('fund', 'InvestmentStages'))).toEqual([]);
    expect(missing(values('startup', 'NextFundingStage'))).toEqual([]);
  });

  test('has every value of the other closed lists', () => {
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    const shown = (type: string, field: string, list: readonly { readonly name: string }[]) => {
      const occurring = values(type, field);
      expect(names(list).filter((name) => !occurring.has(name))).toEqual([]);
    };
    shown('fund', 'InvestmentTypes', investorTypes);
    shown('startup', 'OperatingStatus', operatingStatuses);
    shown('fund', 'OperatingStatus', operatingStatuses);
    shown('holding', 'Status', exitStatuses);
    shown('startup', 'PrimarySource', primarySources);
    shown('person', 'Role', personRoles);
    for (const type of ['startup', 'fund']) {
      const buckets = new Set(all(type).map(({ MembersCount }) => bucketOf(MembersCount)));
      for (const { value } of memberBuckets) expect(buckets).toContain(value);
    }
    const sources = values('startup', 'OperatingStatusSource');
    for (const name of ['inferred', 'owner', 'editor']) expect(sources).toContain(name);
  });

  test('has every optional field in some records and not in others', () => {
    const neverOrAlways: string[] = [];
    for (const { type, fields } of Object.values(recordTables)) {
      for (const [name, row] of Object.entries(fields)) {
        const field = `${type}.${name}`;
        if ('required' in row || alwaysKnown.has(field)) continue;
        const unknown = all(type).filter((record) => isEmpty(record[name])).length;
        if (unknown === 0) neverOrAlways.push(`${field} is never unknown`);
        if (unknown === all(type).length) neverOrAlways.push(`${field} is always unknown`);
      }
    }
    expect(neverOrAlways).toEqual([]);
  });
});

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Fields that every line gives. */
const alwaysKnown: ReadonlySet<string> = new Set([
  ...['startup', 'fund', 'person', 'round', 'valuation'].map((type) => `${type}.SourceUrl`),
  'holding.Status',
]);
