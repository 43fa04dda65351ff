import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ImportLine } from '@vcds/importer';
import { validateLine } from '@vcds/importer';
import { generateWorld, type WorldOptions, worldLines } from '../../src/demo/world.ts';
import { recordOf, referencesOf } from './support/references.ts';
import { signalsOf, signalTypes } from './support/signal-causes.ts';

const today = '2026-01-01';

function digestOf(options: WorldOptions): string {
  const digest = createHash('sha256');
  for (const line of generateWorld(options)) digest.update(`${JSON.stringify(line)}\n`);
  return digest.digest('hex');
}

describe('one seed and size', () => {
  test('give the same bytes each time, on every machine', () => {
    const options = { startups: 300, seed: 1, today };
    expect(digestOf(options)).toBe(digestOf(options));
    // Changes whenever words or rules do; the same on all platforms and versions of Node.
    expect(digestOf(options)).toBe(
      '560d0c39a2485ad7c006b1c2d2d0a9489b1fcb9382e8b1adabb8423c66ad5e5b',
    );
  });

  test('give another world than another seed', () => {
    expect(digestOf({ startups: 300, seed: 1, today })).not.toBe(
      digestOf({ startups: 300, seed: 2, today }),
    );
  });

  test('give the same records, names and relations on another day, moved in time', () => {
    const [one, other] = [worldLines(), worldLines({ today: '2027-03-04' })];
    const shape = (lines: typeof one) =>
      lines.map((line) => [line.op, recordOf(line), 'Name' in line ? line.Name : '']);
    expect(shape(other)).toEqual(shape(one));
    const last = (lines: typeof one) =>
      lines
        .map(({ occurredAt }) => occurredAt ?? '')
        .sort()
        .at(-1);
    expect(last(one)?.slice(0, 10)).toBe('2025-12-26');
    expect(last(other)?.slice(0, 10)).toBe('2027-02-26');
  });
});

describe.each([
  ['a small world', 300, 1],
  ['a whole world', 20_000, 24],
] as const)('%s', (_, startups, leastCauses) => {
  let lines: readonly ImportLine[] = [];
  beforeAll(() => {
    lines = worldLines({ startups });
  });

  test('holds only lines that the importer takes', () => {
    for (const line of lines) validateLine(line);
  });

  test('refers only to records that stand before, and changes only those that are there', () => {
    const living = new Set<string>();
    const known = new Set<string>();
    for (const line of lines) {
      const record = recordOf(line);
      for (const reference of referencesOf(line)) {
        if (!known.has(reference)) throw new Error(`${record} refers to ${reference}, not there`);
      }
      if (line.op === 'upsert') {
        if (living.has(record)) throw new Error(`${record} is upserted twice`);
        living.add(record);
        known.add(record);
      } else if (!living.has(record)) {
        throw new Error(`${line.op} of ${record}, which is not there`);
      }
      if (line.op === 'delete') living.delete(record);
    }
    expect(known.size).toBeGreaterThan(startups * 8);
  });

  test('dates the lines of each record in order, and none in the future', () => {
    const dates = new Map<string, string>();
    for (const line of lines) {
      const [record, date] = [recordOf(line), line.occurredAt ?? ''];
      if (date >= today) throw new Error(`${record} is of the future: ${date}`);
      const before = dates.get(record);
      if (before !== undefined && before >= date) {
        throw new Error(`${record}: ${date} stands after ${before}`);
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
    for (const type of signalTypes) {
      expect({ type, enough: (causes.get(type) ?? 0) >= leastCauses }).toEqual({
        type,
        enough: true,
      });
    }
  });
});

test('every site, logo, article and reference is under .example, which leads nowhere', () => {
  for (const line of generateWorld({ startups: 2000, today })) {
    for (const address of JSON.stringify(line).matchAll(/https?:\/\/([^/"]+)/g)) {
      if (address[1]?.endsWith('.example') !== true) throw new Error(`${address[1]} may be real`);
    }
  }
});

test('everything says that it is invented', () => {
  for (const line of worldLines()) {
    expect(line.source).toBe('demonstration');
    if ((line.type === 'startup' || line.type === 'fund') && line.op !== 'delete') {
      expect(line.Description ?? 'An invented').toContain('An invented');
    }
  }
});

test('memory stays flat however large the world', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const heapAfter: number[] = [];
  let count = 0;
  for (const _ of generateWorld({ startups: 4_000_000, today })) {
    count += 1;
    if (count % 100_000 !== 0) continue;
    collectGarbage();
    heapAfter.push(process.memoryUsage().heapUsed);
    if (count === 400_000) break;
  }
  expect(Math.max(...heapAfter) - Math.min(...heapAfter)).toBeLessThan(20e6);
});
