import { Random } from '@vcds/demo-data/random';
import {
  type DataFolder,
  openDataFolder,
  quantile,
  say,
  table,
  timed,
  withClient,
} from '@vcds/test-kit/bench';
import pg from 'pg';
import { search } from '../../src/search/search.ts';
import { familyOnCpuMs, onCpuMs } from '../collections/processor.ts';
import { facetsLoaded } from '../collections/systems.ts';
import { httpGet } from '../http-get.ts';
import { openMeteringBed } from '../metering/bed.ts';
import { READ_OPTIONS, searchDatabase } from './bench-database.ts';
import { nameChanges } from './name-changes.ts';

const SEED = 37;
const NAMES = 5_000;
/** Searches of each kind before the measured ones: code is compiled, and pages are in the buffers. */
const WARM_UP = 100;
/** The most frequent words of the names that are general words of queries. */
const GENERAL_WORDS = 400;
const P99_MS_MAX = 20;

/** Makes a query of a name. */
type Kind = readonly [title: string, queryOf: (name: string, random: Random) => string | null];

/** Runs searches, and reads the processor times of Node and PostgreSQL. */
interface Target {
  search(q: string): Promise<void>;
  nodeMs(): number;
  postgresMs(): number;
  close(): Promise<void>;
}

/** The data and the queries of a measurement. */
export interface SearchTimesOptions {
  /** The folder of a corpus. */
  readonly data: string;
  /** Different queries of each kind. */
  readonly queries: number;
  /** `shared_buffers` of PostgreSQL. */
  readonly buffers: string;
  /** A part of the titles of the kinds to measure. */
  readonly kind: string;
  /** Without HTTP: in this process, on one connection. */
  readonly direct: boolean;
}

/**
 * Searches for startups of a corpus, one after the other, for the first 10 matches, over HTTP by
 * default, after the facet engine has loaded. The processor times of a search are means, of data-api
 * (or this process) and PostgreSQL.
 *
 * @returns a table of medians, 99th percentiles and processor times.
 */
export async function measureSearchTimes(options: SearchTimesOptions): Promise<string> {
  const { data, queries, buffers, kind: only, direct } = options;
  const folder = await openDataFolder(data, { shared_buffers: buffers });
  try {
    const names = await readNames(folder.url);
    const kinds = kindsOf(names).filter(([title]) => title.includes(only));
    const target = direct ? await openDirect(folder) : await openServed(folder);
    try {
      const random = new Random(SEED);
      for (let done = 0; done < WARM_UP; done += 1) {
        // The first searches of a new server can exceed the time limit.
        for (const kind of kinds) {
          await target.search(drawQuery(kind, names, random)).catch(() => undefined);
        }
      }
      const rows: (readonly (string | number)[])[] = [];
      for (const kind of kinds) {
        const figures = await measureKind(target, () => drawQuery(kind, names, random), queries);
        rows.push([kind[0], ...figures]);
        say(`${kind[0]}: ${figures.join(' · ')}`);
      }
      const heads = ['p50 ms', 'p99 ms', 'Node ms', 'PostgreSQL ms'];
      return table(['Query', 'searches', ...heads, `p99 < ${P99_MS_MAX} ms`], rows);
    } finally {
      await target.close();
    }
  } finally {
    await folder.close();
  }
}

async function measureKind(target: Target, draw: () => string, queries: number) {
  const drawn = new Set<string>();
  const times: number[] = [];
  const [nodeStart, postgresStart] = [target.nodeMs(), target.postgresMs()];
  for (let tries = 0; drawn.size < queries && tries < queries * 100; tries += 1) {
    const q = draw();
    if (drawn.has(q)) continue;
    drawn.add(q);
    times.push(await timed(() => target.search(q)));
  }
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  // Reading these times takes milliseconds, so it is not done for each search.
  const node = (target.nodeMs() - nodeStart) / times.length;
  const postgres = (target.postgresMs() - postgresStart) / times.length;
  const cells = [p50, p99, node, postgres].map((each) => each.toFixed(1));
  return [drawn.size, ...cells, p99 < P99_MS_MAX ? 'met' : 'missed'];
}

