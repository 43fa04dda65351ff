import type { ImportReport } from '@vcds/importer';
import { type Progress, runImport } from '@vcds/importer';
import pg from 'pg';
import { demonstrationSource } from './stamp.ts';
import { generateWorld, type WorldOptions } from './world.ts';

/** What a database holds, as far as the world is concerned. */
export type Contents = 'empty' | 'demonstration' | 'foreign';

/**
 * Whether a database with the schema `venture` holds no records, only records of a demonstration
 * world (whole or in part), or records of any other source.
 * @throws the driver's error when the database cannot be reached or has no such schema.
 */
export async function contentsOf(connectionString: string): Promise<Contents> {
  const client = new pg.Client({ connectionString, application_name: 'vcds-demonstration' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const tables = ['startup', 'fund', 'person'];
    const any = (condition: string) =>
      tables.map((table) => `EXISTS (SELECT FROM venture.${table} ${condition})`).join(' OR ');
    const { rows } = await client.query<{ filled: boolean; foreign: boolean }>(
      `SELECT ${any('')} AS filled, ${any('WHERE source IS DISTINCT FROM $1')} AS foreign`,
      [demonstrationSource],
    );
    if (rows[0]?.filled !== true) return 'empty';
    return rows[0].foreign ? 'foreign' : 'demonstration';
  } finally {
    await client.end();
  }
}

export interface FillOptions {
  /** PostgreSQL with the migrated schema `venture`. */
  readonly connectionString: string;
  readonly world: WorldOptions;
  /** Where the lines that the importer rejects are written, should there be any. */
  readonly rejectedFolder: string;
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the import between two transactions; what is committed stays. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a world into a database through the importer. One that was broken off is completed, and
 * one that is there already is left as it is.
 * @throws as `runImport` does, and RangeError for options of the world out of bounds.
 */
export async function fillWorld(options: FillOptions): Promise<ImportReport> {
  const { connectionString, world, rejectedFolder, onProgress, signal } = options;
  return runImport({
    connectionString,
    stream: { name: 'demonstration-world', lines: generateWorld(world) },
    rejectedFolder,
    ...(onProgress !== undefined && { onProgress }),
    ...(signal !== undefined && { signal }),
  });
}
