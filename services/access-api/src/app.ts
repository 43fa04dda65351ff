import { createRedisLedger } from '@vcds/metering/redis';
import {
  type Clock,
  closeRedis,
  createHttpServer,
  createInternalApp,
  createLogger,
  createMetrics,
  createPublicApp,
  createRedis,
  edgeSettings,
  type Logger,
  type Service,
  seeUrl,
  startService,
  systemClock,
} from '@vcds/service-kit';
import type { AccessConfig } from './config.ts';
import { reportToCaller } from './credits/report-to-caller.ts';
import { keyCheckRoute } from './keys/key-check-route.ts';
import { openSigningKeys } from './legacy/legacy-config.ts';
import { openLegacy } from './legacy/open-legacy.ts';
import { accessPathMeant } from './pages/data-path.ts';
import { ACCESS_BASE_PATH, publicRoutes } from './pages/root-routes.ts';
import { openRegistrations } from './registration/open-registrations.ts';
import { openDatabase } from './store/database.ts';
import { createHistory } from './store/history.ts';
import { createKeeper, type Keeper } from './store/keeper.ts';
import { createKeyChecker } from './store/key-check.ts';
import { createKeyStore } from './store/key-store.ts';
import { watchRedis } from './store/watch.ts';

const NAME = 'access-api';

export interface AccessApiOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/**
 * Starts access-api: the public app with registration, usage, the page behind the mailed link and
 * the older token exchange, the internal listener with the key check, and the watch that keeps Redis in step with the
 * journal. `/ready` passes once Redis is known to hold what the
 * journal holds; until then key checks answer 503.
 *
 * @throws ListenError if a port cannot be opened.
 */
export async function startAccessApi(
  config: AccessConfig,
  { clock = systemClock, ...options }: AccessApiOptions = {},
): Promise<Service> {
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const { registry } = metrics;
  const keys = await openSigningKeys(config);
  const redis = createRedis({ url: config.REDIS_URL, name: NAME, logger, registry });
  const database = openDatabase(config.databaseUrl);
  const store = createKeyStore(redis, clock);
  const history = createHistory(database);
  const keeper = createKeeper({ history, store, logger });
  const checker = createKeyChecker({ keeper, history, clock });
  const context = { config, redis, database, history, store, checker, registry, logger, clock };
  const legacy = openLegacy({ ...context, keys, codeSecret: config.CODE_SECRET });
  const { ledger } = createRedisLedger({ redis });
  const { tokenCheck } = legacy;
  const registrations = openRegistrations({ ...context, tokenCheck, ledger });
  const watch = watchRedis(redis, keeper, logger);
  let service: Service | undefined;
  const internalApp = createInternalApp({
    logger,
    metrics,
    checks: { redis: () => redis.ping(), journal: async () => assertTrusted(keeper) },
    routes: [
      keyCheckRoute({
        keeper: checker,
        tokens: legacy.tokens,
        serviceTokenSecret: config.SERVICE_TOKEN_SECRET,
        clock,
      }),
      ...legacy.internalRoutes,
    ],
    isStopping: () => service?.isStopping() ?? false,
  });
  const routes = [
    ...publicRoutes({
      accessPublicUrl: config.ACCESS_API_PUBLIC_URL,
      dataPublicUrl: config.DATA_API_PUBLIC_URL,
    }),
    ...registrations.routes,
    ...legacy.publicRoutes,
  ];
  const publicApp = createPublicApp({
    logger,
    metrics,
    settings: { ...edgeSettings(config), cacheControl: 'no-store' },
    see: seeUrl(config.ACCESS_API_PUBLIC_URL, ACCESS_BASE_PATH),
    suggestPath: (path) => accessPathMeant(path, routes, config.DATA_API_PUBLIC_URL),
    beforeError: reportToCaller({ checker, tokenCheck, ledger }),
    routes,
  });
  service = await startService({
    name: NAME,
    logger,
    drainMs: config.DRAIN_MS,
    listeners: [
      {
        name: 'public',
        server: createHttpServer(publicApp),
        host: config.ACCESS_API_HOST,
        port: config.ACCESS_API_PORT,
        variable: 'ACCESS_API_PORT',
      },
      {
        name: 'internal',
        role: 'internal',
        server: createHttpServer(internalApp),
        host: config.ACCESS_API_INTERNAL_HOST,
        port: config.ACCESS_API_INTERNAL_PORT,
        variable: 'ACCESS_API_INTERNAL_PORT',
      },
    ],
    resources: [
      ...registrations.resources,
      { name: 'watch', close: () => watch.stop() },
      { name: 'redis', close: () => closeRedis(redis) },
      { name: 'database', close: () => database.$disconnect() },
    ],
  });
  return service;
}

async function assertTrusted(keeper: Keeper): Promise<void> {
  if (!keeper.isTrusted) throw new Error('Redis is not known to hold what the journal holds.');
}
