/**
 * Measures imports of each kind one after another into one database: startups and funds into empty
 * tables, rounds with their investors for these startups, a tenth more startups, and changes of a
 * tenth. `npm run bench -- loads [startups]`.
 */
import { tmpdir } from 'node:os';
import { grouped, openTestServers, say, withClient } from '@vcds/test-kit/bench';
import { startupLine } from '@vcds/test-kit/startup-lines';
import type { ImportLine } from '../src/index.ts';

type Importer = typeof import('../src/index.ts');

// As it is built: it finds its files beside it.
const importer = new URL('../../index.js', import.meta.url);
const { runImport } = (await import(importer.href)) as Importer;

const startups = Number(process.argv[2] ?? 100_000);
const FUNDS = 1000;

const LOADS: readonly (readonly [name: string, lines: () => Generator<string | ImportLine>])[] = [
  ['startups, first load', () => startupLines(0, startups)],
  ['funds, first load', fundLines],
  ['rounds, first load', () => roundLines(0, startups)],
  ['a tenth more startups', () => startupLines(startups, startups * 1.1)],
  ['changes of a tenth', () => changedLines(startups / 10)],
  ['a tenth more rounds', () => roundLines(startups, startups * 1.1)],
];

const servers = await openTestServers();
try {
  const database = await servers.createDatabase({ migrated: true });
  for (const [name, lines] of LOADS) await measure(database, name, lines());
} finally {
  await servers.close();
}

async function measure(
  database: string,
  name: string,
  lines: Generator<string | ImportLine>,
): Promise<void> {
  const before = await updatesOf(database);
  const { seconds, total } = await runImport({
    connectionString: database,
    stream: { name: 'lines', lines },
    rejectedFolder: tmpdir(),
  });
  if (total.rejected > 0) throw new Error(`${total.rejected} lines were rejected`);
  const updates = (await updatesOf(database)) - before;
  const rate = grouped(total.read / seconds).padStart(8);
  say(`${name.padEnd(24)} ${rate} lines/s ${grouped(updates).padStart(10)} updates of startups`);
}

async function updatesOf(database: string): Promise<number> {
  return withClient(database, async (client) => {
    await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await client.query<{ updates: string }>(
      `SELECT n_tup_upd AS updates FROM pg_stat_user_tables WHERE relid = 'venture.startup'::regclass`,
    );
    return Number(rows[0]?.updates);
  });
}

function* startupLines(from: number, to: number): Generator<string> {
  for (let n = from; n < to; n++) yield startupLine(n);
}

function* changedLines(count: number): Generator<ImportLine> {
  for (let n = 0; n < count; n++) {
    const key = `k${n * 10}`;
    yield { op: 'patch', type: 'startup', source: 'bench', key, MembersCount: n, Founded: 2001 };
  }
}

function* fundLines(): Generator<ImportLine> {
  for (let n = 0; n < FUNDS; n++) {
    yield { type: 'fund', source: 'bench', key: `f${n}`, Name: `Fund ${n} Capital` };
  }
}

/** Rounds of startups in no order; a few funds have most of the investments. */
function* roundLines(from: number, to: number): Generator<ImportLine> {
  for (let n = from; n < to; n++) {
    const mixed = Math.imul(n + 1, 0x9e3779b1) >>> 0;
    const keys = [4, 14].map(
      (shift) => `f${Math.floor(FUNDS ** (((mixed >>> shift) % 1000) / 1000)) - 1}`,
    );
    const investors = [...new Set(keys)].slice(0, mixed % 3 === 2 ? 2 : 1);
    yield {
      type: 'round',
      source: 'bench',
      key: `r${n}`,
      Startup: { key: `k${mixed % startups}` },
      Date: `${2000 + (mixed % 25)}-0${1 + (mixed % 9)}-15`,
      Series: 'Series A',
      Amount: 1000 * (mixed % 50_000),
      Investors: investors.map((key) => ({ type: 'fund', key })),
    };
  }
}
