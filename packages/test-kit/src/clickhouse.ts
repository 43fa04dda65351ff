import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, test } from '@jest/globals';

const SERVER = fileURLToPath(new URL('../clickhouse/server.mjs', import.meta.url));

/** A server with the engine of ClickHouse, and a database of its own. */
export interface TestClickHouse {
  /** The address of a database. */
  readonly url: string;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Starts it again, at the same address, with its data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Where `npm run clickhouse` has installed the engine; undefined in other runs. */
export function clickHouseFolder(): string | undefined {
  return process.env.VCDS_CLICKHOUSE || undefined;
}

/** Tests that need ClickHouse: they are skipped, with the reason as their name, in other runs. */
export function describeWithClickHouse(name: string, define: () => void): void {
  describe(name, () => {
    if (clickHouseFolder() !== undefined) define();
    else test.skip('needs the engine of ClickHouse: npm run clickhouse', () => undefined);
  });
}

/** Starts a server. */
export async function createTestClickHouse(): Promise<TestClickHouse> {
  const modules = clickHouseFolder();
  if (modules === undefined) throw new Error('ClickHouse is not installed: npm run clickhouse');
  const folder = await mkdtemp(join(tmpdir(), 'vcds-clickhouse-'));
  let server: ChildProcess | undefined;
  const start = async (port: string): Promise<string> => {
    server = spawn(process.execPath, [SERVER, modules, folder, port], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const [line] = await once(createInterface({ input: server.stdout as never }), 'line');
    return String(line);
  };
  const kill = async () => {
    const ended = server && once(server, 'exit');
    server?.kill('SIGKILL');
    await ended;
    server = undefined;
  };
  const address = await start('0');
  return {
    url: `${address}/vcds`,
    kill,
    restart: async () => {
      await start(new URL(address).port);
    },
    close: async () => {
      if (server !== undefined) await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
