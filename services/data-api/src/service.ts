import { AccountShares } from '@vcds/admission';
import { ownerKey, parseSecrets } from '@vcds/credentials';
import {
  assertLedgerServes,
  createRedisLedger,
  type RedisLedgerOptions,
} from '@vcds/metering/redis';
import {
  closeRedis,
  createHttpServer,
  createInternalApp,
  createLogger,
  createMetrics,
  createOutageLog,
  createRedis,
  createWorkGate,
  edgeSettings,
  type Logger,
  MCP_PATH,
  type Metrics,
  type Service,
  seeUrl,
  startService,
  workLimits,
} from '@vcds/service-kit';
import { openSiteReader } from '@vcds/site-facts/reader';
import { loadCountryNames } from '@vcds/venture-model';
import { createDataApp } from './app.ts';
import { assertConnections } from './assert-connections.ts';
import { createAuthenticator, createKeyMetrics } from './authenticate/index.ts';
import { openColumnarEngine } from './categories/columnar-engine.ts';
import type { LoadedFacetEngine } from './categories/facet-schema.ts';
import { openFacets } from './categories/open-facets.ts';
import { shadowed } from './categories/shadow-engine.ts';
import type { DataApiConfig } from './config.ts';
import { givingBack } from './credits/give-back.ts';
import { Meter } from './credits/meter.ts';
import { createMeterMetrics } from './credits/metrics.ts';
import { clickHousePlace } from './facet-tables/clickhouse-variables.ts';
import { FACET_SCHEMA } from './facet-tables/schema.ts';
import { KeptPages } from './find/kept-pages.ts';
import { measuredSites } from './find/measured-sites.ts';
import { registerPageMetrics } from './find/page-metrics.ts';
import { PageReader } from './find/page-reader.ts';
import { openMatching } from './matching/open-matching.ts';
import { queueObservation } from './observations/observation-queue.ts';
import { assertServes, openDatabase } from './open-database.ts';
import { assertSandbox, openSandbox, type Parts, type PartsContext } from './open-sandbox.ts';
import { isOutage } from './postgres/errors.ts';
import { openSnapshotStore } from './replica/snapshot-store.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { createCursors } from './serve/cursors.ts';
import { SnapshotShelf } from './snapshots/read-snapshots.ts';

const NAME = 'data-api';
const VERSION_SEGMENT = 'v2';

export interface DataApiOptions {
  /** Arguments of node for threads; by default those of this process. For tests. */
  readonly threadArguments?: readonly string[];
  readonly logger?: Logger;
  /** How long credits are held, and by which clock. For tests. */
  readonly ledger?: Pick<RedisLedgerOptions, 'times' | 'clockOffsetMs'>;
}

/**
 * Starts data-api: the public app under `/v2` and the internal listener. `/ready` passes once the
 * database had this build's schema, Redis took the writes of a metered call and a key was checked, and
 * until the database lacks a migration. An outage of a store after that is only reported there.
 *
 * @throws ConfigError if a connection that must be direct leads to a pooler. ListenError if a port cannot be opened.
 */
