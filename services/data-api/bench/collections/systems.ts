import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, say, withClient } from '@vcds/test-kit/bench';
import { metric } from '../capacity/processor.ts';
import type { openMeteringBed } from '../metering/bed.ts';
import { type Peer, startPeer } from '../peers/peers.ts';
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
const FACETS_MS_MAX = 300_000;

const children: ChildProcess[] = [];

/** Ends the servers that this started. */
export function endSystems(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

/** data-api as it is deployed, with keys, metering in Redis, and facets in memory. */
export async function startProductSystem(
  bed: Awaited<ReturnType<typeof openMeteringBed>>,
): Promise<System> {
  // Many accounts, because each may use a quarter of the connections.
  const apiKeys = await bed.issueKeys('scale', KEYS);
  const { root, pid, internalUrl } = await bed.startDataApi({});
  await facetsLoaded(internalUrl);
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

/** Resolves when data-api counts facets in memory. */
export async function facetsLoaded(internalUrl: string): Promise<void> {
  const isLoaded = async () => (await metric(internalUrl, 'vcds_facet_engine_ready')) === 1;
  await eventually(isLoaded, { timeoutMs: FACETS_MS_MAX, intervalMs: 100 });
}

/** The floor under a name: see floor-server.ts. */
export async function startFloor(
  name: string,
  connectionString: string,
  lines: readonly Line[],
): Promise<System> {
  const repeated = ({ requests, floorRequests }: Line) => requests.slice(0, floorRequests);
  const requests = lines.flatMap(repeated);
  const own = requests.flatMap(({ path, statement }) =>
    statement === undefined ? [] : [[path, [statement]] as const],
  );
  const captured = requests.filter(({ statement }) => statement === undefined);
  const statements: CapturedStatements = {
    ...(await captureStatements(
      connectionString,
      captured.map(({ path }) => path),
    )),
    ...Object.fromEntries(own),
  };
  const customLines: Line[] = [];
  for (const line of lines) {
    const isSlow = line.floorRequests !== undefined;
    if (isSlow || (await isCheaperCustom(connectionString, line, statements))) {
      customLines.push(line);
    }
  }
  const setup: FloorSetup = {
    connectionString,
    connections: CONNECTIONS,
    statements,
    customPlans: customLines.flatMap((line) => repeated(line).map(({ path }) => path)),
  };
  say(
    `${name}: ${requests.length} calls, their own plans: ${customLines.length} of ${lines.length} lines`,
  );
  const child = fork(fileURLToPath(new URL('floor-server.js', import.meta.url)));
  children.push(child);
  child.send(setup);
  const [port] = await once(child, 'message');
  return {
    name,
    pid: child.pid ?? 0,
    playedOf: (line) => ({
      origin: `http://127.0.0.1:${port}`,
      apiKeys: [],
      paths: repeated(line).map(({ path }) => path),
    }),
  };
}

/** A peer. */
export async function startPeerSystem(peer: Peer, connectionString: string): Promise<System> {
  const { child, port } = await startPeer(peer, connectionString, CONNECTIONS);
  children.push(child);
  return {
    name: peer.title,
    pid: child.pid ?? 0,
    playedOf: ({ requests }) => {
      const paths = requests.flatMap(({ question }) =>
        question === undefined ? [] : [peer.pathOf(question)],
      );
      const isAble = paths.length === requests.length;
      return isAble ? { origin: `http://127.0.0.1:${port}`, apiKeys: [], paths } : undefined;
    },
  };
}

const TRIED = 20;

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
