/** Builds the databases of the sandbox (docs/spec/sandbox.md 29.6). */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { datasetLines } from '@vcds/demo-data';
import { type ImportLine, runImport } from '@vcds/importer';
import { applyMigrations, serviceSchemas } from '@vcds/migrate';
import type { Logger } from '@vcds/service-kit';
import { readMigrations } from '@vcds/service-kit/migrations';
import pg from 'pg';
import { readManifests, type SnapshotStore } from '../../replica/snapshot-store.ts';
import {
  hasRecords,
  readMarks,
  SANDBOX_MARK,
  SANDBOX_STATES,
  sandboxDatabase,
  UNFINISHED,
  urlOfDatabase,
} from '../../sandbox-data/databases.ts';
import { instantOfStep, SANDBOX_DATA, SANDBOX_DAY } from '../../sandbox-data/day.ts';
import { catchUpFacets } from '../index-facets/catch-up.ts';
import { publishAll } from '../publish-signals/publish-all.ts';
import { writeSnapshot } from '../snapshots/write-snapshot.ts';
import { predictStages } from '../stages/predict-stages.ts';
import { trainMatching } from '../train/train.ts';
import { retime } from './retime.ts';

export interface SandboxOptions {
  /** A database of the server, as a role that may create databases and roles. */
  readonly url: string;
  /** Where a snapshot of the first state is kept, or nowhere. */
  readonly snapshots?: SnapshotStore | undefined;
  readonly logger: Logger;
  readonly onStep: (step: string) => void;
  readonly signal: AbortSignal;
}

/** A database has the name of one of the sandbox, but was not made by it. */
export class NotOfSandbox extends Error {
  constructor(name: string) {
    super(
      `Database ${name} exists and is not one of the sandbox: it is not touched. Rename it, or use a ` +
        'server of its own for the sandbox.',
    );
  }
}

/** The database beside those of the sandbox has records. */
export class BesideRecords extends Error {
  constructor() {
    super(
      'The database has records that are not invented: the sandbox needs a database of its own beside its states.',
    );
  }
}

/**
 * Creates a database for each state of the scripted day, each from the one before, through the
 * importer and the publisher as in production. It changes nothing if they are those of this version.
 *
 * @returns whether they were built.
 * @throws NotOfSandbox, BesideRecords; the error of a step. A build that was stopped begins again.
 */
export async function buildSandbox(options: SandboxOptions): Promise<boolean> {
  const { url, onStep, signal } = options;
  const mark = `${SANDBOX_MARK} ${fingerprint()}`;
  return withClient(url, async (client) => {
    if (await hasRecords(client)) throw new BesideRecords();
    const marks = await readMarks(client, url);
    for (const [name, found] of marks) {
      if (!found.startsWith(SANDBOX_MARK)) throw new NotOfSandbox(name);
    }
    const isCurrent = SANDBOX_STATES.every(
      (step) => marks.get(sandboxDatabase(url, step)) === mark,
    );
    if (!isCurrent) {
      for (const name of marks.keys()) {
        await client.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
      }
      for (const step of SANDBOX_STATES) {
        signal.throwIfAborted();
        onStep(step === 0 ? 'the first state' : `step ${step}: ${SANDBOX_DAY[step - 1]?.name}`);
        await createState(client, options, step);
      }
      for (const step of SANDBOX_STATES) await comment(client, sandboxDatabase(url, step), mark);
    }
    await keepSnapshot(options, isCurrent);
    return !isCurrent;
  });
}

// The paths of the table of schemas are those of a checkout, not of an image.
const PRISMA = fileURLToPath(new URL('../../../prisma/', import.meta.url));
const migrationsDir = join(PRISMA, 'migrations');

/** Of everything that the data depends on. */
function fingerprint(): string {
  const checksums = readMigrations(migrationsDir).map(({ checksum }) => checksum);
  const lines = [datasetLines(SANDBOX_DATA), SANDBOX_DAY];
  return createHash('sha256')
    .update(JSON.stringify([checksums, lines]))
    .digest('hex')
    .slice(0, 16);
}

async function createState(client: pg.Client, options: SandboxOptions, step: number) {
  const { url, signal, logger } = options;
  const name = sandboxDatabase(url, step);
  const template = step === 0 ? '' : ` TEMPLATE ${quoted(sandboxDatabase(url, step - 1))}`;
  await client.query(`CREATE DATABASE ${quoted(name)}${template}`);
  await comment(client, name, `${SANDBOX_MARK} ${UNFINISHED}`);
  const connectionString = urlOfDatabase(url, name);
  if (step === 0) await migrate(connectionString);
  await client.query(`REVOKE ALL ON DATABASE ${quoted(name)} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${quoted(name)} TO vcds_data_api`);
  const lines = step === 0 ? datasetLines(SANDBOX_DATA) : (SANDBOX_DAY[step - 1]?.lines ?? []);
  await importLines(connectionString, lines, signal);
  const pool = new pg.Pool({ connectionString, max: 1, application_name: 'vcds sandbox' });
  pool.on('error', () => undefined);
  try {
    if (step === 0) {
      const nowMs = instantOfStep(0).getTime();
      await predictStages({ pool, nowMs, signal });
      await trainMatching({ pool, nowMs, signal, hasBackTest: false });
    }
    await publishAll(pool);
    await catchUpFacets({ connectionString, logger, signal });
    const session = await pool.connect();
    await retime(session, step).finally(() => session.release(true));
  } finally {
    await pool.end();
  }
}

async function migrate(connectionString: string): Promise<void> {
  const data = serviceSchemas.find(({ service }) => service === 'data-api');
  if (data === undefined) throw new Error('The table of schemas has no data-api.');
  const { schema, privileges } = data;
  const granted = { ...privileges, file: join(PRISMA, 'privileges.sql') };
  await applyMigrations({ schema, migrationsDir, privileges: granted, connectionString });
}

/** One worker, so that every build writes in the same order. */
async function importLines(
  connectionString: string,
  lines: readonly ImportLine[],
  signal: AbortSignal,
): Promise<void> {
  const stream = { name: 'sandbox', lines };
  const options = { connectionString, stream, rejectedFolder: tmpdir(), workers: 1, signal };
  const { state } = await runImport(options);
  if (state !== 'applied') throw new Error('The importer rejected lines of the sandbox.');
}

/** A snapshot of the first state; older ones belong to another version. */
async function keepSnapshot({ url, snapshots: store, signal }: SandboxOptions, isCurrent: boolean) {
  if (store === undefined) return;
  const kept = await readManifests(store);
  if (isCurrent && kept.length > 0) return;
  for (const { id } of kept) await store.remove(id);
  const connectionString = urlOfDatabase(url, sandboxDatabase(url, 0));
  const pool = new pg.Pool({ connectionString, max: 1, options: '-c timezone=UTC' });
  pool.on('error', () => undefined);
  try {
    await writeSnapshot({ pool, store, signal });
  } finally {
    await pool.end();
  }
}

async function comment(client: pg.Client, name: string, mark: string): Promise<void> {
  await client.query(`COMMENT ON DATABASE ${quoted(name)} IS ${pg.escapeLiteral(mark)}`);
}

const quoted = (name: string): string => pg.escapeIdentifier(name);

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'vcds sandbox' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
