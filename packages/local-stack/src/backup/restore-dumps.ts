import { applyMigrations, checkHistory } from '@vcds/migrate';
import { product as ventureProduct } from '../stack/product.ts';
import { reported } from '../stack/progress.ts';
import { StackError } from '../stack/stack-error.ts';
import { connect, ownerUrl } from './connections.ts';
import { assertCounts, countQueries } from './counts.ts';
import { assertProgram, DUMPS, type DumpedSchema, serverMajor } from './dump.ts';
import { checkRedis, emptyRedis } from './empty-redis.ts';
import { type LoadedDumps, loadDumps } from './load-dumps.ts';
import { assertDigest, digestOf, readChecksums } from './manifest.ts';
import { assertReplaced, type Restore } from './restore-options.ts';

const COUNT = 'count';

/**
 * Replaces the schemas of `DATABASE_URL` by the dumps of a backup. Nothing has changed, in PostgreSQL or
 * Redis, until all dumps are loaded and their counts and migrations checked; then Redis is emptied and
 * each database commits: one, unless access-api has a server of its own.
 */
export async function restoreDumps(restore: Restore): Promise<void> {
  const { settings, manifest, folder, progress, environment } = restore;
  if (settings.redisUrl === undefined) {
    throw new StackError('Set REDIS_URL: the balances in Redis must be rebuilt after a restore.');
  }
  await checkRedis(restore, settings.redisUrl);
  for (const [path, sha256] of await readChecksums(folder, manifest)) {
    assertDigest(path, (await digestOf(`${folder}/${path}`)).sha256, sha256);
  }
  const databases = new Map<string, DumpedSchema[]>();
  for (const dump of DUMPS) {
    const url = ownerUrl(dump.schema, environment);
    await checkDatabase(restore, dump.schemas, url);
    databases.set(url, [...(databases.get(url) ?? []), dump]);
  }
  const loaded: LoadedDumps[] = [];
  try {
    await reported(progress, 'Restoring the dumps', async () => {
      for (const [url, dumps] of databases) {
        loaded.push(await loadDumps(url, folder, dumps, questions(dumps, restore)));
      }
    });
    check(
      restore,
      loaded.flatMap(({ answers }) => answers),
    );
    await emptyRedis(restore, settings.redisUrl);
  } catch (error) {
    await Promise.allSettled(loaded.map((each) => each.abort()));
    throw error;
  }
  await reported(progress, 'Committing', async () => {
    for (const each of loaded) await each.commit();
  });
  await reported(progress, 'Granting privileges', async () => {
    const { schemas } = restore.product ?? ventureProduct;
    for (const service of schemas) {
      const connectionString = ownerUrl(service.schema, environment);
      await applyMigrations({ ...service, connectionString });
    }
    for (const url of databases.keys()) await analyze(url);
  });
}

/** Of the restored schemas: what the manifest counted, and the migrations that made them. */
function questions(dumps: readonly DumpedSchema[], { manifest }: Restore): string[] {
  return dumps.flatMap(({ schema }) => [
    ...countQueries(schema, manifest.counts).map(
      ([name, query]) => `SELECT '${COUNT}', '${name}', (${query})`,
    ),
    `SELECT '${schema}', migration_name, checksum FROM ${schema}._prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  ]);
}

/** @throws StackError or MigrationError if they are not what the backup and this version have. */
function check({ manifest, product }: Restore, answers: LoadedDumps['answers']): void {
  const counts = answers.filter(([kind]) => kind === COUNT);
  assertCounts(
    Object.fromEntries(counts.map(([, name, count]) => [name, Number(count)])),
    manifest.counts,
  );
  for (const target of (product ?? ventureProduct).schemas) {
    const rows = answers.filter(([kind]) => kind === target.schema);
    const later = checkHistory(
      target,
      rows.map(([, name = '', checksum = '']) => ({ name, checksum, finished: true })),
    );
    if (later.length === 0) continue;
    throw new StackError(
      `The backup is of a later version, which has ${later.join(', ')}. Restore it with that one.`,
    );
  }
}

async function analyze(url: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}

/**
 * Sessions of the product: as the owner, as one of its roles, or as a login role that they were granted
 * to. Superusers have every role.
 */
const SESSIONS = `
  SELECT array_agg(DISTINCT coalesce(nullif(application_name, ''), usename::text)) AS names
    FROM pg_stat_activity AS a JOIN pg_roles AS r ON r.oid = a.usesysid
   WHERE datname = current_database() AND pid <> pg_backend_pid()
     AND (usename = current_user OR NOT rolsuper AND EXISTS (
       SELECT FROM pg_roles AS product WHERE product.rolname ~ '^vcds_'
         AND pg_has_role(a.usesysid, product.oid, 'MEMBER')))
  HAVING count(*) > 0`;

/** @throws StackError if a service is connected, or a schema exists and is not to be replaced. */
async function checkDatabase(
  restore: Restore,
  schemas: readonly string[],
  url: string,
): Promise<void> {
  const client = await connect(url);
  try {
    const major = await serverMajor(client);
    for (const program of ['pg_restore', 'psql']) await assertProgram(program, major);
    const { rows } = await client.query<{ names: string[] }>(SESSIONS);
    const names = rows[0]?.names.join(', ');
    if (names !== undefined) {
      throw new StackError(`Stop the services first; these are connected: ${names}.`);
    }
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = ANY ($1)', [
      schemas,
    ]);
    assertReplaced(restore, (rowCount ?? 0) > 0, new URL(url).pathname.slice(1));
  } finally {
    await client.end();
  }
}
