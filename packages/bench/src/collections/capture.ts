import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bed, linesOf } from '../support/bed.ts';
import { httpGet } from '../support/http-get.ts';

/** A statement with the values of one request. */
export interface Captured {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements by the path of their request. */
export type CapturedStatements = Readonly<Record<string, readonly Captured[]>>;

const RECORDER = new URL('../../bin/record-statements.mjs', import.meta.url);

/**
 * Calls a data-api of its own once for each path, and records the queries that it sends to
 * PostgreSQL, in their order.
 */
export async function captureStatements(
  bed: Bed,
  paths: readonly string[],
): Promise<CapturedStatements> {
  const file = join(tmpdir(), `vcds-bench-${randomBytes(6).toString('hex')}.ndjson`);
  const [key = ''] = await bed.issueKeys('scale', 1);
  const { root, pid } = await bed.startDataApi({
    NODE_OPTIONS: `--import=${RECORDER}`,
    VCDS_BENCH_STATEMENTS: file,
  });
  try {
    const captured: Record<string, readonly Captured[]> = {};
    for (const path of paths) {
      await writeFile(file, '');
      const { status, text } = await httpGet(`${root}${path}`, { headers: { 'X-Api-Key': key } });
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      captured[path] = linesOf(file).map((line): Captured => JSON.parse(line));
      if (captured[path].length === 0) throw new Error(`${path} sends no statement.`);
    }
    return captured;
  } finally {
    process.kill(pid, 'SIGKILL');
    await rm(file, { force: true });
  }
}
