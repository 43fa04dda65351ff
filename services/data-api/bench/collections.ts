/**
 * Measures collections over HTTP: the product with keys and metering, a floor of node:http and pg
 * with the product's own statements, and peers, all on the same records. They run in turns, so the
 * ratios hold on a shared machine as well.
 *
 * Run with `npm run bench -- collections --data=DIR`, after `npm run bench -- corpus --data=DIR`.
 * Options: `--lines=by-id,page-25`, `--clients=1,8,32`, `--peers=floor,prisma`, `--runs=5` of
 * `--seconds=2` each, `--buffers=1GB` of PostgreSQL.
 */
import { cpus } from 'node:os';
import { benchOptions, openDataFolder, say, tableRow } from '@vcds/test-kit/bench';
import { type Line, readLines } from './collections/lines.ts';
import { measureLine } from './collections/measure.ts';
import { REPORT_HEADS, reportRows, reportTable } from './collections/report.ts';
import {
  endSystems,
  type System,
  startFloor,
  startPeerSystem,
  startProductSystem,
} from './collections/systems.ts';
import { openMeteringBed } from './metering/bed.ts';

const options = benchOptions({
  data: '',
  lines: 'by-id,page-25,page-100,city,expand,count,deep,search',
  clients: [1, 8, 32],
  peers: 'floor,prisma',
  runs: 5,
  seconds: 2,
  buffers: '1GB',
});
if (options.data === '') throw new Error('Name the folder of the data: --data=DIR');

const folder = await openDataFolder(options.data, { shared_buffers: options.buffers });
const bed = await openMeteringBed({ databaseUrl: folder.url });
try {
  const known = await readLines(folder.url);
  const lines = options.lines.split(',').map((name) => chosen(known, name));
  const systems = await startSystems(lines);
  say(`${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}`);
  say(`Node ${process.version}, PostgreSQL ${folder.version}`);
  say(`npm run bench -- collections ${process.argv.slice(2).join(' ')}\n`);
  say(tableRow(REPORT_HEADS));
  const rows: string[][] = [];
  for (const line of lines) {
    for (const clients of options.clients) {
      const runs = await measureLine(line, systems, {
        clients,
        runs: options.runs,
        durationMs: options.seconds * 1_000,
        postgresPid: folder.pid,
      });
      const measured = reportRows(line.title, clients, runs);
      for (const row of measured) say(tableRow(row));
      rows.push(...measured);
    }
  }
  say(`\n${reportTable(rows)}`);
} finally {
  endSystems();
  await bed.close();
  await folder.close();
}

function chosen(known: Readonly<Record<string, Line>>, name: string): Line {
  const line = known[name];
  if (line !== undefined) return line;
  throw new Error(`Unknown line ${name}. Use ${Object.keys(known).join(', ')}.`);
}

async function startSystems(lines: readonly Line[]): Promise<System[]> {
  const systems: System[] = [];
  for (const name of options.peers.split(',').filter(Boolean)) {
    if (name === 'floor') {
      const { customLines, ...floor } = await startFloor(folder.url, lines);
      for (const { title } of customLines) say(`The floor plans for the values: ${title}`);
      systems.push(floor);
    } else {
      systems.push(await startPeerSystem(name, folder.url));
    }
  }
  systems.push(await startProductSystem(bed));
  return systems;
}
