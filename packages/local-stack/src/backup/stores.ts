import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readJsonFile } from '../json-file.ts';
import type { Guardian } from '../processes/guardian.ts';
import { isAlive } from '../processes/inspect.ts';
import { openStores } from '../stack/embedded.ts';
import { commandEnvironment, serviceEnvironment } from '../stack/environment.ts';
import { lockFolder } from '../stack/lock.ts';
import { ProcessGroup } from '../stack/process-group.ts';
import type { Product } from '../stack/product.ts';
import type { Progress } from '../stack/progress.ts';
import { RUNTIME_FILE } from '../stack/runtime-file.ts';
import { openSecrets } from '../stack/secrets.ts';
import type { StackSettings } from '../stack/settings.ts';
import { StackError } from '../stack/stack-error.ts';

/** The running stores that a backup reads. */
export interface BackupStores {
  /** The variables of the operator's commands. */
  readonly environment: NodeJS.ProcessEnv;
  /** Of an embedded PostgreSQL: the URL of its superuser and its data folder. */
  readonly embedded: { readonly url: string; readonly data: string } | undefined;
  /** Stops the stores that were started for the backup. */
  close(): Promise<void>;
}

export interface StoresContext {
  readonly product: Product;
  readonly settings: StackSettings;
  readonly progress: Progress;
  readonly guardian: Guardian;
}

/**
 * The stores to back up: those of `DATABASE_URL`, else those of the running stack of `LOCAL_DIR`,
 * else its embedded stores, which are started for the backup.
 * @throws StackError if there are none, or a stack is starting or stopping.
 */
export async function openBackupStores(context: StoresContext): Promise<BackupStores> {
  const { settings } = context;
  if (settings.databaseUrl !== undefined) {
    return { environment: settings.environment, embedded: undefined, close: async () => undefined };
  }
  const data = join(settings.folders.postgres, 'data');
  const running = await runningStack(settings.folders.local);
  if (running === undefined) return startStores(context, data);
  const environment = { ...running, ...given(settings.environment) };
  const port = await embeddedPort(data);
  const isEmbedded = port !== '' && new URL(running.DATABASE_URL ?? '').port === port;
  const embedded = isEmbedded ? await embeddedStore(settings, data, port) : undefined;
  return { environment, embedded, close: async () => undefined };
}

async function startStores(context: StoresContext, data: string): Promise<BackupStores> {
  const { settings, product, progress, guardian } = context;
  const exists = await readFile(join(data, 'PG_VERSION')).catch(() => undefined);
  if (exists === undefined) {
    throw new StackError(`There is no database in ${data}. Run npm start, or set DATABASE_URL.`);
  }
  const release = await lockFolder(settings.folders.local);
  const group = new ProcessGroup();
  const close = async () => {
    await group.stop(progress);
    await release();
  };
  try {
    const { secrets } = await openSecrets(settings.folders.local);
    const { signal } = group;
    const onStarted = group.add.bind(group);
    const options = { product, settings, secrets, guardian, progress, signal, onStarted };
    const stores = await openStores(options);
    const services = serviceEnvironment(settings, stores, secrets);
    const environment = commandEnvironment(services, settings, stores);
    const embedded = await embeddedStore(settings, data, await embeddedPort(data));
    return { environment, embedded, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function embeddedStore({ folders }: StackSettings, data: string, port: string) {
  const { secrets } = await openSecrets(folders.local);
  const url = `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${port}/postgres`;
  return { url, data };
}

/** The port of the server that uses a data folder; empty if none does. */
async function embeddedPort(data: string): Promise<string> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[3]?.trim() ?? '';
}

interface Runtime {
  readonly pid: number;
  readonly environment: NodeJS.ProcessEnv;
}

/** The variables of the stack that runs in a local folder. */
async function runningStack(local: string): Promise<NodeJS.ProcessEnv | undefined> {
  const runtime = await readJsonFile<Runtime>(join(local, RUNTIME_FILE));
  return runtime !== undefined && isAlive(runtime.pid) ? runtime.environment : undefined;
}

function given(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/**
 * Moves the charges that are only in Redis to PostgreSQL, so that the copy contains them.
 * @returns their number; undefined without REDIS_URL.
 * @throws StackError with the reason of the operator's command.
 */
export async function drainLedger(
  adminCommand: string,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  if (!environment.REDIS_URL) return undefined;
  try {
    const args = [adminCommand, 'drain', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment });
    return Number(JSON.parse(stdout).drained_charges);
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new StackError(`The charges in Redis cannot be drained: ${stderr || String(error)}`);
  }
}
