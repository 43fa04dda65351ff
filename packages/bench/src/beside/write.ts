/**
 * Changes startups and rounds at a constant rate, in transactions as small as those of an import that
 * follows a source: 50 changes each, which derive columns, signals and rows of the log of facets.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@vcds/test-kit/bench';
import { quantile } from '../support/figures.ts';

/** The changes to write, as the only argument: JSON. A SIGTERM ends them before. */
export interface Writing {
  readonly databaseUrl: string;
  readonly perSecond: number;
  readonly seconds: number;
}

const CHANGES = 50;
const CHANGE_STARTUPS = `UPDATE venture.startup
  SET members_count = 1 + (coalesce(members_count, 0) + 1) % 900, founded = 1990 + ($1::int + founded) % 30
  WHERE id = ANY (ARRAY(SELECT id FROM venture.startup WHERE id > gen_random_uuid() AND deleted_at IS NULL
    ORDER BY id LIMIT ${CHANGES}))`;
const CHANGE_ROUNDS = `UPDATE venture.funding_round SET amount = 1000000 + ($1::int * 1000) % 90000000
  WHERE id = ANY (ARRAY(SELECT id FROM venture.funding_round WHERE id > gen_random_uuid() AND deleted_at IS NULL
    ORDER BY id LIMIT ${CHANGES}))`;

const { databaseUrl, perSecond, seconds }: Writing = JSON.parse(process.argv[2] ?? '');
const latencyMs: number[] = [];
let changes = 0;
let isEnded = false;
process.once('SIGTERM', () => {
  isEnded = true;
});
const beganMs = performance.now();
await withClient(databaseUrl, async (client) => {
  const startedMs = performance.now();
  for (let turn = 0; !isEnded && performance.now() - startedMs < seconds * 1_000; turn += 1) {
    await delay(Math.max(0, startedMs + (turn * CHANGES * 1_000) / perSecond - performance.now()));
    const sentMs = performance.now();
    const { rowCount } = await client.query(turn % 4 === 3 ? CHANGE_ROUNDS : CHANGE_STARTUPS, [
      turn,
    ]);
    latencyMs.push(performance.now() - sentMs);
    changes += rowCount ?? 0;
  }
});
const [p50, p99] = [0.5, 0.99].map((share) => quantile(latencyMs, share).toFixed(0));
process.stdout.write(
  `${Math.round((changes * 1_000) / (performance.now() - beganMs))} changes/s, ${CHANGES} in ${p50} ms (p99 ${p99})`,
);
