import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { fillDatabase } from '@vcds/demo-data';
import { createLogger } from '@vcds/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@vcds/test-kit';
import { recalculateOperatingStatus } from '@vcds/venture-model';
import pg from 'pg';
import { Registry } from 'prom-client';
import { catchUpFacets } from '../../src/worker/index-facets/catch-up.ts';
import { registerTransactionMetrics } from '../../src/worker/transaction-metrics.ts';
import { published, startPublisher } from '../signals/support/feed.ts';

type Role = Parameters<TestDatabase['urlOf']>[0];

const ROLES: readonly Role[] = [
  'vcds_data_api',
  'vcds_data_worker',
  'vcds_importer',
  'vcds_access_api',
];
const logger = createLogger({ service: 'test', level: 'silent' });
const PERMISSION_DENIED = { code: '42501' };

const pools = new Map<Role, pg.Pool>();

const database = await createTestDatabase();
const owner = openPool(database.url);
for (const role of ROLES) pools.set(role, openPool(database.urlOf(role)));
afterAll(async () => {
  await Promise.all([owner, ...pools.values()].map((pool) => pool.end()));
  await database.drop();
});

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 });
  pool.on('error', () => undefined);
  return pool;
}

function as(role: Role, sql: string): Promise<pg.QueryResult> {
  const pool = pools.get(role);
  if (pool === undefined) throw new Error(`No connection for ${role}.`);
  return pool.query(sql);
}

describe('the roles have the required privileges', () => {
  test('the importer imports, and the data worker publishes, indexes and sweeps', async () => {
    const report = await fillDatabase({
      connectionString: database.urlOf('vcds_importer'),
      dataset: { today: '2026-06-01', startups: 60 },
    });
    expect(report).toMatchObject({ state: 'applied', total: { rejected: 0 } });

    const service = database.urlOf('vcds_data_worker');
    let failures = 0;
    const publisher = startPublisher(service, {
      published: () => undefined,
      leads: () => undefined,
      failed: () => {
        failures += 1;
      },
    });
    await published(owner);
    await publisher.close();
    expect(failures).toBe(0);
    await catchUpFacets({ connectionString: service, logger });
    const client = new pg.Client({ connectionString: service });
    await client.connect();
    await owner.query(
      `UPDATE venture.startup SET operating_status_stated = NULL, last_funding_date = NULL,
         operating_status_inferred = 'ProbablyClosed'`,
    );
    // Without the triggers: a state that only time causes otherwise.
    await owner.query(
      `SET session_replication_role = replica;
       UPDATE venture.startup SET operating_status = 'Active'
         WHERE id = (SELECT min(id::text)::uuid FROM venture.startup);
       SET session_replication_role = origin`,
    );
    expect(await recalculateOperatingStatus(client)).toEqual({ startups: 1, observations: 0 });
    await client.end();
    const { rows } = await owner.query(
      `SELECT (SELECT count(*) > 0 FROM venture.signal) AS signals,
         (SELECT count(*) > 0 FROM venture.facet_count) AS counts`,
    );
    expect(rows).toEqual([{ signals: true, counts: true }]);
  });
});

test('the oldest open transactions are measured, also those of other roles', async () => {
  const registry = new Registry();
  const reader = pools.get('vcds_data_worker') ?? owner;
  registerTransactionMetrics(registry, reader);
  const ages = async () => {
    const [metric] = await registry.getMetricsAsJSON();
    return new Map(metric?.values.map(({ labels, value }) => [labels.state, value]));
  };
  const session = new pg.Client({ connectionString: database.url });
  await session.connect();
  await session.query('BEGIN');
  await eventually(async () => Number((await ages()).get('idle')) > 0);
  await session.end();
  await eventually(async () => (await ages()).get('idle') === 0);
  // An owner that may not read other sessions; absent then.
  await owner.query(
    `CREATE ROLE other_owner; GRANT USAGE ON SCHEMA venture TO other_owner;
     GRANT CREATE ON SCHEMA venture TO other_owner;
     ALTER FUNCTION venture.oldest_transactions() OWNER TO other_owner`,
  );
  expect((await ages()).size).toBe(0);
  await owner.query(
    `ALTER FUNCTION venture.oldest_transactions() OWNER TO CURRENT_USER;
     DROP OWNED BY other_owner; DROP ROLE other_owner`,
  );
});

test('a password is replaced by a second login role, without a failed statement', async () => {
  const logins = ['a', 'b'].map((name) => `rotation_${randomUUID().slice(0, 8)}_${name}`);
  const [before = '', after = ''] = logins;
  const create = (name: string) =>
    owner.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}' IN ROLE vcds_data_api`);
  const openAs = (name: string) => {
    const url = new URL(database.url);
    [url.username, url.password] = [name, name];
    return openPool(url.href);
  };
  const COUNT = 'SELECT count(*)::int AS signals FROM venture.signal';
  await create(before);
  const running = openAs(before);
  const { rows } = await running.query(COUNT);
  await create(after);
  const restarted = openAs(after);
  expect((await restarted.query(COUNT)).rows).toEqual(rows);
  await owner.query(`ALTER ROLE ${before} NOLOGIN`);
  expect((await running.query(COUNT)).rows).toEqual(rows);
  const late = openAs(before);
  await expect(late.query(COUNT)).rejects.toThrow('is not permitted to log in');
  await expect(restarted.query('DELETE FROM venture.signal')).rejects.toMatchObject(
    PERMISSION_DENIED,
  );
  await Promise.all([running, restarted, late].map((pool) => pool.end()));
  for (const name of logins) await owner.query(`DROP ROLE ${name}`);
});

