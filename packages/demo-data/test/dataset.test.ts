import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ImportLine } from '@vcds/importer';
import { validateLine } from '@vcds/importer';
import { datasetLines, generateDataset } from '../src/dataset.ts';
import type { DatasetOptions } from '../src/spec.ts';
import { recordOf, referencesOf } from './support/references.ts';
import { SIGNAL_TYPES, signalsOf } from './support/signal-causes.ts';

const TODAY = '2026-01-01';

function digestOf(options: DatasetOptions): string {
  const digest = createHash('sha256');
  for (const line of generateDataset(options)) digest.update(`${JSON.stringify(line)}\n`);
  return digest.digest('hex');
}

describe('one seed and size', () => {
  test('give the same bytes each time, on every machine', () => {
    const options = { startups: 300, seed: 1, today: TODAY };
    expect(digestOf(options)).toBe(digestOf(options));
    // Changes whenever words or rules do; the same on all platforms and versions of Node.
    expect(digestOf(options)).toBe(
      'bdea6ec961b985767010fc53e63fb2d5bdf8577b5d977e0532aaa9ec9dc1ae0d',
    );
  });

  test('differ from those of another seed', () => {
    expect(digestOf({ startups: 300, seed: 1, today: TODAY })).not.toBe(
      digestOf({ startups: 300, seed: 2, today: TODAY }),
    );
  });

  test('give the same records, names and relations on another day, moved in time', () => {
    const [one, other] = [datasetLines(), datasetLines({ today: '2027-03-04' })];
    const shape = (lines: typeof one) =>
      lines.map((line) => [line.op, recordOf(line), 'Name' in line ? line.Name : '']);
    expect(shape(other)).toEqual(shape(one));
    const last = (lines: typeof one) =>
      lines
        .map(({ occurredAt }) => occurredAt ?? '')
        .sort()
        .at(-1);
    expect(last(one)?.slice(0, 10)).toBe('2025-12-30');
    expect(last(other)?.slice(0, 10)).toBe('2027-03-02');
  });
});

describe.each([
  ['a small data set', 300, 1],
  ['a whole data set', 20_000, 24],
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
      if (date >= TODAY) throw new Error(`${record} is in the future: ${date}`);
      const before = dates.get(record);
      if (before !== undefined && before >= date) {
        throw new Error(`${record}: ${date} is after ${before}`);
      }
      dates.set(record, date);
    }
  });

  test(`has at least ${leastCauses} writes that cause each type of signal, in its history`, () => {
    const causes = new Map<string, number>();
    const historyDate = '2025-07-05';
    for (const line of lines) {
      if ((line.occurredAt ?? '') < historyDate) continue;
      for (const type of signalsOf(line)) causes.set(type, (causes.get(type) ?? 0) + 1);
    }
    for (const type of SIGNAL_TYPES) {
      expect({ type, enough: (causes.get(type) ?? 0) >= leastCauses }).toEqual({
        type,
        enough: true,
      });
    }
  });
});

test('every site, logo, article and reference is under .example, a reserved domain', () => {
  for (const line of generateDataset({ startups: 2000, today: TODAY })) {
    for (const address of JSON.stringify(line).matchAll(/https?:\/\/([^/"]+)/g)) {
      if (address[1]?.endsWith('.example') !== true)
        throw new Error(`${address[1]} is not reserved`);
    }
  }
});

test('every record is marked as invented', () => {
  for (const line of datasetLines()) {
    expect(line.source).toBe('demonstration');
    if ((line.type === 'startup' || line.type === 'fund') && line.op !== 'delete') {
      expect(line.Description ?? 'An invented').toContain('An invented');
    }
  }
});

test('memory does not grow with the data set', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const heapAfter: number[] = [];
  let count = 0;
  for (const _ of generateDataset({ startups: 4_000_000, today: TODAY })) {
    count += 1;
    if (count % 100_000 !== 0) continue;
    collectGarbage();
    heapAfter.push(process.memoryUsage().heapUsed);
    if (count === 400_000) break;
  }
  expect(Math.max(...heapAfter) - Math.min(...heapAfter)).toBeLessThan(20e6);
});
