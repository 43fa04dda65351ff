import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Stores } from './embedded.ts';
import type { Secrets } from './secrets.ts';
import type { StackSettings } from './settings.ts';

/**
 * The environment of the services: the caller's variables, the defaults of a local stack, and the
 * addresses of this stack. `docs/configuration.md` has the table.
 */
export function serviceEnvironment(
  settings: StackSettings,
  stores: Stores,
  secrets: Secrets,
): NodeJS.ProcessEnv {
  const { environment, ports, folders } = settings;
  const given = (name: string) => environment[name]?.trim() || undefined;
  return {
    ...environment,
    NODE_ENV: given('NODE_ENV') ?? 'production',
    DATABASE_URL: stores.databaseUrls.dataApi,
    DATA_WORKER_DATABASE_URL: given('DATA_WORKER_DATABASE_URL') ?? stores.databaseUrls.dataWorker,
    ACCESS_DATABASE_URL: given('ACCESS_DATABASE_URL') ?? stores.databaseUrls.accessApi,
    REDIS_URL: stores.redisUrl,
    QUEUE_REDIS_URL: given('QUEUE_REDIS_URL') ?? stores.redisUrl,
    DATA_API_PORT: String(ports.dataApi.port),
    DATA_API_INTERNAL_PORT: String(ports.dataApiInternal.port),
    DATA_API_PUBLIC_URL: settings.dataApiUrl,
    ACCESS_API_PORT: String(ports.accessApi.port),
    ACCESS_API_INTERNAL_PORT: String(ports.accessApiInternal.port),
    ACCESS_API_PUBLIC_URL: settings.accessApiUrl,
    ACCESS_INTERNAL_URL:
      given('ACCESS_INTERNAL_URL') ?? `http://127.0.0.1:${ports.accessApiInternal.port}`,
    WORKER_INTERNAL_PORT: String(ports.workerInternal.port),
    DATA_WORKER_INTERNAL_PORT: String(ports.dataWorkerInternal.port),
    SERVICE_TOKEN_SECRET: given('SERVICE_TOKEN_SECRET') ?? secrets.serviceTokenSecret,
    CODE_SECRET: given('CODE_SECRET') ?? secrets.codeSecret,
    CURSOR_SECRET: given('CURSOR_SECRET') ?? secrets.cursorSecret,
    LOCAL_DIR: folders.local,
    SNAPSHOT_URL:
      given('SNAPSHOT_URL') ?? pathToFileURL(join(resolve(folders.local), 'snapshots')).href,
    ...(settings.isSandbox ? { SANDBOX: 'on' } : {}),
    MAIL_TRANSPORT: given('MAIL_TRANSPORT') ?? 'file',
    MAIL_DIR: folders.mail,
    MX_CHECK: given('MX_CHECK') ?? 'off',
    REQUIRE_HTTPS: given('REQUIRE_HTTPS') ?? 'false',
    // There is no load balancer: Ctrl-C stops at once.
    DRAIN_MS: given('DRAIN_MS') ?? '0',
    ...WITHOUT_COMMANDS,
  };
}

/** Variables of roles with more privileges than the services need; services do not get them. */
const COMMAND_VARIABLES = [
  'MIGRATION_DATABASE_URL',
  'ACCESS_MIGRATION_DATABASE_URL',
  'IMPORT_DATABASE_URL',
] as const;
const WITHOUT_COMMANDS: NodeJS.ProcessEnv = Object.fromEntries(
  COMMAND_VARIABLES.map((name) => [name, undefined]),
);

/** The environment of commands that migrate and import: with the variables of their roles. */
export function commandEnvironment(
  services: NodeJS.ProcessEnv,
  { environment }: StackSettings,
  { databaseUrls }: Stores,
): NodeJS.ProcessEnv {
  const isAccessElsewhere = Boolean(environment.ACCESS_DATABASE_URL?.trim());
  return {
    ...services,
    MIGRATION_DATABASE_URL: databaseUrls.owner,
    ACCESS_MIGRATION_DATABASE_URL:
      environment.ACCESS_MIGRATION_DATABASE_URL?.trim() ||
      (isAccessElsewhere ? services.ACCESS_DATABASE_URL : databaseUrls.owner),
    IMPORT_DATABASE_URL: databaseUrls.importer,
  };
}
