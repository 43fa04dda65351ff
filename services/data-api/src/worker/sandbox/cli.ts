#!/usr/bin/env node
/** Builds the databases of the sandbox, or leaves those of this version. */
import {
  ConfigError,
  createLogger,
  POSTGRES_SCHEMES,
  readConfig,
  urlVariable,
} from '@vcds/service-kit';
import { openSnapshotStore } from '../../replica/snapshot-store.ts';
import { SNAPSHOT_VARIABLES } from '../../replica/snapshot-variables.ts';
import { sandboxSnapshots } from '../../sandbox-data/databases.ts';
import { buildSandbox } from './build-sandbox.ts';

const VARIABLES = {
  ...SNAPSHOT_VARIABLES,
  MIGRATION_DATABASE_URL: urlVariable(
    POSTGRES_SCHEMES,
    'PostgreSQL, as a role that may create databases',
    { required: true },
  ),
} as const;

const USAGE = 'Usage: npm run sandbox, without arguments. Builds the databases of the sandbox.\n';
const given = process.argv.slice(2);
if (given.length > 0) {
  const isHelp = given.every((argument) => ['--help', '-h'].includes(argument));
  (isHelp ? process.stdout : process.stderr).write(USAGE);
  process.exit(isHelp ? 0 : 2);
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());

try {
  const { MIGRATION_DATABASE_URL: url, SNAPSHOT_URL } = readConfig(VARIABLES, process.env);
  const snapshots = SNAPSHOT_URL && (await openSnapshotStore(sandboxSnapshots(SNAPSHOT_URL)));
  const isBuilt = await buildSandbox({
    ...{ url, signal: stop.signal, logger: createLogger({ service: 'sandbox', level: 'error' }) },
    snapshots: snapshots || undefined,
    onStep: (step) => process.stderr.write(`${step}\n`),
  });
  process.stdout.write(isBuilt ? 'The sandbox is built.\n' : 'The sandbox is up to date.\n');
} catch (error) {
  const lines = error instanceof ConfigError ? error.errors : [(error as Error).message];
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
