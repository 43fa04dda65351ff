// Jest's globalSetup: builds what is stale, since tests start services from their builds, and opens
// the broker from which the workers get databases. PostgreSQL and Redis themselves start when a
// test first asks for one.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { removeStaleBuilds } from '../../local-stack/bin/lib/stale-builds.mjs';

export default async function globalSetup() {
  removeStaleBuilds();
  build();
  const { openBroker } = await import('../dist/broker.js');
  const { BROKER_VARIABLE } = await import('../dist/client.js');
  const broker = await openBroker();
  process.env[BROKER_VARIABLE] = broker.url;
  globalThis.vcdsTestBroker = broker;
}

function build() {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const compiler = fileURLToPath(
    new URL('../../../node_modules/typescript/bin/tsc', import.meta.url),
  );
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-b'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The sources do not compile:\n${stdout}`);
}
