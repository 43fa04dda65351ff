import { createLogger } from '@vcds/service-kit';
import { createTestDatabase, createTestRedis, freePort, testFolder } from '@vcds/test-kit';
import pg from 'pg';
import { THREAD_ARGUMENTS } from '../../../../../packages/facet-engine/test/support/open-engine.ts';
import { readDataApiConfig } from '../../../src/config.ts';
import { openSnapshotStore } from '../../../src/replica/snapshot-store.ts';
import {
  SANDBOX_STATES,
  sandboxDatabase,
  sandboxSnapshots,
} from '../../../src/sandbox-data/databases.ts';
import { startDataApi } from '../../../src/service.ts';
import { buildSandbox } from '../../../src/worker/sandbox/build-sandbox.ts';

const SECRET = 'a-secret-of-enough-characters-for-all';
const logger = createLogger({ service: 'sandbox', level: 'silent' });

/** Stores for a sandbox, which is not built yet. */
export async function openStores() {
  const [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()]);
  const snapshotUrl = `file://${await testFolder('vcds-sandbox-')}`;
  const onServer = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  return {
    database,
    onServer,
    build: async (): Promise<boolean> =>
      buildSandbox({
        ...{ url: database.url, logger, onStep: () => undefined },
        snapshots: await openSnapshotStore(sandboxSnapshots(snapshotUrl)),
        signal: new AbortController().signal,
      }),
    start: async () => {
      const port = await freePort();
      const config = readDataApiConfig({
        ...{ DATABASE_URL: database.urlOf('vcds_data_api'), REDIS_URL: redis.url },
        ...{ SERVICE_TOKEN_SECRET: SECRET, CURSOR_SECRET: SECRET, SNAPSHOT_URL: snapshotUrl },
        ...{ REQUIRE_HTTPS: 'false', DRAIN_MS: '0', FREE_WORK_PERCENT: '100', SANDBOX: 'on' },
        ...{ DATA_API_PORT: String(port), DATA_API_INTERNAL_PORT: '0' },
        DATA_API_PUBLIC_URL: `http://127.0.0.1:${port}`,
      });
      return startDataApi(config, { logger, threadArguments: THREAD_ARGUMENTS });
    },
    close: async (): Promise<void> => {
      for (const step of SANDBOX_STATES) {
        const name = pg.escapeIdentifier(sandboxDatabase(database.url, step));
        await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
      await Promise.all([database.drop(), redis.drop()]);
    },
  };
}
