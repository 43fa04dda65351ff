import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guardian } from '../processes/guardian.ts';
import type { Running } from './banner.ts';
import { checkRedis } from './check-redis.ts';
import { startCompiler } from './compiler.ts';
import { loadDemoData } from './demo-data.ts';
import { demoKey } from './demo-key.ts';
import { openStores } from './embedded.ts';
import { commandEnvironment, serviceEnvironment } from './environment.ts';
import { assertDatabaseKept, assertOwnFolder, wipe, wipeDatabase } from './local-state.ts';
import { migrateStores } from './migrate-stores.ts';
import type { ProcessGroup } from './process-group.ts';
import type { Product } from './product.ts';
import { type Progress, reported } from './progress.ts';
import { untilServiceReady } from './ready.ts';
import { RUNTIME_FILE } from './runtime-file.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { startService } from './services.ts';
import type { StackSettings } from './settings.ts';

/** Any text is a key of the sandbox. */
const SANDBOX_KEY = 'sandbox';

export interface BringUp {
  readonly product: Product;
  readonly settings: StackSettings;
  readonly flags: { readonly fresh: boolean; readonly json: boolean; readonly watch: boolean };
  readonly progress: Progress;
  readonly guardian: Guardian;
  readonly group: ProcessGroup;
}

/**
 * Starts everything, one step after another: stores, schemas, demonstration data, services, key.
 * Throws between two steps once the group is halted.
 */
export async function bringUp(context: BringUp): Promise<Running> {
  const { product, settings, progress, guardian, group } = context;
  await checkRedis(settings);
  const secrets = await prepareFolder(context);
  const stores = await openStores({
    product,
    settings,
    secrets,
    guardian,
    progress,
    signal: group.signal,
    onStarted: (server) => group.add(server),
  });
  group.signal.throwIfAborted();
  const environment = serviceEnvironment(settings, stores, secrets);
  const commands = commandEnvironment(environment, settings, stores);
  const isEmbedded = settings.databaseUrl === undefined;
  await migrateStores(product.schemas, commands, { progress, isEmbedded });
  group.signal.throwIfAborted();
  const isTraining = await loadDemoData({
    command: product.demoCommand,
    indexCommand: product.indexCommand,
    sandboxCommand: product.sandboxCommand,
    settings,
    environment: commands,
    progress,
    guardian,
    signal: group.signal,
  });
  if (context.flags.watch) {
    group.add(await startCompiler(product.compiler, settings.folders.logs, guardian));
  }
  await startServices(context, environment);
  const apiKey = settings.isSandbox
    ? SANDBOX_KEY
    : await demoKey(product.adminCommand, settings, environment);
  group.signal.throwIfAborted();
  return { settings, environment: commands, apiKey, isTraining };
}

async function prepareFolder({ settings, flags, progress }: BringUp): Promise<Secrets> {
  const { folders } = settings;
  await assertOwnFolder(folders);
  if (flags.fresh) await reported(progress, 'Deleting all earlier data', () => wipe(folders));
  // The file of a killed stack would point other commands to stopped stores.
  await rm(join(folders.local, RUNTIME_FILE), { force: true });
  const { secrets, isNew } = await openSecrets(folders.local);
  // If the local folder was deleted, root's database still exists, but its password is lost.
  if (isNew) await wipeDatabase(folders);
  else if (settings.databaseUrl === undefined) await assertDatabaseKept(folders);
  return secrets;
}

async function startServices(context: BringUp, environment: NodeJS.ProcessEnv): Promise<void> {
  const { product, settings, flags, progress, guardian, group } = context;
  const print = (line: string) => {
    if (flags.json) process.stderr.write(`${line}\n`);
    else process.stdout.write(`${line}\n`);
  };
  const services = product.services.filter(
    ({ isOfRecords = false }) => !(isOfRecords && settings.isSandbox),
  );
  await reported(progress, 'Starting the services', async (step) => {
    for (const spec of services) {
      group.signal.throwIfAborted();
      const context = { settings, environment, guardian, print, watch: flags.watch };
      group.add(await startService(spec, context));
    }
    for (const { name, internalPort } of services) {
      step.update(`waiting for ${name}`);
      const service = group.find(name);
      await untilServiceReady(service, settings.ports[internalPort].port, group.signal);
    }
  });
}
