import { compareAnswers } from '../collections/compare-answers.ts';
import { readDeepLine } from '../collections/deep-line.ts';
import { readFacetLines } from '../collections/facet-lines.ts';
import { readFeedLines } from '../collections/feed-lines.ts';
import { type Line, type Lines, readLines } from '../collections/lines.ts';
import { HTTP_FIGURES, measureLine } from '../collections/measure.ts';
import {
  endSystems,
  productSystem,
  type System,
  startFloor,
  startPeerSystem,
} from '../collections/systems.ts';
import { openBed } from '../support/bed.ts';
import { say } from '../support/figures.ts';
import { play } from '../support/play.ts';
import { chosen } from './chosen.ts';
import type { ComparedLine } from './comparison.ts';
import type { Part, PartContext } from './part.ts';

/** A running product with its database. */
interface Product {
  readonly url: string;
  readonly root: string;
  readonly apiKey: string;
}

/** A part that calls the product and a floor over HTTP in turns. */
interface HttpPart {
  readonly title: string;
  readonly text: string;
  readonly baseline: string;
  /** The numbers of clients, if they are fixed: SQL takes seconds for some facets. */
  readonly clients?: readonly number[];
  /** Whether peers are measured too. */
  readonly hasPeers?: true;
  readonly linesOf: (product: Product) => Promise<Lines>;
}

/** Many accounts, because each may use a quarter of the connections. */
const KEYS = 64;
const WARM_UP_CLIENTS = 8;
/** The first thousands of calls of a process run code that V8 has not compiled yet. */
const WARM_UP_MS_MIN = 2_000;

/** Product, floor and peers on collections. */
export const collections = httpPart({
  title: 'Collections against a floor and peers',
  text:
    'The product has keys, metering and all its processes. The **floor** is node:http and pg with the ' +
    'statements that the product sends for the same calls (counts, which the product keeps in memory, as ' +
    'one statement), prepared, with a generic plan or one for the values, whichever is faster; it parses, ' +
    'checks and charges nothing. The peers read the same columns ' +
    'of the same tables without keys and metering, in production mode; a deep page is a keyset condition ' +
    'for them. All have ten connections. The answers of the peers are compared with those of the product ' +
    'before. Processor time is that of the server and of PostgreSQL; a part of the work of storing charges ' +
    'follows in the turn of the next system.',
  baseline: 'floor',
  hasPeers: true,
  linesOf: async ({ url, root, apiKey }) => ({
    ...(await readLines(url)),
    deep: await readDeepLine(url, root, apiKey),
  }),
});

/** The product against counting in PostgreSQL. */
export const facets = httpPart({
  title: 'Facets against SQL',
  text:
    'The product counts in memory. The baseline counts the same values in PostgreSQL, with a statement of ' +
    '`GROUP BY` for each dimension, through node:http and pg.',
  baseline: 'SQL',
  clients: [8],
  linesOf: ({ url }) => readFacetLines(url),
});

/** The product against a plain read of the feed. */
export const feed = httpPart({
  title: 'Change feed against a keyset statement',
  text:
    'The baseline reads the same signals by `detected_at < $1 ORDER BY detected_at DESC LIMIT 51`, ' +
    'prepared, through node:http and pg. The positions are spread over the feed.',
  baseline: 'keyset',
  linesOf: ({ url }) => readFeedLines(url),
});

function httpPart({ title, text, baseline, clients, hasPeers, linesOf }: HttpPart): Part {
  return async (context) => {
    const folder = await context.openData();
    const bed = await openBed(folder.url);
    try {
      const apiKeys = await bed.issueKeys('scale', KEYS);
      const { root, pid } = await bed.startDataApi();
      const product = productSystem(root, pid, apiKeys);
      const [apiKey = ''] = apiKeys;
      const all = await linesOf({ url: folder.url, root, apiKey });
      const lines = Object.values(chosen(all, context.lines));
      const floor = await startFloor(bed, baseline, folder.url, lines);
      const peers = hasPeers ? await startPeers(context, folder.url, lines, product) : [];
      const systems = [floor, product, ...peers];
      say(`${systems.map(({ name }) => name).join(', ')} are ready`);
      await warmUp(lines, systems, Math.max(WARM_UP_MS_MIN, context.seconds * 1_000));
      const measured: ComparedLine[] = [];
      for (const line of lines) {
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

async function startPeers(
  { peers }: PartContext,
  url: string,
  lines: readonly Line[],
  product: System,
): Promise<readonly System[]> {
  const started: System[] = [];
  for (const peer of peers) {
    const system = await startPeerSystem(peer, url);
    await compareAnswers(lines, product, system, peer);
    say(`${peer.title} gives the answers of the product`);
    started.push(system);
  }
  return started;
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
