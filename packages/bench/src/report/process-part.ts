import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { readLines } from '../collections/lines.ts';
import { openBed } from '../support/bed.ts';
import { play } from '../support/play.ts';
import { residentBytes } from '../support/processor.ts';
import type { Run } from './comparison.ts';
import type { Part } from './part.ts';

const KEYS = 16;
const CLIENTS = 8;
const LOAD = ['by-id', 'page-25', 'city', 'expand', 'search'];
const IDLE_MS = 2_000;
const MEGABYTE = 1_000_000;
const EMPTY_PROGRAM = 'process.send(0); setInterval(() => 0, 1e6)';

/** The time until each process of the product is ready, and its memory. */
export const processes: Part = async ({ openData, runs, seconds }) => {
  const { url } = await openData();
  const lines = await readLines(url);
  const paths = LOAD.flatMap((name) => lines[name]?.requests.slice(0, 50) ?? []);
  const measured = new Map<string, Run[]>();
  const base: Run[] = [];
  for (let turn = 0; turn < runs; turn += 1) {
    base.push(await emptyProgram());
    for (const [name, run] of await oneTurn(url, paths, seconds)) {
      measured.set(name, [...(measured.get(name) ?? []), run]);
    }
  }
  return {
    title: 'Start-up and memory of processes',
    text:
      `A turn starts each process of the product, waits ${IDLE_MS / 1_000} s, reads its resident memory, ` +
      `calls data-api with ${CLIENTS} clients and reads it again. The data worker trains its first models in ` +
      'that time. The baseline is Node with an empty program.',
    heads: ['Process'],
    baseline: 'node',
    figures: [
      { key: 'startMs', title: 'ready after, ms' },
      { key: 'idleMegabytes', title: 'idle, MB' },
      { key: 'loadedMegabytes', title: 'under load, MB' },
    ],
    lines: [...measured].map(([name, own]) => ({
      labels: [name],
      runs: new Map([
        ['node', base],
        ['product', own],
      ]),
    })),
  };
};

async function emptyProgram(): Promise<Run> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['-e', EMPTY_PROGRAM], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  const startMs = performance.now() - startedMs;
  const megabytes = residentBytes(child.pid ?? 0) / MEGABYTE;
  child.kill('SIGKILL');
  return { startMs, idleMegabytes: megabytes, loadedMegabytes: megabytes };
}

async function oneTurn(
  databaseUrl: string,
  requests: readonly { readonly path: string }[],
  seconds: number,
): Promise<ReadonlyMap<string, Run>> {
  const bed = await openBed(databaseUrl);
  try {
    const apiKeys = await bed.issueKeys('scale', KEYS);
    const { root } = await bed.startDataApi();
    await bed.start('data-worker');
    await delay(IDLE_MS);
    const started = bed.processes;
    const idle = started.map(({ pid }) => residentBytes(pid) / MEGABYTE);
    const { origin, pathname } = new URL(root);
    const paths = requests.map(({ path }) => `${pathname}${path}`);
    await play({ origin, paths, apiKeys }, CLIENTS, seconds * 1_000);
    const figures = started.map(({ name, pid, startMs }, at): [string, Run] => {
      const loadedMegabytes = residentBytes(pid) / MEGABYTE;
      return [name, { startMs, idleMegabytes: idle[at] ?? Number.NaN, loadedMegabytes }];
    });
    return new Map(figures);
  } finally {
    await bed.close();
  }
}
