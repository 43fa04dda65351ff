import { say } from '@vcds/test-kit/bench';
import { compareAnswers } from '../collections/compare-answers.ts';
import { readDeepLine } from '../collections/deep-line.ts';
import { type Line, type Lines, readLines } from '../collections/lines.ts';
import { HTTP_FIGURES, measureLine } from '../collections/measure.ts';
import { play } from '../collections/play.ts';
import {
  endSystems,
  type System,
  startFloor,
  startPeerSystem,
  startProductSystem,
} from '../collections/systems.ts';
import { type MeasuredServer, openMeteringBed } from '../metering/bed.ts';
import { chosen } from './chosen.ts';
import type { ComparedLine } from './comparison.ts';
import { readFacetLines } from './facet-lines.ts';
import { readFeedLines } from './feed-lines.ts';
import type { Part, PartContext } from './part.ts';

type Bed = Awaited<ReturnType<typeof openMeteringBed>>;

/** A part that calls servers over HTTP in turns. */
interface HttpPart {
  readonly title: string;
  readonly text: string;
  readonly baseline: string;
  /** The numbers of clients, if they are fixed: SQL takes seconds for some facets. */
  readonly clients?: readonly number[];
  readonly linesOf: (url: string) => Promise<Lines>;
  readonly start: (bed: Bed, url: string, lines: Lines, context: PartContext) => Promise<System[]>;
}

/** Product, floor and peers on collections. */
export const collections = httpPart({
  title: 'Collections against a floor and peers',
  text:
    'The product has keys, metering and all its processes. The **floor** is node:http and pg with the ' +
    'statements that the product sends for the same calls (those without the engine in ' +
    'memory), prepared, with a generic plan or one for the values, whichever is faster; it parses, ' +
    'checks and charges nothing. The peers read the same columns ' +
    'of the same tables without keys and metering, in production mode; a deep page is a keyset condition ' +
    'for them. All have ten connections. The answers of the peers are compared with those of the product ' +
    'before. Processor time is that of the server and of PostgreSQL; a part of the work of storing charges ' +
    'follows in the turn of the next system.',
  baseline: 'floor',
  linesOf: async (url) => ({ ...(await readLines(url)), deep: await readDeepLine(url) }),
  start: async (bed, url, lines, { peers }) => {
    const product = await startProductSystem(bed);
    const systems = [await startFloor('floor', url, Object.values(lines)), product];
    for (const peer of peers) {
      const system = await startPeerSystem(peer, url);
      await compareAnswers(Object.values(lines), product, system, peer);
      say(`${peer.title} gives the answers of the product`);
      systems.push(system);
    }
    return systems;
  },
});

/** The product against counting in PostgreSQL. */
export const facets = httpPart({
  title: 'Facets against SQL',
  text:
    'The product counts in memory. The baseline sends the statements of the engine `sql` for the same ' +
    'calls to PostgreSQL, through node:http and pg: `GROUP BY`, or stored counts without narrowing.',
  baseline: 'SQL',
  clients: [8],
  linesOf: readFacetLines,
  start: async (bed, url, lines) => [
    await startFloor('SQL', url, Object.values(lines)),
    await startProductSystem(bed),
  ],
});

/** The product against a plain read of the feed. */
export const feed = httpPart({
  title: 'Change feed against a keyset statement',
  text:
    'The baseline reads the same signals by `detected_at < $1 ORDER BY detected_at DESC LIMIT 51`, ' +
    'prepared, through node:http and pg. The positions are spread over the feed.',
  baseline: 'keyset',
  linesOf: readFeedLines,
  start: async (bed, url, lines) => [
    await startFloor('keyset', url, Object.values(lines)),
    await startProductSystem(bed),
  ],
});

/** The same calls with and without keys and credits. */
export const metering = httpPart({
  title: 'Metered against unmetered calls',
  text:
    'The same API in two processes: one checks keys with access-api and charges credits in Redis, the ' +
    'baseline has fixed principals and no credits.',
  baseline: 'unmetered',
  linesOf: async (url) => {
    const { 'by-id': byId, 'page-25': page } = await readLines(url);
    return { ...(byId && { 'by-id': byId }), ...(page && { 'page-25': page }) };
  },
  start: async (bed) => {
    const apiKeys = await bed.issueKeys('scale', KEYS);
    return [
      systemOf('unmetered', await bed.startServer('unmetered'), apiKeys),
      systemOf('metered', await bed.startServer('metered'), apiKeys),
    ];
  },
});

const KEYS = 64;
const WARM_UP_CLIENTS = 8;
/** The first thousands of calls of a process run code that V8 has not compiled yet. */
const WARM_UP_MS_MIN = 2_000;

function systemOf(name: string, server: MeasuredServer, apiKeys: readonly string[]): System {
  const { origin, pathname } = new URL(server.url);
  return {
    name,
    pid: server.pid,
    playedOf: ({ requests }) => ({
      origin,
      apiKeys,
      paths: requests.map(({ path }) => `${pathname}${path}`),
    }),
  };
}

function httpPart({ title, text, baseline, clients, linesOf, start }: HttpPart): Part {
  return async (context) => {
    const folder = await context.openData();
    const bed = await openMeteringBed({ databaseUrl: folder.url });
    try {
      const lines = chosen(await linesOf(folder.url), context.lines);
      const systems = await start(bed, folder.url, lines, context);
      say(`${systems.map(({ name }) => name).join(', ')} are ready`);
      await warmUp(
        Object.values(lines),
        systems,
        Math.max(WARM_UP_MS_MIN, context.seconds * 1_000),
      );
      const measured: ComparedLine[] = [];
      for (const line of Object.values(lines)) {
        for (const count of clients ?? context.clients) {
          measured.push(await measureOne(line, count, systems, folder.pid, context));
        }
      }
      const heads = ['Call', 'Clients'];
      return { title, text, baseline, heads, figures: HTTP_FIGURES, lines: measured };
    } finally {
      endSystems();
      await bed.close();
    }
  };
}

/** Calls every line of every system, so that code is compiled and plans are cached. */
async function warmUp(
  lines: readonly Line[],
  systems: readonly System[],
  durationMs: number,
): Promise<void> {
  for (const system of systems) {
    for (const line of lines) {
      const played = system.playedOf(line);
      if (played === undefined) continue;
      await play(played, WARM_UP_CLIENTS, durationMs).catch((error) =>
        say(`${system.name}, ${line.title}: ${error}`),
      );
    }
  }
}

async function measureOne(
  line: Line,
  clients: number,
  systems: readonly System[],
  postgresPid: number,
  { runs, seconds }: PartContext,
): Promise<ComparedLine> {
  const durationMs = seconds * 1_000;
  const measured = await measureLine(line, systems, { clients, runs, durationMs, postgresPid });
  say(`${line.title}, ${clients} clients`);
  return { labels: [line.title, String(clients)], runs: measured };
}
