import {
  createHttpServer,
  createWorkGate,
  type Service,
  startService,
  workLimits,
} from '@vcds/service-kit';
import { watchRedis } from './accounts/redis-guard.ts';
import { createAccessApp } from './app.ts';
import type { AccessConfig } from './config.ts';
import { type DepsOptions, openDeps } from './deps.ts';

/**
 * Starts access-api: the public and the internal listener, and the watch that keeps Redis
 * consistent with the journal. `/ready` passes once keys could be checked.
 *
 * @throws ListenError when a port is not available.
 */
export async function startAccessApi(
  config: AccessConfig,
  options: DepsOptions = {},
): Promise<Service> {
  const deps = await openDeps(config, options);
  const { logger, metrics, redis, guard, resources } = deps;
  const gate = createWorkGate({
    registry: metrics.registry,
    limits: workLimits(config.FREE_WORK_PERCENT),
  });
  const watch = watchRedis(redis, guard, logger);
  let service: Service | undefined;
  const app = createAccessApp(deps, () => service?.isStopping() ?? false, gate);
  service = await startService({
    name: 'access-api',
    logger,
    drainMs: config.DRAIN_MS,
    listeners: [
      {
        name: 'public',
        server: createHttpServer(app.publicApp),
        host: config.ACCESS_API_HOST,
        port: config.ACCESS_API_PORT,
        variable: 'ACCESS_API_PORT',
      },
      {
        name: 'internal',
        role: 'internal',
        server: createHttpServer(app.internalApp),
        host: config.ACCESS_API_INTERNAL_HOST,
        port: config.ACCESS_API_INTERNAL_PORT,
        variable: 'ACCESS_API_INTERNAL_PORT',
      },
    ],
    resources: [{ name: 'watch', close: () => watch.stop() }, ...resources],
  });
  return service;
}
