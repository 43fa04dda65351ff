import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@vcds/test-kit';
import pg from 'pg';
import {
  type ImportLine,
  type ImportOptions,
  type ImportReport,
  recordId,
  runImport,
} from '../src/index.ts';
import type { Counts } from '../src/report/import-report.ts';

/** A database of one test file's own, and a folder for what imports write. */
export interface ImportFixture {
  readonly url: string;
  readonly urlOf: TestDatabase['urlOf'];
  readonly folder: string;
  readonly pool: pg.Pool;
  /** Imports lines; `unknown` ones are invalid lines. */
  importLines(
    lines: readonly (ImportLine | string | unknown)[],
    options?: Partial<ImportOptions>,
  ): Promise<ImportReport>;
  /** Imports lines; returns its {@link totalsOf}. */
  totals(...importing: Parameters<ImportFixture['importLines']>): Promise<string>;
  importFile(path: string, options?: Partial<ImportOptions>): Promise<ImportReport>;
  rows<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Rows of a file of JSON lines in the folder. */
  sideFile(name: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** The name under which lines given to {@link ImportFixture.importLines} are reported. */
export const STREAM_NAME = 'lines';

export async function openImportFixture(): Promise<ImportFixture> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'vcds-import-'));
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // The database may go before the last connection has.
  pool.on('error', () => undefined);
  const defaults = { connectionString: database.urlOf('vcds_importer'), rejectedFolder: folder };
  const importLines: ImportFixture['importLines'] = (lines, options = {}) =>
    runImport({
      ...defaults,
      stream: { name: STREAM_NAME, lines: lines as readonly (ImportLine | string)[] },
      ...options,
    });
  return {
    url: database.url,
    urlOf: database.urlOf,
    folder,
    pool,
    importLines,
    totals: async (...importing) => totalsOf(await importLines(...importing)),
    importFile: (path, options = {}) => runImport({ ...defaults, files: [path], ...options }),
    rows: async <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(sql, [...values])).rows,
    sideFile: async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    close: async () => {
      await pool.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const END_CONNECTIONS = `
  import pg from 'pg';
  const client = new pg.Client(process.argv[1]);
  await client.connect();
  const imports = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() " +
    "AND application_name = 'vcds-import'";
  for (let rows; rows === undefined || rows.length > 0; ) {
    ({ rows } = await client.query(imports));
    for (const { pid } of rows) await client.query('SELECT pg_terminate_backend($1)', [pid]);
  }
  await client.end();`;

/** Ends the connections of imports while this process, and so the import in it, stands still. */
export function endImportConnections({ url }: ImportFixture): void {
  const cwd = import.meta.dirname;
  const options = ['--input-type=module', '-e', END_CONNECTIONS, url];
  execFileSync(process.execPath, options, { cwd });
}

/** The counts that are not zero. */
export function nonZero(counts: Counts | undefined): Partial<Counts> {
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([, lines]) => lines !== 0));
}

/** The counts of an import that are not zero, such as `read 3, inserted 2, rejected 1`. */
export function totalsOf({ total }: ImportReport): string {
  return Object.entries(nonZero(total))
    .map(([name, lines]) => `${name} ${lines.toLocaleString('en')}`)
    .join(', ');
}

/** Whether every line read has come to exactly one end. */
export function sumsAgree({ byType, total }: ImportReport): boolean {
  return [...byType.values(), total].every(({ read, ...ends }) => {
    return Object.values(ends).reduce((sum, lines) => sum + lines, 0) === read;
  });
}

/** A startup line with what it must have. */
export const startup = (key: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'startup',
  source: 'test',
  key,
  Name: `Company ${key}`,
  ...more,
});

export const fund = (key: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'fund',
  source: 'test',
  key,
  Name: `Fund ${key}`,
  ...more,
});

export const round = (key: string, of: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'round',
  source: 'test',
  key,
  Startup: { key: of },
  ...more,
});

/** An observation of the site of startup `acme`. */
export const observation = (more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'observation',
  source: 'test',
  occurredAt: '2026-01-02T03:00:00Z',
  Company: { type: 'startup', key: 'acme' },
  Kind: 'site',
  Url: 'https://acme.example/',
  State: 'alive',
  ...more,
});

export const person = (key: string) => ({
  type: 'person',
  source: 'test',
  key,
  Name: `Person ${key}`,
});

export const investor = (of: string, by: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'investor',
  source: 'test',
  Round: { key: of },
  Investor: { type: 'fund', key: by },
  ...more,
});

/** The imports in the database, the oldest first. */
export const runs = (fixture: ImportFixture) =>
  fixture.rows('SELECT * FROM venture.import_run ORDER BY started_at');

export async function startupCount(fixture: ImportFixture): Promise<number> {
  return (await fixture.rows('SELECT FROM venture.startup')).length;
}

/** The startup that lines under a key have made, as it is stored. */
export async function storedStartup(fixture: ImportFixture, key: string) {
  const [row] = await fixture.rows<Record<string, unknown>>(
    'SELECT * FROM venture.startup WHERE id = $1',
    [recordId('startup', 'test', key)],
  );
  return row;
}

/** The investors of the round that lines under a key have made, as they are stored. */
export async function investorsOf(fixture: ImportFixture, key: string) {
  return fixture.rows(
    `SELECT coalesce(f.source_key, p.source_key) AS key, i.lead, i.deleted_at IS NULL AS alive
     FROM venture.round_investor i
     LEFT JOIN venture.fund f ON f.id = i.fund_id LEFT JOIN venture.person p ON p.id = i.person_id
     WHERE i.round_id = $1 ORDER BY 1`,
    [recordId('round', 'test', key)],
  );
}
