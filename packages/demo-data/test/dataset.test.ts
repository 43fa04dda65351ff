import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ImportLine } from '@vcds/importer';
import { validateLine } from '@vcds/importer';
import { atLength } from '@vcds/test-kit';
import { datasetLines, generateDataset } from '../src/dataset.ts';
import { recordOf, referencesOf } from './support/records.ts';
import { SIGNAL_TYPES, signalsOf } from './support/signal-causes.ts';

const TODAY = '2026-01-01';
/** Lines between two measurements of the memory in use. */
const MEASURED_LINES = atLength(10_000, 100_000);

function digestOf(seed: number): string {
  const digest = createHash('sha256');
  for (const line of datasetLines({ seed })) digest.update(`${JSON.stringify(line)}\n`);
  return digest.digest('hex');
}

describe('one seed and size', () => {
  const digest = digestOf(1);

  test('give the same bytes each time, on every machine', () => {
    expect(digestOf(1)).toBe(digest);
    // Changes whenever words or rules do; the same on all platforms and versions of Node.
    expect(digest).toBe('15b8d3ca4ec9b9b6f501f43ece36fe89143891b61214a426f03971eb67adb176');
  });

  test('differ from those of another seed', () => {
    expect(digest).not.toBe(digestOf(2));
  });

  test('give the same records, names and relations on another day, moved in time', () => {
    const [one, other] = [datasetLines(), datasetLines({ today: '2027-03-04' })];
    const shape = (lines: typeof one) =>
      lines.map((line) => [line.op, recordOf(line), 'Name' in line ? line.Name : '']);
    expect(shape(other)).toEqual(shape(one));
    const last = (lines: typeof one) =>
      lines.reduce(
        (latest, { occurredAt }) => (`${occurredAt}` > latest ? `${occurredAt}` : latest),
        '',
      );
    expect(last(one).slice(0, 10)).toBe('2025-12-30');
    expect(last(other).slice(0, 10)).toBe('2027-03-02');
  });
});

describe.each([
  ['a small data set', 300, 1],
  ['a larger data set', atLength(2_000, 20_000), atLength(2, 24)],
] as const)('%s', (_, startups, leastCauses) => {
  let lines: readonly ImportLine[] = [];
  beforeAll(() => {
    lines = datasetLines({ startups });
  });

  test('has only valid lines', () => {
    for (const line of lines) validateLine(line);
  });

  test('refers only to earlier records, and changes only existing ones', () => {
    const living = new Set<string>();
    const known = new Set<string>();
    for (const line of lines) {
      const record = recordOf(line);
      for (const reference of referencesOf(line)) {
        if (!known.has(reference))
          throw new Error(`${record} refers to ${reference}, which is not earlier`);
      }
      if (line.op === 'upsert') {
        if (living.has(record)) throw new Error(`${record} is upserted twice`);
        living.add(record);
        known.add(record);
      } else if (!living.has(record)) {
        throw new Error(`${line.op} of ${record}, which does not exist`);
      }
      if (line.op === 'delete') living.delete(record);
    }
    expect(known.size).toBeGreaterThan(startups * 8);
  });

  test('dates the lines of each record in order, and none in the future', () => {
    const dates = new Map<string, string>();
    for (const line of lines) {
      const [record, date] = [recordOf(line), line.occurredAt ?? ''];
      const before = dates.get(record) ?? '';
      if (date >= TODAY || date <= before) throw new Error(`${record}: ${date} after ${before}`);
      dates.set(record, date);
    }
  });

  test(`has at least ${leastCauses} writes that cause each type of signal, in its history`, () => {
    const history = lines.filter(({ occurredAt }) => (occurredAt ?? '') >= '2025-07-05');
    const causes = history.flatMap(signalsOf);
    const rare = SIGNAL_TYPES.filter(
      (type) => causes.filter((cause) => cause === type).length < leastCauses,
    );
    expect({ types: SIGNAL_TYPES.length, rare }).toEqual({ types: 12, rare: [] });
  });

  test('every site, logo, article and reference is under .example, a reserved domain', () => {
    for (const line of lines) {
      for (const [, host] of JSON.stringify(line).matchAll(/https?:\/\/([^/"]+)/g)) {
        if (host?.endsWith('.example') !== true) throw new Error(`${host} is not reserved`);
      }
    }
  });

  test('every record is marked as invented', () => {
    for (const line of lines) {
      const isCompany = line.type === 'startup' || line.type === 'fund';
      const text = (isCompany && line.op !== 'delete' && line.Description) || 'An invented';
      if (line.source !== 'demonstration' || !text.includes('An invented')) {
        throw new Error(`${recordOf(line)} is not marked`);
      }
    }
  });
});

test('memory does not grow with the data set', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const heapAfter: number[] = [];
  let count = 0;
  for (const _ of generateDataset({ startups: 4_000_000, today: TODAY })) {
    count += 1;
    if (count % MEASURED_LINES !== 0) continue;
    collectGarbage();
    heapAfter.push(process.memoryUsage().heapUsed);
    if (count === 4 * MEASURED_LINES) break;
  }
  // A single measurement can contain garbage of another thread.
  const [earlier, later] = [heapAfter.slice(0, 2), heapAfter.slice(2)];
  expect(Math.min(...later) - Math.min(...earlier)).toBeLessThan(20e6);
});
