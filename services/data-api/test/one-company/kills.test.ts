// Tests docs/spec/one-company.md 25.5.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type ImportLine, runImport } from '@vcds/importer';
import { atLength, closedAfterAll } from '@vcds/test-kit';
import pg from 'pg';
import { differences } from '../changes/support/copy.ts';
import { openApi } from '../support/api.ts';
import { answered, cluster, STARTUP, startupId } from './support.ts';

const api = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
const COMPANIES = 40;
const KILLS = atLength(6, 150);

/** The rounds of a source: three at least 90 days apart, which the other source has a little later. */
function lines(source: string): ImportLine[] {
  const shift = source === 'A' ? 0 : 17;
  return Array.from({ length: COMPANIES }, (_, n): ImportLine[] => {
    const Startup = { key: `c${n}` };
    return [
      { type: 'startup', source, key: `c${n}`, Name: `${source} ${n}` },
      ...[0, 100, 200].map((day, index): ImportLine => {
        const at = new Date(Date.UTC(2012, 0, 1 + day + shift)).toISOString().slice(0, 10);
        const Amount = (index + 1) * 1_000_000 + (source === 'A' ? 0 : 20_000);
        return { type: 'round', source, key: `r${n}-${index}`, Startup, Date: at, Amount };
      }),
    ];
  }).flat();
}

const pairs = Array.from({ length: COMPANIES }, (_, n) => [
  startupId('A', `c${n}`),
  startupId('B', `c${n}`),
]);
const alone = pairs.flat().map((id) => [id]);

test('a merge or split that is killed is done or not begun, and its rounds count once', async () => {
  const connectionString = api.databaseUrl;
  await runImport({
    connectionString,
    stream: { name: 'lines', lines: ['A', 'B'].flatMap(lines) },
  });
  const apart = await answered(api.sql);
  const startedAt = performance.now();
  await cluster(api.sql, STARTUP, pairs);
  const lastsMs = performance.now() - startedAt;
  const merged = await answered(api.sql);
  const totals = await api.list('/startups', { $select: 'RoundsCount,TotalRaised', $top: '100' });
  expect(totals).toHaveLength(COMPANIES);
  for (const { RoundsCount, TotalRaised } of totals) {
    expect(RoundsCount).toBe(3);
    expect(Math.abs(Number(TotalRaised) - 6_000_000)).toBeLessThanOrEqual(60_000);
  }
  let isMerged = true;
  const outcomes = { done: 0, undone: 0 };
  for (let n = 0; n < KILLS; n += 1) {
    const client = new pg.Client(connectionString);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const work = cluster(client, STARTUP, isMerged ? alone : pairs).catch(() => undefined);
    await delay((lastsMs * n) / KILLS);
    await api.sql.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await work;
    const now = await answered(api.sql);
    const [before, after] = isMerged ? [merged, apart] : [apart, merged];
    const isDone = differences(now, after).length === 0;
    if (!isDone) expect(differences(now, before)).toEqual([]);
    outcomes[isDone ? 'done' : 'undone'] += 1;
    if (isDone) isMerged = !isMerged;
  }
  expect(outcomes.undone).toBeGreaterThan(0);
}, 600_000);
