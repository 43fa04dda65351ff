/** Servers and programs without a test framework, for benches. */
import pg from 'pg';

export { repositoryRoot } from '@vcds/local-stack/state';
export { openBroker } from './broker.ts';
export { BROKER_VARIABLE, freePort, type TestRedisServer } from './client.ts';
export {
  DATA_FOLDER_PASSWORD,
  type DataFolder,
  LOADING,
  openDataFolder,
} from './data-folder.ts';
export { eventually } from './eventually.ts';
export { type Operator, openOperator } from './operator.ts';
export { PRODUCT_SECRET, readMails } from './product.ts';
export { createTestRedisCluster, type TestRedisCluster } from './redis-cluster.ts';
export { createTestSentinelGroup, type TestSentinelGroup } from './redis-sentinel.ts';
export {
  startPgBouncer,
  startPrimary,
  startStandby,
  type TestServer,
  type TestStandby,
} from './replication.ts';
export { urlOfRole } from './roles.ts';
export { ROTATION } from './rotation.ts';
export { testRsaKey } from './rsa-keys.ts';
export { openTestServers, type TestServers } from './servers.ts';
export {
  killServices,
  type ProgramName,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

/** Runs a piece of work on a connection of its own. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
