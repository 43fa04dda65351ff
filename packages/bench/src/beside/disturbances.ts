import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withClient } from '@vcds/test-kit/bench';
import type { Flood } from './flood.ts';
import type { Writing } from './write.ts';

/** The product that is disturbed. */
export interface Disturbed {
  /** Of the superuser. */
  readonly databaseUrl: string;
  /** Of the API of data-api, and the public listener of access-api. */
  readonly root: string;
  readonly accessUrl: string;
  /** A key of the free plan, which the calls do not use. */
  readonly freeKey: string;
  readonly seconds: number;
}

/** Something that goes on for the given time. @returns what the disturbing side saw. */
export type Disturbance = (of: Disturbed) => Promise<string>;

const STALL_MS = 3_000;
const CHANGES_PER_SECOND = 1_000;
const run = promisify(execFile);

/** The disturbances by name. */
export const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'unknown-keys': flood({ kind: 'unknown keys', connections: 2_000, perSecond: 2_000 }),
  'unknown-keys-of-many': flood({
    kind: 'unknown keys',
    connections: 2_000,
    perSecond: 2_000,
    addresses: 200,
  }),
  'no-key': flood({ kind: 'no key', connections: 2_000, perSecond: 2_000 }),
  initialize: flood({ kind: 'initialize', connections: 200, perSecond: 0 }),
  errors: flood({ kind: 'errors', connections: 200, perSecond: 0 }),
  pages: flood({ kind: 'pages', connections: 200, perSecond: 0 }),
  pipelined: flood({ kind: 'pipelined', connections: 20, perSecond: 0 }),
  'expensive-calls': flood({ kind: 'expensive calls', connections: 40, perSecond: 0 }),
  stall,
  import: write({}),
  'import-snapshot': write({ isBesideSnapshot: true }),
};

/** Runs a flood in a process of its own, so that it does not delay the measured calls. */
function flood(
  what: Pick<Flood, 'kind' | 'connections' | 'perSecond'> & Partial<Pick<Flood, 'addresses'>>,
): Disturbance {
  return async ({ root, accessUrl, freeKey: key, seconds }) => {
    const origin = what.kind === 'pages' ? accessUrl : new URL(root).origin;
    const program = fileURLToPath(new URL('flood.js', import.meta.url));
    const given: Flood = { addresses: 0, ...what, origin, key, seconds };
    const { stdout } = await run(process.execPath, [program, JSON.stringify(given)]);
    return `it got ${stdout}`;
  };
}

/** In the middle of the time a transaction locks the table of startups. */
async function stall({ databaseUrl, seconds }: Disturbed): Promise<string> {
  await delay((seconds * 1_000) / 2);
  await withClient(databaseUrl, async (client) => {
    await client.query('BEGIN; LOCK TABLE venture.startup');
    await delay(STALL_MS);
    await client.query('ROLLBACK');
  });
  return `startups locked for ${STALL_MS / 1_000} s`;
}

/** Writes a thousand changes a second, in a process of its own; beside a snapshot that is as old as the writes. */
function write({ isBesideSnapshot = false }): Disturbance {
  return ({ databaseUrl, seconds }) =>
    withClient(databaseUrl, async (client) => {
      if (isBesideSnapshot) {
        await client.query(
          'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM venture.facet_state',
        );
      }
      const program = fileURLToPath(new URL('write.js', import.meta.url));
      const given: Writing = { databaseUrl, seconds, perSecond: CHANGES_PER_SECOND };
      const { stdout } = await run(process.execPath, [program, JSON.stringify(given)]);
      if (isBesideSnapshot) await client.query('ROLLBACK');
      return `${stdout}${isBesideSnapshot ? `, beside a snapshot of ${seconds} s` : ''}`;
    });
}
