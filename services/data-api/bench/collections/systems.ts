import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withClient } from '@vcds/test-kit/bench';
import type { openMeteringBed } from '../metering/bed.ts';
import { PEERS, startPeer } from '../peers/peers.ts';
import { type CapturedStatements, captureStatements } from './capture.ts';
import type { FloorSetup } from './floor-server.ts';
import type { Line, LineRequest } from './lines.ts';
import type { Played } from './play.ts';

/** A server under measurement. */
export interface System {
  readonly name: string;
  /** Its process. */
  readonly pid: number;
  /** How it is asked for a line; undefined if it cannot answer it. */
  readonly playedOf: (line: Line) => Played | undefined;
}

/** Connections of each to PostgreSQL; the default of the product. */
export const CONNECTIONS = 10;
const KEYS = 64;

const children: ChildProcess[] = [];

/** Ends the servers that this started. */
export function endSystems(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** data-api itself, with keys and metering in Redis. */
export async function startProductSystem(
  bed: Awaited<ReturnType<typeof openMeteringBed>>,
): Promise<System> {
  // Many accounts, because each may use a quarter of the connections.
  const apiKeys = await bed.issueKeys('scale', KEYS);
  const { root, pid } = await bed.startDataApi({ FACET_ENGINE: 'sql' });
  const { origin, pathname } = new URL(root);
  return {
    name: 'product',
    pid,
    playedOf: ({ requests }) => ({
      origin,
      apiKeys,
      paths: requests.map(({ path }) => `${pathname}${path}`),
    }),
  };
}

/** The floor: see floor-server.ts. */
export async function startFloor(
  connectionString: string,
  lines: readonly Line[],
): Promise<System & { readonly customLines: readonly Line[] }> {
  const requests = lines.flatMap((line) => line.requests);
  const statements = await captureStatements(connectionString, requests);
  const customLines: Line[] = [];
  for (const line of lines) {
    if (await isCheaperCustom(connectionString, line, statements)) customLines.push(line);
  }
  const setup: FloorSetup = {
    connectionString,
    connections: CONNECTIONS,
    statements,
    customPlans: customLines.flatMap((line) => line.requests.map(({ path }) => path)),
  };
  const child = fork(fileURLToPath(new URL('floor-server.js', import.meta.url)));
  children.push(child);
  child.send(setup);
  const [port] = await once(child, 'message');
  return {
    name: 'floor',
    pid: child.pid ?? 0,
    customLines,
    playedOf: (line) => ({
      origin: `http://127.0.0.1:${port}`,
      apiKeys: [],
      paths: line.requests.map(({ path }) => path),
    }),
  };
}

/** A peer by name. */
export async function startPeerSystem(name: string, connectionString: string): Promise<System> {
  const peer = PEERS[name];
  if (peer === undefined) {
    throw new Error(`Unknown peer ${name}. Use floor, ${Object.keys(PEERS).join(', ')}.`);
  }
  const { child, port } = await startPeer(peer, connectionString, CONNECTIONS);
  children.push(child);
  return {
    name,
    pid: child.pid ?? 0,
    playedOf: ({ requests }) => {
      const paths = requests.map((request) => peer.pathOf(request));
      return paths.includes('')
        ? undefined
        : { origin: `http://127.0.0.1:${port}`, apiKeys: [], paths };
    },
  };
}

const TRIED = 40;

/** Whether the statements of a line take less time planned for their values than once for all. */
async function isCheaperCustom(
  connectionString: string,
  { requests }: Line,
  statements: CapturedStatements,
): Promise<boolean> {
  const tried = requests.slice(0, TRIED);
  const [generic = 0, custom = 0] = [
    await timeOf(connectionString, 'force_generic_plan', tried, statements),
    await timeOf(connectionString, 'force_custom_plan', tried, statements),
  ];
  return custom < generic;
}

async function timeOf(
  connectionString: string,
  planning: string,
  requests: readonly LineRequest[],
  statements: CapturedStatements,
): Promise<number> {
  return withClient(connectionString, async (client) => {
    await client.query(`SET plan_cache_mode = ${planning}`);
    await client.query('SET search_path = venture, public');
    await client.query('SET max_parallel_workers_per_gather = 0');
    let startedMs = performance.now();
    // The first turn reads the pages from disk.
    for (const turn of [0, 1]) {
      if (turn === 1) startedMs = performance.now();
      for (const { path } of requests) {
        for (const { text, values } of statements[path] ?? []) {
          const name = `tried ${planning} ${text.length}`;
          await client.query({ name, text, values: [...values] });
        }
      }
    }
    return performance.now() - startedMs;
  });
}
