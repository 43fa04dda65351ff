import type pg from 'pg';
import { cutChunks } from '../checks/chunks.ts';
import { checkKeys, type StagedFile } from '../checks/keys.ts';
import { checkRates } from '../checks/rates.ts';
import { checkRecordsExist } from '../checks/records.ts';
import { checkReferences, type FirstLines } from '../checks/references.ts';
import { settleKnownSequences, settleRepeats } from '../checks/repeated-lines.ts';
import { recordTables } from '../records/index.ts';
import type { RecordType } from '../records/kinds.ts';
import { rejectionsFound } from '../report/rejections.ts';
import type { Tally } from '../report/tally.ts';
import { OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { addRejection, type SideFiles } from './stage-sources.ts';

/** What the checks of everything staged found out. */
export interface Checked {
  /** Types with records that have several lines to apply. */
  readonly repeated: ReadonlySet<RecordType>;
}

/**
 * Checks the staged lines against the database and each other, rejects, settles and orders them.
 * What is left without a fate is to be applied.
 */
export async function checkStaged(
  client: pg.Client,
  tables: StageTables,
  sides: readonly SideFiles[],
  files: readonly StagedFile[],
  tally: Tally,
): Promise<Checked> {
  await tables.index(client);
  const known: FirstLines = new Set();
  const repeated = new Set<RecordType>();
  let moved = false;
  // In the order in which records depend on each other: a rejected line takes those along that
  // refer to what it would have made.
  const types = Object.values(recordTables).flatMap(({ type }) => (tables.has(type) ? [type] : []));
  for (const type of types) {
    moved = (await checkReferences(client, tables, type, known)) || moved;
    // What a line comes to may rest on a line that was rejected just now.
    for (let rejected = 1; rejected > 0; ) {
      rejected = await checkRates(client, tables, type);
      rejected += await checkRecordsExist(client, tables, type);
    }
  }
  for (const type of types) {
    if (!(await settleRepeats(client, tables, type))) continue;
    repeated.add(type);
    await settleKnownSequences(client, tables, type);
  }
  await checkKeys(client, tables, files, repeated);
  await tallyFates(client, tables, tally);
  await writeRejections(client, tables, sides);
  await cutChunks(client, tables, !moved && repeated.size === 0);
  return { repeated };
}

async function tallyFates(client: pg.Client, tables: StageTables, tally: Tally): Promise<void> {
  for (const type of tables.types) {
    const { rows } = await client.query<{ fate: number; lines: number }>(
      `SELECT fate, count(*)::int AS lines FROM ${tables.name(type)}
       WHERE fate IS NOT NULL GROUP BY fate`,
    );
    for (const outcome of ['rejected', 'duplicate', 'unchanged'] as const) {
      const lines = rows.find(({ fate }) => fate === OUTCOMES[outcome])?.lines ?? 0;
      tally.settle(type, outcome, lines);
    }
  }
}

async function writeRejections(
  client: pg.Client,
  tables: StageTables,
  sides: readonly SideFiles[],
): Promise<void> {
  const names = sides.map(({ name }) => name);
  for await (const { file, rejection } of rejectionsFound(client, tables, names)) {
    const side = sides[file];
    if (side === undefined) continue;
    addRejection(side, rejection);
    if (side.rejected.isDue) await side.rejected.write();
  }
}
