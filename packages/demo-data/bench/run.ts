/**
 * Speed and memory of generating and importing the demonstration data.
 *
 * Run with `npm run bench -- demo-data`. Options: `--generate=N,…` sizes of data sets to generate only
 * (20000,200000), `--import=N` the size of the one that is imported (20000; 0: none).
 * `TEST_DATABASE_URL` is a PostgreSQL server to use instead of the embedded one.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateDataset } from '@vcds/demo-data';
import { benchOptions, grouped, openTestServers } from '@vcds/test-kit/bench';

const TODAY = '2026-01-01';
const command = fileURLToPath(new URL('../../cli.js', import.meta.url));
const options = benchOptions({ generate: [20_000, 200_000], import: 20_000 });

for (const size of options.generate) measureGenerating(size);
if (options.import > 0) await measureImporting(options.import);

function measureGenerating(startups: number): void {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let lines = 0;
  let heapMax = 0;
  for (const _ of generateDataset({ startups, today: TODAY })) {
    lines += 1;
    if (lines % 50_000 === 0) heapMax = Math.max(heapMax, process.memoryUsage().heapUsed);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = process.cpuUsage(cpuBefore).user / 1e6;
  say(`${grouped(startups)} startups generated: ${grouped(lines)} lines`, {
    'lines/s': grouped(lines / seconds),
    'lines per CPU second': grouped(lines / cpuSeconds),
    'heap at most': `${grouped(heapMax / 1e6)} MB`,
  });
}

async function measureImporting(startups: number): Promise<void> {
  const servers = await openTestServers();
  try {
    const url = await servers.createDatabase({ migrated: true });
    const first = await runCommand(url, startups);
    const again = await runCommand(url, startups);
    say(`${grouped(startups)} startups imported: ${first.read} lines`, {
      seconds: `${first.seconds}`,
      rejected: `${first.rejected}`,
      'seconds again': `${again.seconds}`,
      'inserted, updated and deleted again': `${again.inserted}, ${again.updated}, ${again.deleted}`,
    });
  } finally {
    await servers.close();
  }
}

/** Fills a database as `npm start` does; returns the figures of the importer's final table. */
async function runCommand(
  url: string,
  startups: number,
): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [command, '--startups', `${startups}`, '--today', TODAY],
    { env: { ...process.env, DATABASE_URL: url }, maxBuffer: 2 ** 26 },
  );
  const rows = stdout.split('\n').map((row) => row.trim().split(/ +/));
  const names = rows[0] ?? [];
  const totals = rows.find(([name]) => name === 'total') ?? [];
  const seconds = /^Applied in ([\d.]+) s/m.exec(stdout)?.[1] ?? 'not applied';
  return {
    ...Object.fromEntries(names.map((name, at) => [name, totals[at + 1] ?? ''])),
    seconds,
  };
}

function say(title: string, figures: Readonly<Record<string, string>>): void {
  const list = Object.entries(figures).map(([name, figure]) => `  ${name}: ${figure}\n`);
  process.stdout.write(`${title}\n${list.join('')}`);
}
