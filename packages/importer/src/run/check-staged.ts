import { writeChunks } from '../checks/chunks.ts';
import { checkKeys, type StagedFile } from '../checks/keys.ts';
import { checkRates } from '../checks/rates.ts';
import { checkRecordsExist } from '../checks/records.ts';
import { checkReferences } from '../checks/references.ts';
import { deduplicateLines, skipAppliedSequences } from '../checks/repeated-lines.ts';
import { recordTables } from '../records/index.ts';
import type { RecordType } from '../records/kinds.ts';
import { readRejections } from '../report/rejections.ts';
import type { Tally } from '../report/tally.ts';
import { OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { addRejection, type SideFiles } from './stage-sources.ts';

/**
 * Checks the staged lines against the database and each other, marks those not to apply, and
 * divides the others into chunks.
 *
 * @returns the types with records that have several lines to apply.
 */
export async function checkStaged(
  tables: StageTables,
  sides: readonly SideFiles[],
  files: readonly StagedFile[],
  tally: Tally,
): Promise<ReadonlySet<RecordType>> {
  await tables.index();
  await tables.findMerged();
  const known = new Set<RecordType>();
  const repeated = new Set<RecordType>();
  let moved = false;
  // Referenced types first: rejecting a line rejects lines that refer to the record it creates.
  const types = Object.values(recordTables).flatMap(({ type }) => (tables.has(type) ? [type] : []));
  for (const type of types) {
    moved = (await checkReferences(tables, type, known)) || moved;
    // Rejecting a line can invalidate later lines; repeat until no line is rejected.
    for (let rejected = 1; rejected > 0; ) {
      rejected = await checkRates(tables, type);
      rejected += await checkRecordsExist(tables, type);
    }
  }
  for (const type of types) {
    if (!(await deduplicateLines(tables, type))) continue;
    repeated.add(type);
    await skipAppliedSequences(tables, type);
  }
  await checkKeys(tables, files, repeated);
  await countOutcomes(tables, tally);
  await writeRejections(tables, sides, tally);
  await writeChunks(tables, repeated, moved);
  return repeated;
}

async function countOutcomes(tables: StageTables, tally: Tally): Promise<void> {
  const names = ['rejected', 'duplicate', 'unchanged'] as const;
  for (const type of tables.types) {
    const { rows } = await tables.client.query<{ outcome: number; lines: number }>(
      `SELECT outcome, count(*)::int AS lines FROM ${tables.name(type)}
       WHERE outcome IS NOT NULL GROUP BY outcome`,
    );
    for (const { outcome, lines } of rows) {
      const name = names.find((each) => OUTCOMES[each] === outcome);
      if (name !== undefined) tally.add(type, name, lines);
    }
  }
}

async function writeRejections(
  tables: StageTables,
  sides: readonly SideFiles[],
  tally: Tally,
): Promise<void> {
  const names = sides.map(({ name }) => name);
  for await (const { file, rejection, follows } of readRejections(tables, names)) {
    const side = sides[file];
    if (side === undefined) continue;
    addRejection(side, rejection, tally, follows);
    if (side.rejected.isDue) await side.rejected.write();
  }
}
