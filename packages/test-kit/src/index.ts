export {
  clickHouseFolder,
  createTestClickHouse,
  describeWithClickHouse,
  type TestClickHouse,
} from './clickhouse.ts';
export {
  createTestDatabase,
  createTestRedis,
  createTestRedisServer,
  endConnections,
  freePort,
  type TestDatabase,
  type TestRedisDatabase,
  type TestRedisServer,
} from './client.ts';
export { type TestClock, testClock } from './clock.ts';
export {
  type Closeable,
  closedAfterAll,
  openedPerSuite,
  openedPerTest,
} from './close-after-all.ts';
export { describeWithBrowser, findChromium } from './describe-with-browser.ts';
export { dataFolder, describeWithData } from './describe-with-data.ts';
export { type EventuallyOptions, eventually } from './eventually.ts';
export { growth } from './growth.ts';
export { type HttpReply, headersRead, httpCalls } from './http-calls.ts';
export {
  type InstancePorts,
  Load,
  LoadBalancer,
  rollingRestart,
} from './load-balancer.ts';
export {
  type AccountSpec,
  type IssuedAccount,
  type IssuedKey,
  type Operator,
  openOperator,
} from './operator.ts';
export { findPgBouncer } from './postgres-servers/pgbouncer.ts';
export {
  PRODUCT_SECRET,
  type Product,
  type ProductOptions,
  readMails,
  startDurableProduct,
  startProduct,
  type WrittenMail,
} from './product.ts';
export type { RedisServerOptions } from './redis.ts';
export {
  createTestRedisCluster,
  type TestRedisCluster,
  type TestRedisClusterOptions,
} from './redis-cluster.ts';
export {
  createTestSentinelGroup,
  type TestSentinelGroup,
  type TestSentinelOptions,
} from './redis-sentinel.ts';
export {
  startPgBouncer,
  startPrimary,
  startStandby,
  type TestServer,
  type TestStandby,
} from './replication.ts';
export { ROTATION, rotationPairs } from './rotation.ts';
export { type TestRsaKey, testRsaKey } from './rsa-keys.ts';
export {
  killServices,
  type ProgramName,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';
export { atLength, runs } from './soak.ts';
export { testFolder } from './test-folder.ts';
