import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withClient } from '@vcds/test-kit/bench';
import { type Peer, startPeer } from '../peers/peers.ts';
import type { Bed } from '../support/bed.ts';
import { say } from '../support/figures.ts';
import type { Played } from '../support/play.ts';
import { type CapturedStatements, captureStatements } from './capture.ts';
import type { FloorSetup } from './floor-server.ts';
import type { Line, LineRequest } from './lines.ts';

/** A server under measurement. */
export interface System {
  readonly name: string;
  /** Its process. */
  readonly pid: number;
  /** How it is asked for a line; undefined if it cannot answer it. */
  readonly playedOf: (line: Line) => Played | undefined;
  /** Reads the body of an answer; undefined for the product and the floor. */
  readonly read?: Peer['read'];
}

/** Connections of each to PostgreSQL; the default of the product. */
const CONNECTIONS = 10;
const TRIED = 20;

const children: ChildProcess[] = [];

/** Ends the servers that this started. */
export function endSystems(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

/** data-api as it is deployed, with keys, metering in Redis, and facets in memory. */
export function productSystem(root: string, pid: number, apiKeys: readonly string[]): System {
  const { origin, pathname } = new URL(root);
  const playedOf = ({ requests }: Line) => {
    return { origin, apiKeys, paths: requests.map(({ path }) => `${pathname}${path}`) };
  };
  return { name: 'product', pid, playedOf };
}

/** The floor under a name: see floor-server.ts. */
export async function startFloor(
  bed: Bed,
  name: string,
  connectionString: string,
  lines: readonly Line[],
): Promise<System> {
  const repeated = ({ requests, floorRequests }: Line) => requests.slice(0, floorRequests);
  const requests = lines.flatMap(repeated);
  const captured = requests.filter(({ statements }) => statements === undefined);
  const statements: CapturedStatements = {
    ...(captured.length > 0 &&
      (await captureStatements(
        bed,
        captured.map(({ path }) => path),
      ))),
    ...Object.fromEntries(
      requests.flatMap(({ path, statements: own }) => (own === undefined ? [] : [[path, own]])),
    ),
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
    `${name}: ${requests.length} calls, ${customLines.length} of ${lines.length} lines have their own plans`,
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
    read: peer.read,
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

/** Whether the statements of a line take less time planned for their values than once for all. */
async function isCheaperCustom(
  connectionString: string,
  { requests }: Line,
  statements: CapturedStatements,
): Promise<boolean> {
  const tried = requests.slice(0, TRIED);
  const generic = await timeOf(connectionString, 'force_generic_plan', tried, statements);
  return (await timeOf(connectionString, 'force_custom_plan', tried, statements)) < generic;
}

function timeOf(
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
      for (const { text, values } of requests.flatMap(({ path }) => statements[path] ?? [])) {
        const name = createHash('md5').update(text).digest('hex');
        await client.query({ name, text, values: [...values] });
      }
    }
    return performance.now() - startedMs;
  });
}
