/**
 * Measures runs of resolution in a database of a generated set: of all statements, of a few that changed, and again
 * of all, which must change nothing.
 *
 * Run with `VCDS_DATA_DIR=… npm run bench -- resolution-runs --size=100000 --changes=1000`.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Statement } from '@vcds/resolution';
import { openTestServers } from '@vcds/test-kit/bench';
import { commandsOn, type Ran, report } from './resolution/commands.ts';
import { corpora } from './resolution/corpora.ts';
import { option } from './resolution/options.ts';

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
  const commands = commandsOn(database);
  const ingest = async (name: string, lines: Iterable<string>): Promise<Ran> => {
    const path = join(folder, `${name}.ndjson`);
    await pipeline(Readable.from(lines), createWriteStream(path));
    return commands.ingest(path);
  };
  report(`import of ${size}`, await ingest('all', all()));
  report('all statements, none kept', await commands.resolve());
  report('all statements again', await commands.resolve());
  report(`import of ${changes}`, await ingest('some', some()));
  report('what changed', await commands.resolve('--changed'));
  report('all statements after it', await commands.resolve());
} finally {
  await servers.close();
  rmSync(folder, { recursive: true, force: true });
}
