import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, test } from '@jest/globals';
import { atLength, eventually, findPgBouncer, startPgBouncer, startPrimary } from '@vcds/test-kit';
import { assertConnections } from '../../src/assert-connections.ts';
import { readDataApiConfig } from '../../src/config.ts';
import { chargedOf, openApi, type Query, type Reply, type TestApi } from '../support/api.ts';

/** Calls of every feature that reads. */
const CALLS: readonly (readonly [path: string, query?: Query])[] = [
  ['/startups', { $top: '5', $orderby: 'Name' }],
  ['/startups', { $filter: `Name like '%a%' and Founded gt 2000`, $expand: 'FundingRounds' }],
  ['/startups', { $count: 'true' }],
  ['/funds', { $top: '5', $orderby: 'Name desc', $select: 'Id,Name' }],
  ['/startups/fundingrounds', { $filter: 'Amount gt 1000', $top: '7' }],
  ['/news', { $filter: `Date lt ${new Date().toISOString().slice(0, 10)}` }],
  ['/persons', { $top: '3', $skip: '1' }],
  ['/companies/search', { q: 'a' }],
  ['/startups/search', { q: 'alpha' }],
  ['/startups/tags/search', { q: 'a' }],
  ['/categories'],
  ['/categories/industry'],
  ['/categories/facets', { entity: 'startups' }],
  ['/startups', { country: 'Atlantis' }],
  ['/signals', { order: 'asc' }],
  ['/signals', { minAmount: '1', expand: 'subject,object' }],
  ['/activityfeed', { $top: '5' }],
  ['/startups/00000000-0000-4000-8000-000000000000'],
  ['/nowhere'],
];

/** The version of PgBouncer, as 1.18 is 118; undefined without it. */
const version = versionOf(findPgBouncer());
/** Named prepared statements in transaction mode. */
const MODES = [
  { pooler: 'transaction', settings: {} },
  ...(version !== undefined && version >= 121
    ? [{ pooler: 'prepared', settings: { max_prepared_statements: 600 } } as const]
    : []),
] as const;
/** Without PgBouncer the tests are reported as skipped, with the reason in their name. */
const [describeModes, title] =
  version === undefined
    ? ([describe.skip, 'needs PgBouncer: no pgbouncer is on PATH, $pooler'] as const)
    : ([describe, 'through PgBouncer, $pooler'] as const);

function versionOf(program: string | undefined): number | undefined {
  if (program === undefined) return undefined;
  const text = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) * 100 + Number(minor);
}

describeModes.each(MODES)(title, ({ pooler, settings }) => {
  const servers: { drop(): Promise<void> }[] = [];
  const apis: TestApi[] = [];
  afterAll(async () => {
    for (const api of apis) await api.close();
    for (const server of servers.reverse()) await server.drop();
  });

  async function open() {
    const primary = await startPrimary();
    const bouncer = await startPgBouncer(primary, { default_pool_size: 3, ...settings });
    servers.push(primary, bouncer);
    const direct = await openApi({ url: primary.url });
    const pooled = await openApi({
      ...{ url: primary.url, seed: 'SELECT 1' },
      pooled: { url: bouncer.url, pooler },
    });
    apis.push(direct, pooled);
    return { primary, bouncer, direct, pooled };
  }
  const opening = open();
  opening.catch(() => undefined);

  const bodyOf = ({ status, body }: Reply) => {
    const text = JSON.stringify(body).replaceAll(/"trace_id":"[^"]*"/g, '');
    return { status, text };
  };

  test('every call has the response that it has without', async () => {
    const { direct, pooled } = await opening;
    const statuses: number[] = [];
    for (const [path, query] of CALLS) {
      // The third execution of a text would use its prepared statement.
      for (let n = 0; n < 3; n++) {
        const expected = bodyOf(await direct.get(path, query));
        statuses.push(expected.status);
        expect({ path, query, ...bodyOf(await pooled.get(path, query)) }).toEqual({
          ...{ path, query },
          ...expected,
        });
      }
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(3 * (CALLS.length - 3));
  });

  test('while it restarts, calls fail without a charge, and succeed again', async () => {
    const { bouncer, pooled } = await opening;
    const remaining = async () => {
      const { headers } = await pooled.get('/pricing');
      return Number(headers['x-ratelimit-remaining']);
    };
    const before = await remaining();
    const outcomes: { status: number; charged: number }[] = [];
    let isOver = false;
    const callers = [0, 1, 2, 3].map(async (caller) => {
      for (let n = caller; !isOver; n++) {
        const [path, query] = CALLS[n % 6] ?? ['/startups'];
        const reply = await pooled.get(path, query);
        outcomes.push({ status: reply.status, charged: chargedOf(reply) });
      }
    });
    const served = async (more: number): Promise<void> => {
      const count = () => outcomes.filter(({ status }) => status === 200).length;
      const until = count() + more;
      await eventually(() => count() >= until);
    };
    for (let restart = 0; restart < atLength(1, 5); restart++) {
      await served(20);
      await bouncer.kill();
      await bouncer.restart();
    }
    await served(20);
    isOver = true;
    await Promise.all(callers);
    const failed = outcomes.filter(({ status }) => status !== 200);
    expect(new Set(failed.map(({ status }) => status))).toEqual(
      new Set(failed.length ? [503] : []),
    );
    expect(failed.every(({ charged }) => charged === 0)).toBe(true);
    const charged = outcomes.reduce((sum, each) => sum + each.charged, 0);
    expect(before - (await remaining())).toBeCloseTo(charged, 5);
    process.stderr.write(`${outcomes.length} calls, ${failed.length} failed with 503\n`);
  });

  test('data-api does not start if its background jobs would use it', async () => {
    const { primary, bouncer } = await opening;
    const configOf = (variables: Readonly<Record<string, string>>) =>
      readDataApiConfig({
        ...{ DATABASE_URL: bouncer.url, REDIS_URL: 'redis://127.0.0.1:1' },
        SERVICE_TOKEN_SECRET: 'a-secret-of-enough-characters-for-all',
        CURSOR_SECRET: 'a-secret-of-enough-characters-for-all',
        ...variables,
      });
    await expect(assertConnections(configOf({}))).rejects.toMatchObject({
      errors: [
        expect.stringContaining('set DATABASE_DIRECT_URL'),
        expect.stringContaining('set DATABASE_POOLER'),
      ],
    });
    const named = configOf({ DATABASE_DIRECT_URL: primary.url, DATABASE_POOLER: 'transaction' });
    await expect(assertConnections(named)).resolves.toBeUndefined();
  });
});
