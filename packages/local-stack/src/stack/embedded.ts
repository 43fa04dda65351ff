import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { startPostgres } from '../postgres/server.ts';
import type { Guardian } from '../processes/guardian.ts';
import type { ManagedProcess } from '../processes/managed-process.ts';
import { findRedis } from '../redis/discover.ts';
import { startRedis } from '../redis/server.ts';
import { type Progress, reported } from './progress.ts';
import type { Secrets } from './secrets.ts';
import type { StackSettings } from './settings.ts';

/** The stores the services are to use, and those that were started for them. */
export interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** In the order they were started. */
  readonly started: readonly ManagedProcess[];
}

export interface StoreContext {
  readonly settings: StackSettings;
  readonly secrets: Secrets;
  readonly guardian: Guardian;
  readonly progress: Progress;
  /** Cuts a download short. */
  readonly signal: AbortSignal;
  /** Hears of each server as soon as it runs, so that it can be stopped whatever happens next. */
  readonly onStarted: (server: ManagedProcess) => void;
}

/** Starts what `DATABASE_URL` and `REDIS_URL` do not name. */
export async function openStores(context: StoreContext): Promise<Stores> {
  const { settings } = context;
  const started: ManagedProcess[] = [];
  const keep = <T extends ManagedProcess>(server: T): T => {
    started.push(server);
    context.onStarted(server);
    return server;
  };
  const databaseUrl = settings.databaseUrl ?? keep(await embeddedPostgres(context)).url;
  context.signal.throwIfAborted();
  const redisUrl = settings.redisUrl ?? keep(await embeddedRedis(context)).url;
  return { databaseUrl, redisUrl, started };
}

function embeddedPostgres({ settings, secrets, guardian, progress }: StoreContext) {
  return reported(progress, 'Starting PostgreSQL', async () =>
    startPostgres({
      folder: settings.folders.postgres,
      port: await freePort(portsOfServices(settings)),
      password: secrets.postgresPassword,
      purpose: 'durable',
      logFile: join(settings.folders.logs, 'postgres.log'),
      guardian,
    }),
  );
}

async function embeddedRedis(context: StoreContext) {
  const { settings, secrets, guardian, progress, signal } = context;
  const { folders, environment } = settings;
  const program = await reported(progress, 'Looking for Redis', (step) =>
    findRedis({
      environment,
      tools: folders.tools,
      signal,
      announce: (sentence) => {
        progress.note(`${sentence}.`);
        step.update(sentence);
      },
    }),
  );
  return reported(progress, `Starting Redis ${program.version} (${program.origin})`, async () => {
    await mkdir(folders.redis, { recursive: true });
    await chmod(folders.redis, 0o700);
    return startRedis({
      program,
      folder: folders.redis,
      port: await freePort(portsOfServices(settings)),
      password: secrets.redisPassword,
      purpose: 'durable',
      logFile: join(folders.logs, 'redis.log'),
      guardian,
    });
  });
}

/** The services start when the stores run: nothing listens on their ports yet. */
function portsOfServices({ ports }: StackSettings): ReadonlySet<number> {
  return new Set(Object.values(ports).map(({ port }) => port));
}