async function openServed(folder: DataFolder): Promise<Target> {
  const bed = await openMeteringBed({ databaseUrl: folder.url });
  const keys = await bed.issueKeys('scale', 8);
  const { root, pid, internalUrl } = await bed.startDataApi({});
  await facetsLoaded(internalUrl);
  let turn = 0;
  return {
    search: async (q) => {
      const headers = { 'X-Api-Key': keys[turn++ % keys.length] ?? '' };
      const url = `${root}/startups/search?q=${encodeURIComponent(q)}`;
      const { status, text } = await httpGet(url, { headers });
      if (status !== 200) throw new Error(`${url}: ${status} ${text}`);
    },
    nodeMs: () => onCpuMs(pid),
    postgresMs: () => familyOnCpuMs(folder.pid),
    close: () => bed.close(),
  };
}

async function openDirect({ url }: DataFolder): Promise<Target> {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: READ_OPTIONS });
  // The server ends the connection when it stops.
  pool.on('error', () => undefined);
  const database = searchDatabase(pool);
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [{ pid }] = rows as [{ pid: number }];
  return {
    search: async (q) => {
      await search(database, { types: ['startup'], q, top: 10 });
    },
    nodeMs: () => onCpuMs(process.pid),
    postgresMs: () => onCpuMs(pid),
    close: () => pool.end(),
  };
}

function kindsOf(names: readonly string[]): Kind[] {
  const change = (title: string): Kind[1] => {
    const [, apply] = nameChanges.find(([each]) => each === title) ?? [];
    if (apply === undefined) throw new Error(`No change is '${title}'.`);
    return (name, random) => apply(name, random, names);
  };
  const mistype: Kind[1] = (name, random) => {
    const typos = nameChanges.map(([title]) => title).filter((title) => title.startsWith('typo'));
    return change(random.pick(typos))(name, random);
  };
  const general = frequentWords(names);
  const last = (name: string) => name.split(' ').at(-1) ?? '';
  return [
    ['a name', (name) => name.toLowerCase()],
    ['a typo', mistype],
    [
      'two typos',
      (name, random) => {
        const once = mistype(name, random);
        return once === null ? null : mistype(once, random);
      },
    ],
    ['a general word', (_, random) => random.pick(general)],
    ['two general words', (_, random) => `${random.pick(general)} ${random.pick(general)}`],
    ['a general word and a last word', (name, random) => `${random.pick(general)} ${last(name)}`],
    ['a word dropped', change('word dropped')],
    ['a word dropped, a typo', change('word dropped and typo')],
    ['a word added', change('word added')],
    ['another last word', change('another last word')],
    ['words swapped', change('words swapped')],
    ['60 % prefix', change('60 % prefix')],
    ['no match', (name, random) => absentName(name, random.pick(names))],
  ];
}

function frequentWords(names: readonly string[]): string[] {
  const uses = new Map<string, number>();
  for (const word of names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))) {
    if (word.length > 2) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  return [...uses]
    .sort(([, a], [, b]) => b - a)
    .slice(0, GENERAL_WORDS)
    .map(([word]) => word);
}

/** Letters in an order that names have, of a name that no company has. */
const absentName = (name: string, other: string): string =>
  `${other.slice(0, 3)}${[...name].toReversed().join('')}`;

function drawQuery([title, queryOf]: Kind, names: readonly string[], random: Random): string {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const query = queryOf(random.pick(names), random);
    if (query !== null && query.trim() !== '') return query;
  }
  throw new Error(`No name gives a query of the kind '${title}'.`);
}

// From the middle of the ids: the shares of words are those of the lowest.
async function readNames(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>(
      `SELECT name FROM venture.startup WHERE deleted_at IS NULL AND id >= '80000000-${'0000-'.repeat(3)}000000000000'
       ORDER BY id LIMIT ${NAMES}`,
    ),
  );
  return rows.map(({ name }) => name);
}
