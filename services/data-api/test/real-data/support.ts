import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, jest } from '@jest/globals';
import type { ImportReport } from '@vcds/importer';
import { atLength } from '@vcds/test-kit';
import {
  type ImportFixture,
  nonZero,
  sumsAgree,
} from '../../../../packages/importer/test/support.ts';
import type { Feed, Signal } from '../signals/support/feed.ts';

// Tests read whole files.
jest.setTimeout(10 * 60_000);

/** The files of October 2013, and how many lines of each are read, in the order of reading. */
export const OCTOBER_2013 = {
  companies: 'crunchbase-2013oct-datahoarder/crunchbase-companies.csv',
  rounds: 'crunchbase-2013oct-datahoarder/crunchbase-rounds.csv',
  acquisitions: 'crunchbase-2013oct-datahoarder/crunchbase-acquisitions.csv',
  filesRead: [
    ['crunchbase-companies.csv', 17_727],
    ['crunchbase-rounds.csv', 31_679],
    ['crunchbase-acquisitions.csv', 6185],
    ['lines', 0],
  ],
} as const;

export const mapping = (name: string) =>
  fileURLToPath(new URL(`../../mappings/${name}.json`, import.meta.url));

/**
 * Writes the header and those rows of a file that are to be kept, by their first value and their
 * index, to a file of the same name in a folder. Rows are lines.
 */
export async function partOf(
  path: string,
  folder: string,
  isKept: (key: string, index: number) => boolean,
  lineEnd = '\r',
): Promise<string> {
  const [header = '', ...rows] = (await readFile(path, 'latin1')).split(lineEnd);
  const kept = rows.filter((row, index) => isKept(row.slice(0, row.indexOf(',')), index));
  const part = join(folder, basename(path));
  await writeFile(part, [header, ...kept].join(lineEnd), 'latin1');
  return part;
}

/** The number of repeated imports of a file, which must change nothing. */
const REPEATS = atLength(0, 1);

/** Imports a file, in a soak twice; returns the first report. */
export async function importRepeatedly(
  fixture: ImportFixture,
  path: string,
  by: string,
  continueOnRejected = false,
): Promise<ImportReport> {
  const options = { mapping: mapping(by), continueOnRejected };
  const first = await fixture.importFile(path, options);
  expect(sumsAgree(first)).toBe(true);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const again = await fixture.importFile(path, options);
    expectUnchanged(again);
    expect(again.total.read).toBe(first.total.read);
    expect(again.total.rejected).toBe(first.total.rejected);
  }
  return first;
}

/** Expects that the import wrote nothing. */
export function expectUnchanged(report: ImportReport): void {
  expect(sumsAgree(report)).toBe(true);
  expect(report.total).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
  expect(report.relabelled).toEqual([]);
}

/** By type of record, the counts that are not zero. */
export function countsOf({ byType }: ImportReport): Record<string, unknown> {
  return Object.fromEntries([...byType].map(([type, row]) => [type, nonZero(row)]));
}

/** The signals of the feed after a cursor. */
export interface FeedPage {
  readonly signals: readonly Signal[];
  /** Signals by type. */
  readonly counts: Readonly<Record<string, number>>;
  readonly cursor: string;
}

/** Waits until all changes are published, and reads the feed from a cursor or its beginning. */
export async function readFeed(feed: Feed, from?: string): Promise<FeedPage> {
  await feed.published();
  const query = { limit: '200', ...(from === undefined ? {} : { cursor: from }) };
  const { signals, cursor } = await feed.follow(query);
  const counts: Record<string, number> = {};
  for (const { type } of signals) counts[type] = (counts[type] ?? 0) + 1;
  return { signals, counts, cursor };
}

interface Change {
  readonly snapshot: string;
  readonly kind: string;
  /** The number of the company. */
  readonly id: number;
}

/** A snapshot of a history: its lines, and their number of each kind. */
export interface Snapshot {
  readonly lines: string[];
  readonly kinds: Record<string, number>;
}

/**
 * The lines of a file of changes by their snapshots, in the order of the file.
 *
 * @param step only companies whose number is a multiple of this are in them.
 */
export async function snapshotsOf(
  file: string,
  step: number,
): Promise<ReadonlyMap<string, Snapshot>> {
  const snapshots = new Map<string, Snapshot>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { snapshot, kind, id } = JSON.parse(line) as Change;
    if (id % step !== 0) continue;
    const found = snapshots.get(snapshot) ?? { lines: [], kinds: {} };
    found.lines.push(line);
    found.kinds[kind] = (found.kinds[kind] ?? 0) + 1;
    snapshots.set(snapshot, found);
  }
  return snapshots;
}