export async function startDataApi(
  config: DataApiConfig,
  options: DataApiOptions = {},
): Promise<Service> {
  await assertConnections(config);
  const isSandbox = config.SANDBOX === 'on';
  if (isSandbox) await assertSandbox(config.DATABASE_URL);
  loadCountryNames();
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const { registry } = metrics;
  const redis = createRedis({ url: config.REDIS_URL, name: NAME, logger, registry });
  const slotsPerAccount = slotsPerAccountOf(config);
  // One more than an account may take, so that no account takes all of them.
  const scanConnectionsMax = slotsPerAccount + 1;
  const context = { config, redis, logger, metrics, scanConnectionsMax };
  const parts = isSandbox ? openSandbox(context) : await openProduct(context, options);
  const { database, directUrl } = parts;
  const facets = openFacets({ database, loaded: parts.loaded, registry, logger });
  const meter = new Meter({
    ledger: parts.ledger,
    purchaseUrl: seeUrl(config.ACCESS_API_PUBLIC_URL, '/account/credits'),
    keyLimitUrl: (keyId) => seeUrl(config.ACCESS_API_PUBLIC_URL, `/account/keys/${keyId}/limit`),
    metrics: createMeterMetrics(metrics.registry),
  });
  const matching = openMatching({
    connectionString: directUrl,
    pool: database.pool,
    registry,
    logger,
    execArgv: options.threadArguments,
  });
  matching.start();
  const { snapshotUrl } = parts;
  const snapshots = new SnapshotShelf(
    snapshotUrl === undefined ? undefined : await openSnapshotStore(snapshotUrl),
  );
  const sites = measuredSites(parts.sites, metrics.registry);
  const pages = new PageReader({ execArgv: options.threadArguments });
  registerPageMetrics(metrics.registry, pages);
  const gate = createWorkGate({ registry, limits: workLimits(config.FREE_WORK_PERCENT) });
  let service: Service | undefined;
  const internalApp = createInternalApp({
    logger,
    metrics,
    gate,
    stores: {
      database: () => assertServes(database),
      redis: () => assertLedgerServes(redis),
      keys: parts.assertKeys,
      facets: () => facets.assertLoaded(),
    },
    isStopping: () => service?.isStopping() ?? false,
  });
  const publicApp = createDataApp({
    hasOAuth: config.MCP_OAUTH === 'on' && !isSandbox,
    logger,
    metrics,
    settings: { ...edgeSettings(config), gate },
    services: {
      authenticate: parts.authenticate,
      ...(parts.stateOf && { stateOf: parts.stateOf }),
      meter,
      shares: new AccountShares({
        slots: config.DATABASE_CONNECTIONS,
        slotsPerAccount,
        isOutage,
        registry: metrics.registry,
      }),
      database,
      categories: facets.categories,
      matching,
      snapshots,
      sites,
      pages,
      kept: new KeptPages(),
      observe: parts.observe,
      cursors: createCursors(parseSecrets(config.CURSOR_SECRET)),
      baseUrl: seeUrl(config.DATA_API_PUBLIC_URL, VERSION_SEGMENT),
    },
    authUrl: seeUrl(config.ACCESS_API_PUBLIC_URL, '/api/v1'),
    sandbox: parts.runs && sandboxRoutes(parts.runs, meter),
  });
  service = await startService({
    name: NAME,
    logger,
    drainMs: config.DRAIN_MS,
    listeners: [
      {
        name: 'public',
        server: createHttpServer(publicApp),
        host: config.DATA_API_HOST,
        port: config.DATA_API_PORT,
        variable: 'DATA_API_PORT',
      },
      {
        name: 'internal',
        role: 'internal',
        server: createHttpServer(internalApp),
        host: config.DATA_API_INTERNAL_HOST,
        port: config.DATA_API_INTERNAL_PORT,
        variable: 'DATA_API_INTERNAL_PORT',
      },
    ],
    resources: [
      ...parts.resources,
      { name: 'redis', close: () => closeRedis(redis) },
      { name: 'facets', close: () => facets.close() },
      { name: 'snapshots', close: async () => snapshots.close() },
      { name: 'pages', close: () => pages.close() },
      { name: 'matching', close: () => matching.close() },
      { name: 'database', close: () => database.close() },
    ],
  });
  return service;
}

/** The parts of a data-api that serves its database to callers with a key. */
async function openProduct(context: PartsContext, options: DataApiOptions): Promise<Parts> {
  const { config, redis, logger, metrics, scanConnectionsMax } = context;
  const { registry } = metrics;
  const outages = createOutageLog();
  const directUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const database = openDatabase(config, { scanConnectionsMax, registry, logger });
  database.start();
  const authenticator = createAuthenticator({
    accessInternalUrl: config.ACCESS_INTERNAL_URL,
    serviceTokenSecret: config.SERVICE_TOKEN_SECRET,
    redisUrl: config.REDIS_URL,
    isIssued: async (digest) => (await redis.exists(ownerKey(digest))) === 1,
    resource: config.MCP_OAUTH === 'on' ? seeUrl(config.DATA_API_PUBLIC_URL, MCP_PATH) : undefined,
    logger,
    metrics: createKeyMetrics(registry),
  });
  const onLostObservation = (error: unknown) =>
    outages.warn(logger, 'failed to queue an observation', error);
  return {
    ...{ database, directUrl, snapshotUrl: config.SNAPSHOT_URL },
    loaded: await loadedEngine(config, directUrl, logger, metrics),
    authenticate: authenticator.authenticate,
    assertKeys: () => authenticator.ready(),
    ledger: givingBack({
      ledger: createRedisLedger({ redis, ...options.ledger }).ledger,
      logger,
    }),
    sites: openSiteReader({ config, redis, logger }),
    observe: (observation) => queueObservation(redis, observation).catch(onLostObservation),
    resources: [{ name: 'authenticator', close: () => authenticator.close() }],
  };
}

/** A quarter of the connections, unless set. */
function slotsPerAccountOf(config: DataApiConfig): number {
  return config.ACCOUNT_CONNECTIONS ?? Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 4));
}

async function loadedEngine(
  config: DataApiConfig,
  connectionString: string,
  logger: Logger,
  { registry }: Metrics,
): Promise<LoadedFacetEngine | undefined> {
  if (config.FACET_ENGINE === 'sql') return undefined;
  const place = clickHousePlace(config);
  const options = { schema: FACET_SCHEMA, logger, queryMsMax: config.STATEMENT_TIMEOUT_MS };
  // Its client takes memory in the processes without it.
  const clickHouse: LoadedFacetEngine | undefined =
    place &&
    new (await import('@vcds/clickhouse-engine')).ClickHouseEngine({ ...place, ...options });
  const share = Number(config.CLICKHOUSE_SHADOW ?? 0);
  if (clickHouse !== undefined && share === 0) return clickHouse;
  const engine = openColumnarEngine({
    connectionString,
    name: 'data-api facets',
    memoryMb: config.FACET_MEMORY_MB,
    logger,
    registry,
  });
  return clickHouse ? shadowed({ engine, other: clickHouse, share, registry, logger }) : engine;
}
