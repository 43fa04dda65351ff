/**
 * Measures how fast facets are counted: by the database and in memory, in the engine and over HTTP,
 * with generated startups. It compares the results of both engines; a difference fails the run.
 *
 * Run with `npm run bench -- facets`. Options: `--startups=100000,1000000`, `--seconds=N` that
 * each measurement takes at most (10), `--ways=engine,HTTP`, `--adapters=sql,columnar`,
 * `--threads=N` that count. `--data=DIR` names a folder in which the data of one size is written
 * once and stays; else `TEST_DATABASE_URL` names a PostgreSQL server to use instead of the
 * embedded one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  benchOptions,
  LOADING,
  openDataFolder,
  openTestServers,
  say,
  timed,
} from '@vcds/test-kit/bench';
import { createColumnarEngine } from '../src/categories/columnar-engine.ts';
import type { FacetEngine } from '../src/categories/facet-schema.ts';
import { SqlFacetEngine } from '../src/categories/sql-engine/sql-engine.ts';
import { Database } from '../src/postgres/database.ts';
import { logger } from './data-api.ts';
import { generateDictionary } from './facets/dictionary.ts';
import { generateStartups, hasStartups, readOccurring } from './facets/generate-startups.ts';
import { startServer } from './facets/http.ts';
import {
  type Asked,
  type Latency,
  measureLatency,
  measureThroughput,
  type Throughput,
} from './facets/measure.ts';
import { type Measured, measuredTable } from './facets/report.ts';
import { type BenchRequest, drawRequests, KINDS, type Kind } from './facets/requests.ts';
import { measureUpdates } from './facets/updates.ts';

const CLIENTS = [1, 2, 8];
const CONNECTIONS = 8;
const REQUESTS_PER_KIND = 400;
/** For each kind. */
const WARM_UP_MS = 500;
const STATEMENT_MS_MAX = 120_000;
const options = benchOptions({
  startups: [100_000, 1_000_000, 4_000_000],
  seconds: 10,
  ways: 'engine,HTTP',
  adapters: 'sql,columnar',
  threads: 0,
  data: '',
});
const msMax = options.seconds * 1_000;
const ways = new Set(options.ways.split(','));
const adapters = new Set(options.adapters.split(','));
const kinds = Object.keys(KINDS) as Kind[];
const rows: Measured[] = [];
type ColumnarEngine = ReturnType<typeof createColumnarEngine>;

if (options.data === '') {
  const servers = await openTestServers();
  try {
    for (const startups of options.startups) {
      const url = await servers.createDatabase({ migrated: true });
      await generate(url, startups);
      await measureDatabase(url, startups);
      await servers.dropDatabase(url);
    }
  } finally {
    await servers.close();
  }
} else {
  const folder = await openDataFolder(options.data, LOADING);
  try {
    const startups = options.startups[0] ?? 0;
    if (!(await hasStartups(folder.url))) await generate(folder.url, startups);
    await measureDatabase(folder.url, startups);
  } finally {
    await folder.close();
  }
}
say(`\n${measuredTable(kinds, rows)}`);

async function generate(url: string, startups: number): Promise<void> {
  const ms = await timed(() => generateStartups(url, startups));
  say(`${startups} startups written in ${seconds(ms)} s`);
}

async function measureDatabase(url: string, startups: number): Promise<void> {
  const occurring = await readOccurring(url, generateDictionary());
  const requests = new Map(
    kinds.map((kind) => [kind, drawRequests(kind, occurring, REQUESTS_PER_KIND)]),
  );
  if (ways.has('engine')) await measureEngines(url, startups, requests);
  for (const adapter of ['sql', 'columnar'] as const) {
    if (!ways.has('HTTP') || !adapters.has(adapter)) continue;
    const server = await startServer(adapter, url);
    try {
      record({ startups, way: 'HTTP', adapter, ...(await measureAll(server, requests)) });
    } finally {
      await server.close();
    }
  }
}

