import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { ImportReport } from '../../src/import/index.ts';
import { type ImportWorld, nonZero, sumsAgree } from '../import/support.ts';
import type { Feed, Signal } from '../signals/support/feed.ts';

/** Time for a test over whole files, in milliseconds. */
export const PATIENCE_MS = 10 * 60_000;

export const mapping = (name: string) =>
  fileURLToPath(new URL(`../../mappings/${name}.json`, import.meta.url));

/** Imports a file, then again: the second time must change nothing. Answers the first report. */
export async function importTwice(
  world: ImportWorld,
  path: string,
  by: string,
  continueOnRejected = false,
): Promise<ImportReport> {
  const options = { mapping: mapping(by), continueOnRejected };
  const first = await world.importFile(path, options);
  expect(sumsAgree(first)).toBe(true);
  const again = await world.importFile(path, options);
  expect(sumsAgree(again)).toBe(true);
  expect(again.total).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
  expect(again.total.read).toBe(first.total.read);
  expect(again.total.rejected).toBe(first.total.rejected);
  expect(again.relabelled).toEqual([]);
  return first;
}

/** By type of record, the counts that are not zero. */
export function countsOf({ byType }: ImportReport): Record<string, unknown> {
  return Object.fromEntries([...byType].map(([type, row]) => [type, nonZero(row)]));
}

/** What a reader is told from a cursor on. */
export interface Told {
  readonly signals: readonly Signal[];
  /** Signals by type. */
  readonly counts: Readonly<Record<string, number>>;
  readonly cursor: string;
}

/** Follows the feed from a cursor, or from its beginning, to all that is committed. */
export async function told(feed: Feed, from?: string): Promise<Told> {
  await feed.published();
  const query = { limit: '200', ...(from === undefined ? {} : { cursor: from }) };
  const { signals, cursor } = await feed.follow(query);
  const counts: Record<string, number> = {};
  for (const { type } of signals) counts[type] = (counts[type] ?? 0) + 1;
  return { signals, counts, cursor };
}

/** A snapshot of a history: its lines, and how many there are of each kind. */
export interface Snapshot {
  readonly lines: string[];
  readonly kinds: Record<string, number>;
}

/** The lines of a file of changes by their snapshots, in the order of the file. */
export async function snapshotsOf(file: string): Promise<ReadonlyMap<string, Snapshot>> {
  const snapshots = new Map<string, Snapshot>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { snapshot, kind }: { snapshot: string; kind: string } = JSON.parse(line);
    const found = snapshots.get(snapshot) ?? { lines: [], kinds: {} };
    found.lines.push(line);
    found.kinds[kind] = (found.kinds[kind] ?? 0) + 1;
    snapshots.set(snapshot, found);
  }
  return snapshots;
}
