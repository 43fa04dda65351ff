import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AccountShares, type ShareLimits } from '@vcds/admission';
import { bucketOfAccount, type Principal } from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import {
  closeRedis,
  createHttpServer,
  createLogger,
  createMetrics,
  createRedis,
  type Route,
  redisReady,
  unauthorized,
  type WorkGate,
} from '@vcds/service-kit';
import { createOutboundClient, type TestAddress } from '@vcds/site-facts/outbound-http';
import { SiteReader, type SiteReaderOptions } from '@vcds/site-facts/reader';
import { createTestDatabase, createTestRedis, type HttpReply, httpCalls } from '@vcds/test-kit';
import type { Express } from 'express';
import pg from 'pg';
import { THREAD_ARGUMENTS } from '../../../../packages/facet-engine/test/support/open-engine.ts';
import { createDataApp, type DataAppOptions, dataRoutes } from '../../src/app.ts';
import type { CategorySources } from '../../src/categories/execute.ts';
import { sqlCategories } from '../../src/categories/sql-engine/sql-engine.ts';
import { Meter } from '../../src/credits/meter.ts';
import { createMeterMetrics } from '../../src/credits/metrics.ts';
import { endpoints } from '../../src/endpoints.ts';
import { KeptPages } from '../../src/find/kept-pages.ts';
import { measuredSites } from '../../src/find/measured-sites.ts';
import { PageReader, type PageReaderOptions } from '../../src/find/page-reader.ts';
import { openMatching } from '../../src/matching/open-matching.ts';
import { queueObservation } from '../../src/observations/observation-queue.ts';
import { Database, type DatabaseOptions } from '../../src/postgres/database.ts';
import { isOutage } from '../../src/postgres/errors.ts';
import type { Pooler } from '../../src/postgres/read-pool.ts';
import { schemaCheck } from '../../src/postgres/schema-check.ts';
import { openSnapshotStore } from '../../src/replica/snapshot-store.ts';
import { createCursors } from '../../src/serve/cursors.ts';
import type { Endpoint } from '../../src/serve/endpoint.ts';
import type { ScanLimits } from '../../src/signals/scan-limits.ts';
import { SnapshotShelf } from '../../src/snapshots/read-snapshots.ts';
import { recordRound } from '../../src/worker/observations/record-queued.ts';

export type Query = Readonly<Record<string, string>>;

/** A response of the API. */
export type Reply = HttpReply;

