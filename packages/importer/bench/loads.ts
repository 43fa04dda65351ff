/**
 * Measures imports of each kind, one after another into one database: startups and funds into empty
 * tables, rounds with their investors for these startups, a tenth more startups, changes of a tenth,
 * and a tenth more rounds. Besides the time it shows the processor time of the importer and of
 * PostgreSQL, which other processes do not change. Linux only. `npm run bench -- loads [startups]`.
 */
import { readFileSync } from 'node:fs';
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
const TICKS_PER_SECOND = 100;

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
  const before = await countersOf(database);
  const own = process.cpuUsage();
  const { seconds, total } = await runImport({
    connectionString: database,
    stream: { name: 'lines', lines },
    rejectedFolder: tmpdir(),
  });
  if (total.rejected > 0) throw new Error(`${total.rejected} lines were rejected`);
  const { user, system } = process.cpuUsage(own);
  const after = await countersOf(database);
  const figures = [
    [grouped(total.read / seconds), 'lines/s'],
    [((user + system) / 1e6).toFixed(1), 's importer'],
    [(after.seconds - before.seconds).toFixed(1), 's PostgreSQL'],
    [grouped(after.updates - before.updates), 'updates of startups'],
  ] as const;
  const cells = figures.map(([figure, unit]) => `${figure.padStart(8)} ${unit}`);
  say(`${name.padEnd(24)} ${cells.join(' ')}`);
}

/** Updates of startups so far, and seconds of processor time of the sessions that have ended. */
async function countersOf(database: string): Promise<{ updates: number; seconds: number }> {
  return withClient(database, async (client) => {
    const { rows } = await client.query<{ updates: string; pid: number }>(
      `SELECT n_tup_upd AS updates, pg_backend_pid() AS pid FROM pg_stat_user_tables
       WHERE relid = 'venture.startup'::regclass`,
    );
    const server = Number(statOf(Number(rows[0]?.pid))[1]);
    const [user = 0, system = 0] = statOf(server).slice(13, 15).map(Number);
    return { updates: Number(rows[0]?.updates), seconds: (user + system) / TICKS_PER_SECOND };
  });
}

/** The fields of `/proc/PID/stat` after the name of the program: state, parent, … */
function statOf(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
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
