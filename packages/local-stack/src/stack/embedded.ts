import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { OWNER_ROLE, openRoles } from '../postgres/roles.ts';
import { startPostgres } from '../postgres/server.ts';
import type { Guardian } from '../processes/guardian.ts';
import type { ManagedProcess } from '../processes/managed-process.ts';
import { findRedis } from '../redis/discover.ts';
import { startRedis } from '../redis/server.ts';
import type { Product } from './product.ts';
import { type Progress, reported } from './progress.ts';
import type { Secrets } from './secrets.ts';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

/** Connection strings to one database, one per role. */
interface DatabaseUrls {
  readonly dataApi: string;
  readonly dataWorker: string;
  readonly accessApi: string;
  readonly importer: string;
  /** Runs the migrations. */
  readonly owner: string;
}

/** The connection strings of the stores of the services. */
export type Stores = Awaited<ReturnType<typeof openStores>>;

interface StoreContext {
  readonly product: Product;
  readonly settings: StackSettings;
  readonly secrets: Secrets;
  readonly guardian: Guardian;
  readonly progress: Progress;
  /** Aborts a download. */
  readonly signal: AbortSignal;
  /** Receives each server as soon as it runs, so that it can be stopped after an error. */
  readonly onStarted: (server: ManagedProcess) => void;
}

/** Starts PostgreSQL and Redis unless `DATABASE_URL` and `REDIS_URL` are set. */
export async function openStores(context: StoreContext) {
  const { settings } = context;
  const keep = <T extends ManagedProcess>(server: T): T => {
    context.onStarted(server);
    return server;
  };
  const databaseUrls =
    settings.databaseUrl === undefined
      ? await urlsOfRoles(context, keep(await embeddedPostgres(context)).url)
      : givenUrls(settings.databaseUrl, settings.environment);
  context.signal.throwIfAborted();
  const redisUrl = settings.redisUrl ?? keep(await embeddedRedis(context)).url;
  return { databaseUrls, redisUrl };
}

/** The connection strings of an external database; each may have its own role. */
function givenUrls(databaseUrl: string, environment: NodeJS.ProcessEnv): DatabaseUrls {
  const given = (name: string) => environment[name]?.trim() || databaseUrl;
  return {
    dataApi: databaseUrl,
    dataWorker: given('DATA_WORKER_DATABASE_URL'),
    accessApi: given('ACCESS_DATABASE_URL'),
    importer: given('IMPORT_DATABASE_URL'),
    owner: given('MIGRATION_DATABASE_URL'),
  };
}

async function urlsOfRoles({ product, secrets }: StoreContext, url: string): Promise<DatabaseUrls> {
  const open = openRoles({
    url,
    roles: product.schemas.flatMap(({ privileges }) => privileges.roles),
    schemas: product.schemas.map(({ schema }) => schema),
    secret: secrets.databaseRolesSecret,
  });
  const urlOf = await open.catch((error: Error) => {
    throw new StackError(error.message);
  });
  return {
    dataApi: urlOf('vcds_data_api'),
    dataWorker: urlOf('vcds_data_worker'),
    accessApi: urlOf('vcds_access_api'),
    importer: urlOf('vcds_importer'),
    owner: urlOf(OWNER_ROLE),
  };
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
  const program = await reported(progress, 'Finding Redis', (step) =>
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

/** Ports of the services, which do not listen yet when the stores start. */
function portsOfServices({ ports }: StackSettings): ReadonlySet<number> {
  return new Set(Object.values(ports).map(({ port }) => port));
}