async function measureEngines(
  url: string,
  startups: number,
  requests: ReadonlyMap<Kind, readonly BenchRequest[]>,
): Promise<void> {
  const database = new Database({
    connectionString: url,
    connectionsMax: CONNECTIONS,
    statementMsMax: STATEMENT_MS_MAX,
    logger,
  });
  const columnar = createColumnarEngine({
    connection: { connectionString: url },
    logger,
    ...(options.threads > 0 && { threads: options.threads }),
  });
  try {
    const sql = new SqlFacetEngine(database);
    await load(columnar);
    if (adapters.has('sql')) {
      await compare(sql, columnar, requests);
      record({
        startups,
        way: 'engine',
        adapter: 'sql',
        ...(await measureAll(asking(sql), requests)),
      });
    }
    if (adapters.has('columnar')) {
      const measured = await measureAll(asking(columnar), requests);
      record({ startups, way: 'engine', adapter: 'columnar', ...measured });
      await reportUpdates(url, columnar);
    }
  } finally {
    await columnar.close();
    await database.close();
  }
}

async function reportUpdates(url: string, engine: ColumnarEngine): Promise<void> {
  for (const count of [1, 5_000]) {
    const { records, visibleMs, bytesBefore, bytesAfter } = await measureUpdates(
      url,
      engine,
      count,
    );
    say(
      `${records} changed in one batch: counted ${visibleMs} ms after the commit; memory ` +
        `${megabytes(bytesBefore)} MB before, ${megabytes(bytesAfter)} MB after`,
    );
  }
}

async function load(engine: ColumnarEngine): Promise<void> {
  const before = process.memoryUsage.rss();
  engine.start();
  while (!engine.state().ready) {
    if (engine.state().status === 'too-large') throw new Error('The engine does not load.');
    await delay(50);
  }
  const { bytes, loadMs = 0, rows: live, threads } = engine.state();
  const grown = process.memoryUsage.rss() - before;
  say(
    `columnar: ${live.startups} startups loaded in ${seconds(loadMs)} s, ${megabytes(bytes)} MB, ` +
      `resident memory grown by ${megabytes(grown)} MB; ${threads} threads count`,
  );
}

/** Asks both for the same, kind by kind, for as long as a measurement takes. */
async function compare(
  sql: FacetEngine,
  columnar: FacetEngine,
  requests: ReadonlyMap<Kind, readonly BenchRequest[]>,
): Promise<void> {
  for (const [kind, drawn] of requests) {
    const startedMs = performance.now();
    let compared = 0;
    for (const { query, path } of drawn) {
      const [expected, counted] = [await sql.count(query), await columnar.count(query)];
      if (!isDeepStrictEqual(counted, expected)) throw new Error(`Counts differ: ${path}`);
      compared += 1;
      if (performance.now() - startedMs > msMax) break;
    }
    say(`${kind}: ${compared} answers of both are the same`);
  }
}

async function measureAll(
  asked: Asked,
  requests: ReadonlyMap<Kind, readonly BenchRequest[]>,
): Promise<Pick<Measured, 'latencies' | 'throughputs'>> {
  const mix = [...requests.values()].flatMap((drawn, k) =>
    drawn.map((request, i) => ({ request, at: i * requests.size + k })),
  );
  const mixed = mix.sort((a, b) => a.at - b.at).map(({ request }) => request);
  for (const drawn of requests.values()) await measureLatency(asked, drawn, WARM_UP_MS);
  const latencies = new Map<Kind, Latency>();
  for (const [kind, drawn] of requests)
    latencies.set(kind, await measureLatency(asked, drawn, msMax));
  const throughputs = new Map<number, Throughput>();
  for (const clients of CLIENTS)
    throughputs.set(clients, await measureThroughput(asked, mixed, clients, msMax));
  return { latencies, throughputs };
}

/** Keeps a row of the table, and shows it at once. */
function record(row: Measured): void {
  rows.push(row);
  say(measuredTable(kinds, [row]).split('\n').at(-1) ?? '');
}

/** The threads of an engine are in this process. */
function asking(engine: FacetEngine): Asked {
  return { ask: ({ query }) => engine.count(query), pid: process.pid };
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