describe('the roles have no other privileges', () => {
  test('none owns a table, function or schema, is a superuser or can create roles', async () => {
    const { rows } = await owner.query(
      `SELECT rolname FROM pg_roles r WHERE rolname LIKE 'vcds\\_%' AND (
         rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
         OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid)
         OR EXISTS (SELECT FROM pg_proc WHERE proowner = r.oid)
         OR EXISTS (SELECT FROM pg_namespace WHERE nspowner = r.oid))`,
    );
    expect(rows).toEqual([]);
  });

  test('data-api can write to no table and no column, and runs no function that writes', async () => {
    const { rows } = await owner.query(
      `SELECT table_name, privilege_type FROM information_schema.column_privileges
       WHERE grantee = 'vcds_data_api' AND privilege_type <> 'SELECT'
       UNION ALL SELECT routine_name, privilege_type FROM information_schema.routine_privileges
       WHERE grantee = 'vcds_data_api'
       UNION ALL SELECT object_name, privilege_type FROM information_schema.usage_privileges
       WHERE grantee = 'vcds_data_api'`,
    );
    expect(rows).toEqual([]);
  });

  test('none can delete or truncate records, signals or charges', async () => {
    const { rows } = await owner.query<{ role: string; table: string; right: string }>(
      `SELECT grantee AS role, table_schema || '.' || table_name AS table, privilege_type AS right
       FROM information_schema.role_table_grants
       WHERE grantee LIKE 'vcds\\_%' AND privilege_type NOT IN ('SELECT', 'INSERT', 'UPDATE')
       ORDER BY 1, 2, 3`,
    );
    expect(rows.map(({ role, table, right }) => `${role} ${right} ${table}`)).toEqual([
      'vcds_access_api DELETE access.login',
      'vcds_data_worker DELETE venture.change_backfill',
      'vcds_data_worker DELETE venture.change_outbox',
      'vcds_data_worker DELETE venture.company_pair',
      'vcds_data_worker DELETE venture.compared_statement',
      'vcds_data_worker DELETE venture.facet_batch',
      'vcds_data_worker DELETE venture.facet_change',
      'vcds_data_worker DELETE venture.model',
      'vcds_data_worker DELETE venture.signal_outbox',
    ]);
  });

  const forbidden: readonly (readonly [Role, string])[] = [
    ['vcds_data_api', "UPDATE venture.startup SET name = 'x'"],
    ['vcds_data_api', 'INSERT INTO venture.term (kind, folded, label) VALUES (0, $$a$$, $$a$$)'],
    ['vcds_data_api', 'SELECT FROM access.api_key'],
    ['vcds_data_api', "SELECT venture.refresh_statistics('venture.startup')"],
    ['vcds_data_api', "SELECT venture.drop_secondary_indexes('venture.startup')"],
    ['vcds_data_api', 'CREATE TABLE venture_import.x (n int)'],
    ['vcds_data_worker', "UPDATE venture.startup SET name = 'x'"],
    ['vcds_data_worker', 'SELECT FROM access.api_key'],
    ['vcds_importer', 'DELETE FROM venture.signal_outbox'],
    ['vcds_importer', 'INSERT INTO venture.signal SELECT * FROM venture.signal'],
    [
      'vcds_importer',
      "INSERT INTO venture.dropped_index VALUES ('x', 'x', 'DROP TABLE access.key')",
    ],
    ['vcds_importer', "UPDATE venture.dropped_index SET definition = 'DROP TABLE access.key'"],
    ['vcds_importer', 'DROP INDEX venture.startup_name'],
    ['vcds_importer', 'SELECT FROM access.account'],
    ['vcds_access_api', 'SELECT FROM venture.startup'],
    ['vcds_access_api', "UPDATE access.event SET kind = 'x'"],
    ['vcds_access_api', 'DELETE FROM access.charge'],
    ...ROLES.flatMap((role) => [
      [role, 'CREATE TABLE venture.x (n int)'] as const,
      [role, 'CREATE TABLE access.x (n int)'] as const,
      [role, 'CREATE SCHEMA x'] as const,
      [role, 'ALTER TABLE venture.startup DISABLE TRIGGER ALL'] as const,
      [role, 'DROP TABLE access.event'] as const,
    ]),
  ];
  test.each(forbidden)('%s cannot: %s', async (role, statement) => {
    await expect(as(role, statement)).rejects.toMatchObject(PERMISSION_DENIED);
  });

  test('refresh_statistics accepts only tables of the schema', async () => {
    await as('vcds_importer', "SELECT venture.refresh_statistics('venture.startup')");
    const foreign = as('vcds_importer', "SELECT venture.refresh_statistics('pg_catalog.pg_class')");
    await expect(foreign).rejects.toThrow('is not a table of schema venture');
  });
});
