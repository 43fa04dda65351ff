/**
 * How long an import takes whose records have several lines without dates, the first time and
 * again, for a number of lines and for twice as many. `npm run bench -- repeats [lines]`.
 */
import { tmpdir } from 'node:os';
import { openTestServers } from '@vcds/test-kit/servers';
import type { ImportLine } from '../src/index.ts';

type Importer = typeof import('../src/index.ts');

// As it is built: it finds its files beside it.
const importer = new URL('../../index.js', import.meta.url);
const { runImport } = (await import(importer.href)) as Importer;

const lines = Number(process.argv[2] ?? 20_000);
const ROUNDS = 3;

const SHAPES: Readonly<Record<string, number>> = {
  '5 lines a record': 5,
  '500 lines a record': 500,
};

const servers = await openTestServers();
try {
  for (const [shape, perRecord] of Object.entries(SHAPES)) {
    const one = await measure(lines, perRecord);
    const two = await measure(2 * lines, perRecord);
    for (const time of ['first', 'again'] as const) {
      const ratio = (two[time] / one[time]).toFixed(2);
      const seconds = `${one[time].toFixed(1)} s and ${two[time].toFixed(1)} s`;
      process.stdout.write(`${shape}, ${time}: ${lines} and twice as many ${seconds}, ${ratio}\n`);
    }
  }
} finally {
  await servers.close();
}

interface Seconds {
  readonly first: number;
  readonly again: number;
}

/** The least of several rounds: what other processes do only adds to it. */
async function measure(count: number, perRecord: number): Promise<Seconds> {
  let least: Seconds = { first: Number.POSITIVE_INFINITY, again: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    const database = await servers.createDatabase({ migrated: true });
    const first = await secondsOf(database, count, perRecord);
    const again = await secondsOf(database, count, perRecord);
    await servers.dropDatabase(database);
    least = { first: Math.min(least.first, first), again: Math.min(least.again, again) };
  }
  return least;
}

async function secondsOf(database: string, count: number, perRecord: number): Promise<number> {
  const { seconds, total } = await runImport({
    connectionString: database,
    stream: { name: 'lines', lines: linesOf(count, perRecord) },
    rejectedFolder: tmpdir(),
  });
  if (total.rejected > 0) throw new Error(`${total.rejected} lines were rejected`);
  return seconds;
}

/** The lines of a record are apart from each other, so that transactions are long. */
function* linesOf(count: number, perRecord: number): Generator<ImportLine> {
  const records = count / perRecord;
  for (let n = 0; n < count; n++) {
    const key = `k${n % records}`;
    yield { type: 'startup', source: 'bench', key, Name: `Name ${n}` };
  }
}