export interface TestApi {
  get(path: string, query?: Query, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** A POST of a JSON body, or of a text as it is. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** A request with another method. */
  send(
    method: 'head' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** Records of a page; fails unless the answer is 200. */
  list(path: string, query?: Query): Promise<Record<string, unknown>[]>;
  /** The metrics of the API, as Prometheus reads them. */
  metrics(): Promise<string>;
  readonly app: Express;
  readonly routes: readonly Route[];
  /** Records the queued observations, as the data worker does. */
  recordObservations(): Promise<void>;
  /**
   * Opens the credits of an account; a call with its id in the header `x-account` is its call, one with
   * `unknown` has an unknown key.
   */
  addAccount(accountId: string): Promise<void>;
  /** Root of the server, such as `http://127.0.0.1:4711/v2`. */
  readonly url: string;
  readonly sql: pg.Pool;
  readonly database: Database;
  /** To open another API of the same database. */
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** The secret of the cursors of every API that tests open. */
export const CURSOR_SECRET = 'a-cursor-secret-of-enough-characters';

/** Without sites, no test sends a request to one. */
const NO_SITES: TestAddress = { address: '127.0.0.1', port: 9 };
const CONNECTIONS = 4;
/** The file with the records of an API that is opened without `seed`. */
export const SEED = fileURLToPath(new URL('seed.sql', import.meta.url));
const OWNER: Principal = {
  accountId: 'account-of-the-tests',
  keyId: 'key-of-the-tests',
  plan: 'scale',
  scopes: null,
  expiresAt: null,
  creditLimit: null,
};

/**
 * The data API over a new database, seeded with SQL, for the HTTP calls of one principal.
 */
export async function openApi(
  options: {
    readonly seed?: string | undefined;
    readonly principal?: Partial<Principal>;
    /** A migrated database to open instead; it is not dropped. */
    readonly url?: string;
    /** Where snapshots are; default: there are none. */
    readonly snapshotUrl?: string;
    readonly scanLimits?: Partial<ScanLimits>;
    readonly statementMsMax?: number;
    readonly scanMsMax?: number;
    /** Checks for newer models at this interval; else only the first call loads one. */
    readonly matchingPollMs?: number;
    /** Further arguments of node for the thread that ranks. */
    readonly rankerArguments?: readonly string[];
    /** Served beside the product's own. */
    readonly extraEndpoints?: readonly Endpoint[];
    /** Reads use them once `database.poll()` has admitted them. */
    readonly replicas?: { readonly urls: readonly string[]; readonly lagMsMax: number };
    /** The reads go through it; the rest uses `url` directly. */
    readonly pooled?: { readonly url: string; readonly pooler: Pooler };
    readonly onRepeat?: DatabaseOptions['onRepeat'];
    /** The server that has all sites, and how they are read. */
    readonly sites?: Partial<SiteReaderOptions> & { readonly testAddress: TestAddress };
    /** How pages are read; changes apply at once. */
    readonly pages?: PageReaderOptions;
    /** Counts and finds records in memory. */
    readonly records?: CategorySources['records'];
    /** Counts facets; default: the database, whatever the number of records. */
    readonly facets?: (database: Database) => CategorySources['facets'];
    readonly gate?: WorkGate;
    /** Groups records in memory. */
    readonly groups?: CategorySources['groups'];
    readonly shares?: { readonly slotsPerAccount: number; readonly limits: Partial<ShareLimits> };
  } = {},
): Promise<TestApi> {
  const testDatabase =
    options.url === undefined
      ? await createTestDatabase(options.seed === undefined ? { seed: SEED } : {})
      : { url: options.url, urlOf: () => options.url ?? '', drop: async () => undefined };
  const sql = new pg.Pool({ connectionString: testDatabase.url, max: 3 });
  sql.on('error', () => {});
  const seed = options.seed ?? (options.url && (await readFile(SEED, 'utf8')));
  if (seed !== undefined) {
    await sql.query(seed);
    await sql.query('ANALYZE');
  }
  const { records, groups } = options;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const database = new Database({
    connectionString: options.pooled?.url ?? testDatabase.urlOf('vcds_data_api'),
    pooler: options.pooled?.pooler ?? 'none',
    connectionsMax: CONNECTIONS,
    statementMsMax: options.statementMsMax ?? 10_000,
    scanMsMax: options.scanMsMax ?? 2_000,
    logger,
    ...(options.replicas && {
      replicas: { ...options.replicas, assertSchema: schemaCheck },
    }),
    ...(options.onRepeat && { onRepeat: options.onRepeat }),
  });
  const principal = { ...OWNER, ...options.principal };
  const testRedis = await createTestRedis();
  const redis = createRedis({ url: testRedis.url, name: 'test', logger });
  await redisReady(redis);
  const credits = createRedisLedger({ redis });
  await credits.stream.open(bucketOfAccount(principal.accountId), 0);
  const metrics = createMetrics('test');
  const reader = new SiteReader({
    client: createOutboundClient({
      userAgent: 'test',
      testAddress: options.sites?.testAddress ?? NO_SITES,
    }),
    redis,
    ...options.sites,
  });
  const snapshots = new SnapshotShelf(
    options.snapshotUrl === undefined ? undefined : await openSnapshotStore(options.snapshotUrl),
  );
  const sites = measuredSites(reader, metrics.registry);
  const pages = new PageReader(options.pages ?? { execArgv: THREAD_ARGUMENTS });
  const matching = openMatching({
    connectionString: testDatabase.urlOf('vcds_data_api'),
    pool: database.pool,
    registry: metrics.registry,
    logger,
    execArgv: [...THREAD_ARGUMENTS, ...(options.rankerArguments ?? [])],
    pollMs: options.matchingPollMs,
  });
  if (options.matchingPollMs !== undefined) matching.start();
  const appOptions: DataAppOptions = {
    logger,
    metrics,
    settings: { requireHttps: false, trustProxy: undefined, gate: options.gate },
    services: {
      authenticate: async ({ headers }) => {
        if (headers['x-account'] === 'unknown') throw unauthorized('unknown');
        return { ...principal, accountId: String(headers['x-account'] ?? principal.accountId) };
      },
      meter: new Meter({
        ledger: credits.ledger,
        purchaseUrl: 'http://access.example/account/credits',
        keyLimitUrl: (keyId) => `http://access.example/account/keys/${keyId}/limit`,
        metrics: createMeterMetrics(metrics.registry),
      }),
      shares: new AccountShares({
        slots: CONNECTIONS,
        slotsPerAccount: CONNECTIONS,
        isOutage,
        registry: metrics.registry,
        // One account makes all calls of a file, and on a busy machine its failed reads take long.
        limits: { unpaidMsMax: 600_000 },
        ...options.shares,
      }),
      database,
      categories: {
        ...sqlCategories(database),
        ...(records && { records }),
        ...(options.facets && { facets: options.facets(database) }),
        ...(groups && { groups }),
      },
      matching,
      snapshots,
      sites,
      pages,
      kept: new KeptPages(options.sites?.clock),
      observe: (observation) => queueObservation(redis, observation),
      cursors: createCursors([CURSOR_SECRET]),
      scanLimits: options.scanLimits,
      baseUrl: 'http://data.example/v2',
    },
    authUrl: 'http://access.example/api/v1',
    served: [...endpoints, ...(options.extraEndpoints ?? [])],
  };
  const app = createDataApp(appOptions);
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.keepAliveTimeout = 0;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls = httpCalls(origin);
  const get: TestApi['get'] = async (path, query = {}, sent = {}) => {
    const url = `/v2${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
    const reply = await calls.send('GET', url, sent);
    assertHasSee(reply);
    return reply;
  };
  return {
    get,
    metrics: () => metrics.registry.metrics(),
    app,
    routes: dataRoutes(appOptions, () => app),
    post: async (path, body, sent) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const headers = { 'Content-Type': 'application/json', ...sent };
      const reply = await calls.send('POST', `/v2${path}`, headers, text);
      assertHasSee(reply);
      return reply;
    },
    send: (method, path, sent) => calls.send(method.toUpperCase(), `/v2${path}`, sent),
    sql,
    database,
    databaseUrl: testDatabase.url,
    url: `${origin}/v2`,
    addAccount: (accountId) => credits.stream.open(bucketOfAccount(accountId), 0).then(() => {}),
    recordObservations: async () => {
      while ((await recordRound(redis, sql)) > 0);
    },
    list: async (path, query) => {
      const reply = await get(path, query);
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
      return reply.body as Record<string, unknown>[];
    },
    close: async () => {
      calls.close();
      await new Promise((resolve) => server.close(resolve));
      await matching.close();
      await pages.close();
      await database.close();
      await closeRedis(redis);
      await testRedis.drop();
      await sql.end();
      await testDatabase.drop();
    },
  };
}

// Every error of a field, parameter or value that a test causes must have a `see`.
function assertHasSee(reply: Reply): void {
  if (reply.status < 400) return;
  const { field, parameter, value, see } = errorOf(reply);
  if (field === undefined && parameter === undefined && value === undefined) return;
  if (typeof see === 'string' && see.startsWith('http://data.example/v2')) return;
  throw new Error(`an error without a see: ${reply.text}`);
}

/** The `error` of an error response. */
export function errorOf(reply: Reply): Record<string, unknown> {
  return (reply.body as { error: Record<string, unknown> }).error;
}

/** The header `X-Credits-Charged` as a number. */
export function chargedOf(reply: Reply): number {
  return Number(reply.headers['x-credits-charged']);
}
