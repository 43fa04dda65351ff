/**
 * Measures imports with several undated lines for each record, the first time and again, for a
 * number of lines and for twice as many. `npm run bench -- repeats [lines]`.
 */
import { tmpdir } from 'node:os';
import { openTestServers } from '@vcds/test-kit/bench';
import type { ImportLine } from '../src/index.ts';

type Importer = typeof import('../src/index.ts');

// As it is built: it finds its files beside it.
const importer = new URL('../../index.js', import.meta.url);
const { runImport } = (await import(importer.href)) as Importer;

const lines = Number(process.argv[2] ?? 20_000);
const ROUNDS = 3;

const SHAPES = [
  { name: '5 lines per record', perRecord: 5, isAdjacent: false },
  { name: '5 adjacent lines per record', perRecord: 5, isAdjacent: true },
  { name: '500 lines per record', perRecord: 500, isAdjacent: false },
] as const;
type Shape = (typeof SHAPES)[number];

const servers = await openTestServers();
try {
  for (const shape of SHAPES) {
    const one = await measure(lines, shape);
    const two = await measure(2 * lines, shape);
    for (const time of ['first', 'again'] as const) {
      const ratio = (two[time] / one[time]).toFixed(2);
      const seconds = `${one[time].toFixed(1)} s and ${two[time].toFixed(1)} s`;
      process.stdout.write(
        `${shape.name}, ${time}: ${lines} and twice as many ${seconds}, ${ratio}\n`,
      );
    }
  }
} finally {
  await servers.close();
}

interface Seconds {
  readonly first: number;
  readonly again: number;
}

/** The minimum of several rounds, because other processes only add time. */
async function measure(count: number, shape: Shape): Promise<Seconds> {
  let least: Seconds = { first: Number.POSITIVE_INFINITY, again: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    const database = await servers.createDatabase({ migrated: true });
    const first = await secondsOf(database, count, shape);
    const again = await secondsOf(database, count, shape);
    await servers.dropDatabase(database);
    least = { first: Math.min(least.first, first), again: Math.min(least.again, again) };
  }
  return least;
}

async function secondsOf(database: string, count: number, shape: Shape): Promise<number> {
  const { seconds, total } = await runImport({
    connectionString: database,
    stream: { name: 'lines', lines: linesOf(count, shape) },
    rejectedFolder: tmpdir(),
  });
  if (total.rejected > 0) throw new Error(`${total.rejected} lines were rejected`);
  return seconds;
}

function* linesOf(count: number, { perRecord, isAdjacent }: Shape): Generator<ImportLine> {
  const records = count / perRecord;
  for (let n = 0; n < count; n++) {
    const key = `k${isAdjacent ? Math.floor(n / perRecord) : n % records}`;
    yield { type: 'startup', source: 'bench', key, Name: `Name ${n}` };
  }
}
