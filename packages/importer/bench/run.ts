/**
 * How fast and in how much memory startups are imported, against a plain COPY of the same rows
 * into the same table (with all its indexes and triggers) and into one without. Usage:
 * `npm run bench -- import [startups] [rounds]`.
 */
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { grouped, openTestServers, quantile, say, timed, withClient } from '@vcds/test-kit/bench';
import { writeRejects, writeStartups } from '@vcds/test-kit/startup-lines';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const startups = Number(process.argv[2] ?? 200_000);
const rounds = Number(process.argv[3] ?? 3);
/** As `npm run ingest` runs it: with a small heap, so that garbage is collected early. */
const FLAGS = ['--max-old-space-size=192', '--max-semi-space-size=4'];
const command = fileURLToPath(new URL('../../cli.js', import.meta.url));

const FACTS = `id, name, website, domain, description, founded, total_raised_reported, tags,
  addresses, members_count, operating_status_stated, operating_status_source, source, source_key`;

const servers = await openTestServers();
const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
try {
  await measure();
} finally {
  await rm(folder, { recursive: true, force: true });
  await servers.close();
}

interface Imported {
  readonly seconds: number;
  readonly megabytes: number;
  readonly total: { readonly inserted: number; readonly unchanged: number };
}

async function measure(): Promise<void> {
  const file = join(folder, 'startups.ndjson');
  const small = join(folder, 'fewer.ndjson');
  const rejects = join(folder, 'rejects.ndjson');
  await writeStartups(file, startups);
  await writeStartups(small, Math.ceil(startups / 10));
  await writeRejects(rejects, startups);
  const times: Record<'import' | 'again' | 'copy' | 'bare', number[]> = {
    import: [],
    again: [],
    copy: [],
    bare: [],
  };
  const memory: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const database = await servers.createDatabase({ migrated: true });
    const first = await importFile(database, file);
    const again = await importFile(database, file);
    if (first.total.inserted !== startups || again.total.unchanged !== startups) {
      throw new Error(`not every startup was imported: ${JSON.stringify([first, again])}`);
    }
    times.import.push(first.seconds);
    times.again.push(again.seconds);
    say(`round ${round + 1}: ${first.seconds.toFixed(1)} s, again ${again.seconds.toFixed(1)} s`);
    const rows = join(folder, 'rows.copy');
    await save(database, rows);
    await servers.dropDatabase(database);
    times.copy.push(await plainCopy(rows, 'venture.startup'));
    times.bare.push(await plainCopy(rows, 'bare'));
    if (round === 0) {
      const other = await servers.createDatabase({ migrated: true });
      const fewer = await importFile(other, small);
      const rejected = await importFile(other, rejects);
      await servers.dropDatabase(other);
      memory.push(`${Math.ceil(startups / 10)} startups ${fewer.megabytes} MB`);
      memory.push(`${startups} startups ${first.megabytes} MB`, `again ${again.megabytes} MB`);
      memory.push(`${startups} rejected lines ${rejected.megabytes} MB`);
    }
  }
  report(times, memory);
}

/** Runs `npm run ingest` in a process of its own, as a user does. */
async function importFile(database: string, file: string): Promise<Imported> {
  const child = spawn(process.execPath, [...FLAGS, command, file, '--json'], {
    env: { ...process.env, DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, messages] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(`the import ended without a report: ${messages}`);
  const report: Omit<Imported, 'megabytes'> & { peakMemoryBytes: number } = JSON.parse(out);
  return { ...report, megabytes: Math.round(report.peakMemoryBytes / 2 ** 20) };
}

function save(database: string, rows: string): Promise<void> {
  return withClient(database, (client) => {
    const out = client.query(copyTo(`COPY (SELECT ${FACTS} FROM venture.startup) TO STDOUT`));
    return pipeline(out, createWriteStream(rows));
  });
}

/** Seconds a plain COPY of the rows takes, in a database of its own. */
async function plainCopy(rows: string, table: 'venture.startup' | 'bare'): Promise<number> {
  const database = await servers.createDatabase({ migrated: true });
  const ms = await withClient(database, async (client) => {
    if (table === 'bare') await client.query('CREATE TABLE bare AS TABLE venture.startup');
    const copy = copyFrom(`COPY ${table} (${FACTS}) FROM STDIN`);
    return timed(() => pipeline(createReadStream(rows), client.query(copy)));
  });
  await servers.dropDatabase(database);
  return ms / 1000;
}

function report(times: Readonly<Record<string, readonly number[]>>, memory: readonly string[]) {
  const rate = (name: string) => startups / quantile(times[name] ?? [], 0.5);
  const line = (name: string, what: string) =>
    `${what.padEnd(44)} ${grouped(rate(name)).padStart(9)} rows/s`;
  say(`${startups} startups, median of ${rounds}`);
  say(line('import', 'npm run ingest, new records'));
  say(line('again', 'npm run ingest, nothing new'));
  say(line('copy', 'COPY into the table, one session'));
  say(line('bare', 'COPY into a table without indexes or triggers'));
  say(`import / COPY into the table: ${(rate('import') / rate('copy')).toFixed(2)}`);
  say(`peak memory of npm run ingest: ${memory.join(', ')}`);
}
