import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  openTestServers,
  repositoryRoot,
  type TestServers,
  withClient,
} from '@vcds/test-kit/bench';
import { writeStartups } from '@vcds/test-kit/startup-lines';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { grouped, say, timed } from '../support/figures.ts';
import type { Run } from './comparison.ts';
import type { Part } from './part.ts';

/** As `npm run ingest` runs it: with a small heap, so that garbage is collected early. */
const FLAGS = ['--max-old-space-size=192', '--max-semi-space-size=4'];
const COMMAND = join(repositoryRoot, 'packages/importer/dist/cli.js');
const COLUMNS = `id, name, website, domain, description, founded, total_raised_reported, tags,
  addresses, members_count, operating_status_stated, operating_status_source, source, source_key`;
const LINES = ['first load', 'a tenth more', 'the same lines again'] as const;
/** Rows of both ways of a load: lines to import, and rows to copy. */
interface Load {
  readonly rows: number;
  /** Without its extension. */
  readonly path: string;
}
type Loads = readonly [first: Load, more: Load];
/** Rows a second. */
type Loaded = Readonly<Record<(typeof LINES)[number], number>>;

/** Imports of startups against COPY of the same rows. */
export const imports: Part = async ({ runs, imported }) => {
  const servers = await openTestServers();
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const copied: Loaded[] = [];
  const ingested: Loaded[] = [];
  try {
    const loads = [
      { rows: imported, path: join(folder, 'first') },
      { rows: Math.ceil(imported / 10), path: join(folder, 'more') },
    ] as const;
    await writeStartups(`${loads[0].path}.ndjson`, loads[0].rows);
    await writeStartups(`${loads[1].path}.ndjson`, loads[1].rows, imported);
    for (let turn = 0; turn < runs; turn += 1) {
      ingested.push(await importOnce(servers, loads));
      copied.push(await copyOnce(servers, loads));
      say(`import, turn ${turn + 1}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await servers.close();
  }
  const runsOf = (loads: readonly Loaded[], line: keyof Loaded): Run[] =>
    loads.map((load) => ({ perSecond: load[line] }));
  return {
    title: 'Imports against COPY',
    text:
      `\`npm run ingest\` of ${grouped(imported)} startups into an empty database, then of a tenth more, ` +
      'then of the same lines again. The baseline is a COPY of the same new rows into the same table, ' +
      'with all indexes and triggers, in one session; for lines without new rows it is the first COPY.',
    heads: ['Load'],
    baseline: 'COPY',
    figures: [{ key: 'perSecond', title: 'rows/s' }],
    lines: LINES.map((line) => ({
      labels: [line],
      runs: new Map([
        ['COPY', runsOf(copied, line)],
        ['npm run ingest', runsOf(ingested, line)],
      ]),
    })),
  };
};

async function importOnce(servers: TestServers, [first, more]: Loads): Promise<Loaded> {
  const database = await servers.createDatabase({ migrated: true });
  const inserted = await importFile(database, first);
  await saveRows(database, first);
  const extended = await importFile(database, more);
  await saveRows(database, more);
  const unchanged = await importFile(database, first);
  await servers.dropDatabase(database);
  const rows = [inserted.total.inserted, extended.total.inserted, unchanged.total.unchanged];
  if (`${rows}` !== `${[first.rows, more.rows, first.rows]}`) {
    throw new Error(`Not every startup was imported: ${rows}`);
  }
  return {
    'first load': first.rows / inserted.seconds,
    'a tenth more': more.rows / extended.seconds,
    'the same lines again': first.rows / unchanged.seconds,
  };
}

interface Imported {
  readonly seconds: number;
  readonly total: { readonly inserted: number; readonly unchanged: number };
}

/** Runs `npm run ingest` in a process of its own, as a user does. */
async function importFile(database: string, { path }: Load): Promise<Imported> {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, `${path}.ndjson`, '--json'], {
    env: { ...process.env, DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, messages] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(`The import ended without a report: ${messages}`);
  return JSON.parse(out);
}

/** Writes the rows that a load has inserted last. */
async function saveRows(database: string, { path, rows }: Load): Promise<void> {
  await withClient(database, (client) => {
    const select = `SELECT ${COLUMNS} FROM venture.startup
      ORDER BY substr(source_key, 2)::int DESC LIMIT ${rows}`;
    return pipeline(
      client.query(copyTo(`COPY (${select}) TO STDOUT`)),
      createWriteStream(`${path}.copy`),
    );
  });
}

async function copyOnce(servers: TestServers, [first, more]: Loads): Promise<Loaded> {
  const database = await servers.createDatabase({ migrated: true });
  const [firstRate = 0, moreRate = 0] = await withClient(database, async (client) => {
    const rates: number[] = [];
    for (const { path, rows } of [first, more]) {
      const copy = copyFrom(`COPY venture.startup (${COLUMNS}) FROM STDIN`);
      const file = createReadStream(`${path}.copy`);
      rates.push((rows / (await timed(() => pipeline(file, client.query(copy))))) * 1_000);
    }
    return rates;
  });
  await servers.dropDatabase(database);
  return {
    'first load': firstRate,
    'a tenth more': moreRate,
    'the same lines again': firstRate,
  };
}
