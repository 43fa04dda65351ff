// Tests docs/spec/resources.md 4.14.
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import {
  CONDITIONS,
  conditionOf,
  type InferredStatus,
  isRecentRound,
  OBSERVED_KINDS,
  OBSERVED_STATES,
  type ObservationSummary,
  type OperatingStatus,
  observedStatus,
  operatingStatusOf,
  type SocialCondition,
} from '@vcds/venture-model';
import { openImportFixture } from '../../../../packages/importer/test/support.ts';
import { openStatusClock } from '../support/status-clock.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-05-31T12:00:00.000Z');

const fixture = await closedAfterAll(openImportFixture());
const clock = await openStatusClock((sql, values) => fixture.rows(sql, values));

const daysAgo = (days: number, ms = 0) => new Date(NOW.getTime() - days * DAY_MS + ms);

/** Every combination of one value of each member. */
function product<T extends object>(values: { readonly [N in keyof T]: readonly T[N][] }): T[] {
  return Object.entries<readonly unknown[]>(values).reduce<object[]>(
    (rows, [name, options]) =>
      rows.flatMap((row) => options.map((option) => ({ ...row, [name]: option }))),
    [{}],
  ) as T[];
}

const summaries = product<ObservationSummary>({
  kind: OBSERVED_KINDS,
  state: OBSERVED_STATES,
  seenAt: [NOW, daysAgo(100)],
  lastPostAt: [null],
  lastAliveAt: [null, daysAgo(10), daysAgo(185), daysAgo(365, 1), daysAgo(365), daysAgo(400)],
  failingSince: [null, daysAgo(7, 1), daysAgo(7), daysAgo(14, 1), daysAgo(14), daysAgo(114)],
  failingDays: [0, 1, 2, 3],
  newestPostAt: [null, daysAgo(10), daysAgo(365, 1), daysAgo(365), daysAgo(545), daysAgo(580)],
});

const asRow = (summary: ObservationSummary) => ({
  kind: summary.kind,
  state: summary.state,
  occurred_at: summary.seenAt,
  last_alive_at: summary.lastAliveAt,
  failing_since: summary.failingSince,
  failing_days: summary.failingDays,
  newest_post_at: summary.newestPostAt,
});

test('the database computes the condition of an address by the table, for all inputs', async () => {
  const rows = await fixture.rows<{ condition: string; turnsAt: Date | null }>(
    `SELECT venture.observation_condition(o, $2) AS condition,
       venture.observation_turns_at(o, $2) AS "turnsAt"
     FROM jsonb_array_elements($1) WITH ORDINALITY e(item, n),
       LATERAL jsonb_populate_record(NULL::venture.observation, e.item) o
     ORDER BY e.n`,
    [JSON.stringify(summaries.map(asRow)), NOW],
  );
  expect(rows.map(({ condition }) => condition)).toEqual(
    summaries.map((summary) => conditionOf(summary, NOW)),
  );
  expect(new Set(rows.map(({ condition }) => condition))).toEqual(new Set(CONDITIONS));
  // Until the stored time the condition stays, and a row without one never changes.
  for (const [index, { condition, turnsAt }] of rows.entries()) {
    const before = new Date(turnsAt === null ? Date.UTC(2100, 0) : turnsAt.getTime() - 1);
    expect(conditionOf(summaries[index], before)).toBe(condition);
  }
});

test('the database decides by the table, for all conditions', async () => {
  const socials: readonly SocialCondition[] = ['active', 'quiet', 'unknown'];
  const cells = product<{ site: (typeof CONDITIONS)[number]; social: SocialCondition }>({
    site: CONDITIONS,
    social: socials,
  });
  const rows = await fixture.rows<{ status: string | null }>(
    `SELECT venture.observed_status(site, social) AS status
     FROM jsonb_to_recordset($1) AS c (n int, site text, social text) ORDER BY n`,
    [JSON.stringify(cells.map((cell, n) => ({ n, ...cell })))],
  );
  expect(rows.map(({ status }) => status)).toEqual(
    cells.map(({ site, social }) => observedStatus(site, social)),
  );
});

test('the specification prints the table', async () => {
  const url = new URL('../../../../docs/spec/resources.md', import.meta.url);
  const page = await readFile(url, 'utf8');
  const [, header = '', body = ''] =
    /^\| Site +(\|.*)\n\|[ -|]+\n((?:\| `\w+` .*\n)+)/mu.exec(
      page.split('The conditions result')[1] ?? '',
    ) ?? [];
  const socials = [...header.matchAll(/Accounts (\w+)/gu)].map(([, social = '']) => social);
  const cells = body
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [site = '', ...statuses] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return statuses.map((status, at) => [site, socials[at], status]);
    });
  const expected = CONDITIONS.flatMap((site) =>
    (['active', 'quiet', 'unknown'] as const).map((social) => {
      const status = observedStatus(site, social);
      return [`\`${site}\``, social, status === null ? 'no inference' : `\`${status}\``];
    }),
  );
  expect(cells).toEqual(expected);
});

test.each(['2026-05-31T00:00:00Z', '2026-05-31T23:59:59.999Z', '2028-02-29T12:00:00Z'])(
  'the database gives the effective status by the three rules at %s',
  async (now) => {
    const at = new Date(now);
    await clock.set(at);
    const inferences: readonly (InferredStatus | null)[] = [null, 'Active', 'ProbablyClosed'];
    const stated: readonly (OperatingStatus | null)[] = [...inferences, 'Closed'];
    const days = [null, ...Array.from({ length: 8 }, (_, n) => -2 + n)].map((offset) =>
      offset === null ? null : new Date(threeMonthsBefore(at) + offset * DAY_MS),
    );
    const cells = product<{
      stated: OperatingStatus | null;
      observed: InferredStatus | null;
      inferred: InferredStatus | null;
      day: Date | null;
    }>({ stated, observed: inferences, inferred: inferences, day: days });
    const rows = await fixture.rows<{ status: string | null }>(
      `SELECT venture.operating_status(stated, observed, inferred, day) AS status
       FROM jsonb_to_recordset($1)
         AS c (n int, stated text, observed text, inferred text, day date) ORDER BY n`,
      [JSON.stringify(cells.map((cell, n) => ({ n, ...cell })))],
    );
    expect(rows.map(({ status }) => status)).toEqual(
      cells.map((cell) =>
        operatingStatusOf({ ...cell, hasRecentRound: isRecentRound(cell.day, at) }),
      ),
    );
  },
);

/** Midnight UTC on the 28th, three months before; each month has that day. */
function threeMonthsBefore(at: Date): number {
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 3, 26);
}
