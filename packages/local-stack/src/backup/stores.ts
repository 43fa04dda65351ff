import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Guardian } from '../processes/guardian.ts';
import { openStores } from '../stack/embedded.ts';
import { commandEnvironment, serviceEnvironment } from '../stack/environment.ts';
import { lockFolder } from '../stack/lock.ts';
import { ProcessGroup } from '../stack/process-group.ts';
import type { Product } from '../stack/product.ts';
import type { Progress } from '../stack/progress.ts';
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
  stop(): Promise<void>;
  /** Stops them and lets another process use the local folder. */
  close(): Promise<void>;
}

export interface StoresContext {
  readonly product: Product;
  readonly settings: StackSettings;
  readonly progress: Progress;
  readonly guardian: Guardian;
}

/**
 * The stores to back up: those of `DATABASE_URL`, else the embedded ones of `LOCAL_DIR`, which are
 * started to drain the charges; no stack may use them.
 * @throws StackError if there are none, or a stack runs.
 */
export async function openBackupStores(context: StoresContext): Promise<BackupStores> {
  const { settings, product, progress, guardian } = context;
  if (settings.databaseUrl !== undefined) {
    const stop = async () => undefined;
    return { environment: settings.environment, embedded: undefined, stop, close: stop };
  }
  const { postgres, local } = settings.folders;
  const data = join(postgres, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    throw new StackError(`There is no database in ${data}. Run npm start, or set DATABASE_URL.`);
  }
  const release = await lockFolder(local);
  const group = new ProcessGroup();
  const stop = () => group.stop(progress);
  const close = async () => {
    await stop();
    await release();
  };
  try {
    const { secrets } = await openSecrets(local);
    const { signal } = group;
    const onStarted = group.add.bind(group);
    const options = { product, settings, secrets, guardian, progress, signal, onStarted };
    const stores = await openStores(options);
    const services = serviceEnvironment(settings, stores, secrets);
    const environment = commandEnvironment(services, settings, stores);
    const url = new URL(stores.databaseUrls.owner);
    url.username = 'postgres';
    url.password = secrets.postgresPassword;
    return { environment, embedded: { url: url.href, data }, stop, close };
  } catch (error) {
    await close();
    throw error;
  }
}
