/**
 * Measures runs of resolution in a database of a generated set: of all statements, of a few that changed, and again
 * of all, which must change nothing.
 *
 * Run with `VCDS_DATA_DIR=… npm run bench -- resolution-runs --size=100000 --changes=1000`.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Statement } from '@vcds/resolution';
import { openTestServers, repositoryRoot } from '@vcds/test-kit/bench';
import { corpora } from './resolution/corpora.ts';
import { option } from './resolution/options.ts';
import { residentBytes } from './support/processor.ts';

const SAMPLES_MS = 100;
const size = Number(option('size', '100000'));
const changes = Number(option('changes', '1000'));

function* linesOf({ id, source, name, website, ...one }: Statement): Generator<object> {
  const { countries, regions, cities, founded, totalRaised, tags, description, rounds } = one;
  yield {
    ...{ type: 'startup', source, key: id, Name: name, Website: website ?? null },
    ...{ City: cities?.[0], Region: regions?.[0], Country: countries?.[0] },
    ...{ Founded: founded, TotalRaised: totalRaised, Tags: tags, Description: description },
  };
  for (const [k, { month, amount }] of (rounds ?? []).entries()) {
    if (!/^\d{4}-\d{2}$/u.test(month)) continue;
    const Startup = { key: id };
    yield {
      type: 'round',
      source,
      key: `${id}:${k}`,
      Startup,
      Date: `${month}-15`,
      Amount: amount,
    };
  }
}

/** Every n-th statement of another place and name, so that some pairs are gone and others are there. */
const changed = (one: Statement, k: number): Statement => ({
  ...one,
  ...(k % 3 === 0 ? { name: `${one.name} Labs` } : {}),
  ...(k % 3 === 1 ? { website: null } : {}),
  ...(k % 3 === 2 ? { cities: ['Lisbon'], countries: ['Portugal'] } : {}),
});

interface Ran {
  readonly result: string;
  readonly seconds: number;
  readonly peakMb: number;
}

async function run(program: string, words: readonly string[], database: string): Promise<Ran> {
  const from = performance.now();
  const child = spawn(process.execPath, [join(repositoryRoot, program), ...words], {
    env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=1024', DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(child.pid ?? 0));
  }, SAMPLES_MS);
  const [out, messages] = await Promise.all([text(child.stdout), text(child.stderr)]);
  clearInterval(timer);
  if (out === '') throw new Error(`The command ended without a result: ${messages}`);
  const seconds = (performance.now() - from) / 1_000;
  return { result: out.trim(), seconds, peakMb: Math.round(peak / 1e6) };
}

const corpus = corpora(1, [size]).at(-1);
if (corpus === undefined) throw new Error('There is no set of this size.');
const { statements } = corpus;
function* all(): Generator<string> {
  for (const { statement } of statements())
    for (const line of linesOf(statement)) yield `${JSON.stringify(line)}\n`;
}
function* some(): Generator<string> {
  let at = 0;
  for (const { statement } of statements()) {
    at += 1;
    if (at % Math.floor(size / changes) > 0) continue;
    for (const line of linesOf(changed(statement, at))) yield `${JSON.stringify(line)}\n`;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'resolution-'));
const servers = await openTestServers();
try {
  const database = await servers.createDatabase({ migrated: true });
  const ingest = async (name: string, lines: Iterable<string>): Promise<Ran> => {
    const path = join(folder, `${name}.ndjson`);
    await pipeline(Readable.from(lines), createWriteStream(path));
    return run('packages/importer/dist/cli.js', [path, '--json'], database);
  };
  const resolve = (...words: string[]): Promise<Ran> =>
    run('services/data-api/dist/worker/resolve/cli.js', ['resolve', 'run', ...words], database);
  const say = (what: string, { result, seconds, peakMb }: Ran): void =>
    console.log(`${what}: ${seconds.toFixed(1)} s, ${peakMb} MB, ${result.slice(0, 400)}`);
  say(`import of ${size}`, await ingest('all', all()));
  say('all statements, none kept', await resolve());
  say('all statements again', await resolve());
  say(`import of ${changes}`, await ingest('some', some()));
  say('what changed', await resolve('--changed'));
  say('all statements after it', await resolve());
} finally {
  await servers.close();
  rmSync(folder, { recursive: true, force: true });
}
