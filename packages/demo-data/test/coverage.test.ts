import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordTables } from '@vcds/importer';
import { atLength } from '@vcds/test-kit';
import * as lists from '@vcds/venture-model';
import { datasetLines } from '../src/dataset.ts';
import { type Fields, finalRecords } from './support/records.ts';

const upperBounds = [10, 50, 100, 250, 500, 1000, 5000, 10_000, Number.POSITIVE_INFINITY];
const bucketOf = (members: unknown): unknown =>
  typeof members === 'number' ? upperBounds.findIndex((bound) => members <= bound) + 1 : null;
const same = (value: unknown): unknown => value;
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
const stageNumbers = lists.stages.map(({ value }) => value);
const stageOf = ({ Stage, Series }: Fields) =>
  Stage === undefined ? lists.stages.find(({ label }) => label === Series)?.value : Stage;

describe.each([300, atLength(1_500, 6_000)])('a data set of %d startups', (startups) => {
  let records: Map<string, Map<string, Fields>>;
  const all = (type: string): Fields[] => [...(records.get(type)?.values() ?? [])];

  beforeAll(() => {
    records = finalRecords(datasetLines({ startups }));
  });

  test.each([
    ['startup', 0.97, 1],
    ['fund', 0.07, 0.25],
    ['person', 1.6, 2.4],
    ['round', 1.6, 2.3],
    ['investor', 0.2, 0.6],
    ['holding', 0.2, 0.8],
    ['valuation', 0.1, 0.3],
    ['news', 0.4, 1],
    ['startup_person', 1.4, 1.8],
    ['fund_person', 0.1, 0.8],
    ['reference', 0.1, 0.4],
    ['observation', 0.02, 0.1],
  ])('has the documented count of each type: %s', (type, low, high) => {
    expect(all(type).length / startups).toBeGreaterThanOrEqual(low);
    expect(all(type).length / startups).toBeLessThanOrEqual(high);
    expect([...records.keys()].sort()).toEqual(Object.keys(recordTables).sort());
  });

  test('has every stage as the last one of a startup', () => {
    const last = new Map<string, Fields>();
    for (const round of all('round')) {
      const startup = JSON.stringify(round.Startup);
      if (round.Confirmed === false || round.Date === null) continue;
      if (String(round.Date) >= String(last.get(startup)?.Date ?? '')) last.set(startup, round);
    }
    const occurring = new Set([...last.values()].map(stageOf));
    expect(stageNumbers.filter((stage) => !occurring.has(stage))).toEqual([]);
  });

  test.each([
    ['fund', 'InvestmentStages', stageNumbers],
    ['startup', 'NextFundingStage', stageNumbers],
    ['fund', 'InvestmentTypes', names(lists.investorTypes)],
    ['startup', 'OperatingStatus', names(lists.operatingStatuses)],
    ['fund', 'OperatingStatus', names(lists.operatingStatuses)],
    ['startup', 'OperatingStatusSource', ['inferred', 'owner', 'editor']],
    ['holding', 'Status', names(lists.exitStatuses)],
    ['startup', 'PrimarySource', names(lists.primarySources)],
    ['person', 'Role', names(lists.personRoles)],
    ['startup', 'MembersCount', lists.memberBuckets.map(({ value }) => value), bucketOf],
    ['fund', 'MembersCount', lists.memberBuckets.map(({ value }) => value), bucketOf],
  ] as const)('has every value of the closed lists: %s %s', (type, field, list, read = same) => {
    const occurring = new Set(
      all(type)
        .flatMap((record) => record[field])
        .map(read),
    );
    expect((list as readonly unknown[]).filter((value) => !occurring.has(value))).toEqual([]);
  });

  test('has every optional field in some records and not in others', () => {
    const neverOrAlways = Object.values(recordTables).flatMap(({ type, fields }) =>
      Object.entries(fields).flatMap(([name, row]) => {
        if ('required' in row || ALWAYS_KNOWN.has(`${type}.${name}`)) return [];
        const unknown = all(type).filter((record) => isEmpty(record[name])).length;
        return unknown === 0 || unknown === all(type).length ? [{ type, name, unknown }] : [];
      }),
    );
    expect(neverOrAlways).toEqual([]);
  });
});

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Fields that every line gives. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set([
  ...['startup', 'fund', 'person', 'round', 'valuation'].map((type) => `${type}.SourceUrl`),
  'holding.Status',
]);
