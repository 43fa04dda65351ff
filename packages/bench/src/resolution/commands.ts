import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '@vcds/test-kit/bench';
import { residentBytes } from '../support/processor.ts';

const SAMPLES_MS = 100;

/** The output of a command, its time and the peak of its memory. */
export interface Ran {
  readonly result: string;
  readonly seconds: number;
  readonly peakMb: number;
}

/** Imports files, or resolves, as an operator does: in a process of its own. */
export function commandsOn(database: string) {
  const run = async (program: string, words: readonly string[]): Promise<Ran> => {
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
  };
  return {
    ingest: (...words: string[]) => run('packages/importer/dist/cli.js', [...words, '--json']),
    resolve: (...words: string[]) =>
      run('services/data-api/dist/worker/resolve/cli.js', ['resolve', 'run', ...words]),
  };
}

export const report = (what: string, { result, seconds, peakMb }: Ran): void =>
  console.log(`${what}: ${seconds.toFixed(1)} s, ${peakMb} MB, ${result.slice(0, 200)}`);
