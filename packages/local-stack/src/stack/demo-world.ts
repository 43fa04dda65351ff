import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { Guardian } from '../processes/guardian.ts';
import { type Progress, reported } from './progress.ts';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

const detailLengthMax = 60;
const wordsCount = 12;

export interface DemoContext {
  /** Absolute path of the command that writes the world. */
  readonly command: string;
  readonly settings: StackSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  readonly guardian: Guardian;
  readonly signal: AbortSignal;
}

/**
 * Fills an empty embedded database with the demonstration world. A filling that was interrupted
 * is taken up again at the next start: the importer is idempotent.
 * @throws StackError with the command's last words when it fails.
 */
export async function fillDemoWorld(context: DemoContext): Promise<void> {
  const { command, settings, environment, progress } = context;
  if (!settings.fillDemo || settings.databaseUrl !== undefined || !existsSync(command)) return;
  const marker = join(settings.folders.local, 'demo.json');
  const wasInterrupted = (await readFile(marker, 'utf8').catch(() => '')).includes('"loading"');
  if (!wasInterrupted && !(await isEmpty(environment.DATABASE_URL ?? ''))) return;
  await writeFile(marker, '{"state":"loading"}\n');
  await reported(progress, 'Filling the database with an invented world', (step) =>
    runDemo(context, (detail) => step.update(detail)),
  );
  await writeFile(marker, '{"state":"loaded"}\n');
}

async function isEmpty(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ empty: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM venture.startup)
          AND NOT EXISTS (SELECT FROM venture.fund) AS empty`,
    );
    return rows[0]?.empty === true;
  } finally {
    await client.end();
  }
}

async function runDemo(
  { command, environment, guardian, signal }: DemoContext,
  onDetail: (detail: string) => void,
): Promise<void> {
  const child = spawn(process.execPath, [command], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const forget = child.pid === undefined ? undefined : guardian.stop(child.pid, 'SIGTERM', 10_000);
  const words: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    const text = line.split('\r').at(-1)?.trim() ?? '';
    if (text === '') return;
    words.push(text);
    if (words.length > wordsCount) words.shift();
    onDetail(text.slice(0, detailLengthMax));
  });
  const onAbort = () => child.kill('SIGTERM');
  signal.addEventListener('abort', onAbort, { once: true });
  const end = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, by) => resolve(code === 0 ? '' : (by ?? `exit code ${code}`)));
  });
  signal.removeEventListener('abort', onAbort);
  forget?.();
  signal.throwIfAborted();
  if (end !== '') {
    const tail = words.map((line) => `\n  ${line}`).join('');
    throw new StackError(`Filling the database failed (${end}). Its last words:${tail}`);
  }
}
