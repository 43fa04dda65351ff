import { tmpdir } from 'node:os';
import { type ImportOptions, type ImportReport, runImport } from '@vcds/importer';
import pg from 'pg';
import { generateDataset } from './dataset.ts';
import { DEMO_SOURCE } from './profile.ts';
import type { DatasetOptions } from './spec.ts';

/** The records of a database: none, only demonstration data, or records of other sources too. */
export type Contents = 'empty' | 'demonstration' | 'other';

/** Reads the kind of records of a migrated database. Throws the driver's error if it fails. */
export async function contentsOf(connectionString: string): Promise<Contents> {
  const client = new pg.Client({ connectionString, application_name: 'vcds-demonstration' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ source: string | null }>(
      ['startup', 'fund', 'person']
        .flatMap((table) => [
          `(SELECT source FROM venture.${table} LIMIT 1)`,
          `(SELECT source FROM venture.${table} WHERE source IS DISTINCT FROM $1 LIMIT 1)`,
        ])
        .join(' UNION '),
      [DEMO_SOURCE],
    );
    if (rows.length === 0) return 'empty';
    return rows.every(({ source }) => source === DEMO_SOURCE) ? 'demonstration' : 'other';
  } finally {
    await client.end();
  }
}

export type FillOptions = Pick<ImportOptions, 'connectionString' | 'onProgress' | 'signal'> & {
  readonly dataset: DatasetOptions;
};

/**
 * Imports a data set into a database with the schema `venture`. Completes an interrupted import; a
 * complete one is left unchanged. Throws as `runImport` does, and RangeError for invalid options.
 */
export function fillDatabase({ dataset, ...options }: FillOptions): Promise<ImportReport> {
  const stream = { name: 'demonstration-data', lines: generateDataset(dataset) };
  return runImport({ ...options, stream, rejectedFolder: tmpdir() });
}
