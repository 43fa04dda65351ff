// Tests docs/spec/resources.md 4.3, 4.4, 4.18.
/** Columns derived from other records equal those computed from the records, for all writers. */
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, eventually, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import {
  FACTS,
  factsOf,
  foundedBy,
  type PersonFacts,
  type ValuationFacts,
} from './derived-facts.ts';
import { openImportFixture } from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

const id = (name: string) => `md5('${name}')::uuid`;

const SEED = `
  TRUNCATE venture.startup, venture.fund, venture.person, venture.funding_round,
    venture.round_investor, venture.holding, venture.post_valuation, venture.startup_person,
    venture.news CASCADE;
  INSERT INTO venture.startup (id, name)
    SELECT md5('startup' || n)::uuid, 'Startup ' || n FROM generate_series(0, 2) n;
  INSERT INTO venture.fund (id, name)
    SELECT md5('fund' || n)::uuid, 'Fund ' || n FROM generate_series(0, 2) n;
  INSERT INTO venture.person (id, name)
    SELECT md5('person' || n)::uuid, 'Person ' || n FROM generate_series(0, 1) n;
  INSERT INTO venture.funding_round (id, startup_id, date, amount)
    SELECT md5('round' || n)::uuid, md5('startup' || n % 3)::uuid, '2020-01-01', 100
    FROM generate_series(0, 3) n;`;

/** The derived columns as they are stored, and as their definitions have them. */
const COMPARED = `
  SELECT 'startup' AS table, s.id, jsonb_build_object(
      'rounds', s.rounds_count, 'raised', s.confirmed_raised, 'average', s.average_round_amount,
      'stage', s.last_funding_stage, 'date', s.last_funding_date,
      'valuation', s.latest_post_valuation, 'statuses', s.exit_statuses,
      'names', coalesce(c.investor_names, '{}')) AS stored,
    jsonb_build_object(
      'rounds', a.rounds, 'raised', a.raised, 'average', a.average, 'stage', a.stage,
      'date', a.date, 'valuation', (
        SELECT v.amount FROM venture.post_valuation v
        WHERE v.startup_id = s.id AND v.deleted_at IS NULL AND v.amount IS NOT NULL
        ORDER BY v.date DESC NULLS LAST, v.id DESC LIMIT 1),
      'statuses', ARRAY(
        SELECT DISTINCT h.status FROM venture.holding h JOIN venture.fund f ON f.id = h.fund_id
        WHERE h.startup_id = s.id AND h.deleted_at IS NULL AND f.deleted_at IS NULL ORDER BY 1),
      'names', ARRAY(
        SELECT i.name FROM (
          SELECT id, name FROM venture.fund WHERE deleted_at IS NULL
          UNION ALL SELECT id, name FROM venture.person WHERE deleted_at IS NULL) i
        WHERE i.id IN (
          SELECT h.fund_id FROM venture.holding h
          WHERE h.startup_id = s.id AND h.deleted_at IS NULL
          UNION SELECT p.investor_id
          FROM venture.round_investor p JOIN venture.funding_round r ON r.id = p.round_id
          WHERE r.startup_id = s.id AND p.deleted_at IS NULL AND r.deleted_at IS NULL)
        ORDER BY i.name COLLATE venture.text_order, i.id)) AS computed
  FROM venture.startup s LEFT JOIN venture.startup_computed c ON c.id = s.id, LATERAL (
    SELECT count(*) AS rounds, sum(amount) AS raised, round(avg(amount)) AS average,
      (array_agg(stage ORDER BY date DESC NULLS LAST, stage DESC NULLS LAST))[1] AS stage,
      max(date) AS date
    FROM venture.funding_round WHERE startup_id = s.id AND confirmed AND deleted_at IS NULL) a
  UNION ALL
  SELECT 'fund', f.id, jsonb_build_object(
      'investments', f.investments_count, 'date', f.last_investment_date,
      'first', f.first_investment_date,
      'average', f.average_round_amount, 'exits', c.exit_rate,
      'latest', coalesce(c.latest_investments, '{}'), 'startups', coalesce(c.startups_count, 0)),
    jsonb_build_object(
      'investments', a.investments, 'date', a.date, 'first', a.first, 'average', a.average, 'exits', (
        SELECT round(avg((h.status <> 'Held')::int), 4)::float8
        FROM venture.holding h JOIN venture.startup t ON t.id = h.startup_id
        WHERE h.fund_id = f.id AND h.deleted_at IS NULL AND t.deleted_at IS NULL),
      'latest', ARRAY(
        SELECT t.name FROM venture.holding h JOIN venture.startup t ON t.id = h.startup_id
        WHERE h.fund_id = f.id AND h.deleted_at IS NULL AND t.deleted_at IS NULL
        ORDER BY h.last_investment_date DESC NULLS LAST, t.name LIMIT 10),
      'startups', (SELECT count(*)
        FROM venture.holding h JOIN venture.startup t ON t.id = h.startup_id
        WHERE h.fund_id = f.id AND h.deleted_at IS NULL AND t.deleted_at IS NULL))
  FROM venture.fund f LEFT JOIN venture.fund_computed c ON c.id = f.id, LATERAL (
    SELECT count(*) AS investments, max(r.date) AS date, min(r.date) AS first,
      round(avg(r.amount) FILTER (WHERE r.confirmed)) AS average
    FROM venture.round_investor p JOIN venture.funding_round r ON r.id = p.round_id
    WHERE p.fund_id = f.id AND p.deleted_at IS NULL AND r.deleted_at IS NULL
      AND NOT r.startup_deleted) a`;

/** Holdings that differ from the rounds of their fund and startup, or are missing. */
const OTHER_HOLDINGS = `
  SELECT fund_id, startup_id, h.rounds_count, i.rounds, h.deleted_at
  FROM venture.holding h FULL JOIN (
    SELECT p.fund_id, r.startup_id, count(*) AS rounds
    FROM venture.round_investor p JOIN venture.funding_round r ON r.id = p.round_id
    WHERE p.fund_id IS NOT NULL AND p.deleted_at IS NULL AND r.deleted_at IS NULL
    GROUP BY p.fund_id, r.startup_id) i USING (fund_id, startup_id)
  WHERE h.rounds_count IS DISTINCT FROM coalesce(i.rounds, 0)
    OR NOT h.stated AND (h.deleted_at IS NULL) <> (i.rounds IS NOT NULL)`;

async function expectDerived(): Promise<void> {
  const [facts] = await fixture.rows<{ valuations: ValuationFacts[]; persons: PersonFacts[] }>(
    FACTS,
  );
  const { valuations = [], persons = [] } = facts ?? {};
  expect(valuations.map(({ stored }) => stored)).toEqual(
    valuations.map((valuation) => factsOf(valuation, valuations)),
  );
  expect(persons.map(({ founded }) => founded)).toEqual(persons.map(foundedBy));
  const rows = await fixture.rows(`SELECT * FROM (${COMPARED}) c`);
  expect(rows).toHaveLength(6);
  expect(rows.map(({ stored }) => stored)).toEqual(rows.map(({ computed }) => computed));
  expect(await fixture.rows(OTHER_HOLDINGS)).toEqual([]);
}

/** Statements that writers run; `later` computes derived columns once, at the end. */
interface Transaction {
  readonly later: boolean;
  readonly statements: readonly string[];
}

const numbered = (name: string, count: number) =>
  fc.integer({ min: 0, max: count - 1 }).map((n) => `${name}${n}`);
const aStartup = numbered('startup', 3);
const aFund = numbered('fund', 3);
const aRound = numbered('round', 4);
const aPerson = numbered('person', 2);
const anInvestor = fc.oneof(aFund, aPerson);
const title = fc.constantFrom('NULL', "'Co-Founder & CEO'", "'Engineer'");
const gone = fc.constantFrom('NULL', 'NULL', 'now()');
const date = fc.constantFrom('NULL', "'2021-05-01'", "'2023-01-31'");
const amount = fc.constantFrom('NULL', '0', '1', '500', '1000');
const stage = fc.constantFrom('NULL', '3', '4');
const tableOf = (record: string) => record.replace(/\d$/u, '');

const statement = fc.oneof(
  fc
    .tuple(fc.oneof(aStartup, anInvestor), fc.constantFrom('Ärm', 'arm', 'Zoo', 'Bolt'))
    .map(([of, name]) => `UPDATE venture.${tableOf(of)} SET name = '${name}' WHERE id = ${id(of)}`),
  fc
    .tuple(fc.oneof(aStartup, anInvestor), gone)
    .map(([of, at]) => `UPDATE venture.${tableOf(of)} SET deleted_at = ${at} WHERE id = ${id(of)}`),
  fc
    .tuple(aRound, aStartup, date, amount, fc.constantFrom('true', 'true', 'false'), gone, stage)
    .map(
      ([of, to, on, sum, confirmed, at, as]) =>
        `UPDATE venture.funding_round SET startup_id = ${id(to)}, date = ${on}, amount = ${sum},
           stage = ${as}, confirmed = ${confirmed}, deleted_at = ${at} WHERE id = ${id(of)}`,
    ),
  fc.tuple(aRound, anInvestor, gone).map(
    ([of, by, at]) =>
      `INSERT INTO venture.round_investor (round_id, ${tableOf(by)}_id, deleted_at)
         VALUES (${id(of)}, ${id(by)}, ${at})
         ON CONFLICT (round_id, investor_id) DO UPDATE SET deleted_at = excluded.deleted_at`,
  ),
  fc.tuple(aFund, aStartup, fc.constantFrom('Held', 'Exited'), gone).map(
    ([by, of, status, at]) =>
      `INSERT INTO venture.holding AS h (fund_id, startup_id, status, deleted_at)
         VALUES (${id(by)}, ${id(of)}, '${status}', ${at})
         ON CONFLICT (fund_id, startup_id) DO UPDATE SET status = excluded.status, stated = true,
           deleted_at = excluded.deleted_at`,
  ),
  fc
    .tuple(numbered('valuation', 4), aStartup, fc.option(aRound), date, amount, fc.boolean(), gone)
    .map(
      ([of, to, by, on, sum, estimated, at]) =>
        `INSERT INTO venture.post_valuation
           (id, startup_id, round_id, date, amount, estimated, deleted_at)
         VALUES (${id(of)}, ${id(to)}, ${by === null ? 'NULL' : id(by)}, ${on}, ${sum}, ${estimated}, ${at})
         ON CONFLICT (id) DO UPDATE SET startup_id = excluded.startup_id,
           round_id = excluded.round_id, date = excluded.date, amount = excluded.amount,
           estimated = excluded.estimated, deleted_at = excluded.deleted_at`,
    ),
  fc.tuple(aStartup, aPerson, title, gone).map(
    ([at, who, as, when]) =>
      `INSERT INTO venture.startup_person (startup_id, person_id, title, deleted_at)
         VALUES (${id(at)}, ${id(who)}, ${as}, ${when})
         ON CONFLICT (startup_id, person_id) DO UPDATE SET title = excluded.title,
           deleted_at = excluded.deleted_at`,
  ),
  fc
    .tuple(aPerson, fc.constantFrom('NULL', "'founder'", "'investor'"))
    .map(([who, role]) => `UPDATE venture.person SET role = ${role} WHERE id = ${id(who)}`),
);
const transaction: fc.Arbitrary<Transaction> = fc.record({
  later: fc.boolean(),
  statements: fc.array(statement, { minLength: 1, maxLength: 4 }),
});

/** Runs transactions in order, each until no other writer is in its way. */
async function write(client: pg.ClientBase, history: readonly Transaction[]): Promise<void> {
  for (const { later, statements } of history) {
    for (let isDone = false; !isDone; ) {
      await client.query(`BEGIN; SET LOCAL deadlock_timeout = '10ms'`);
      try {
        if (later) await client.query(`SET LOCAL venture.derive = 'later'`);
        for (const sql of statements) await client.query(sql);
        if (later) await client.query('SELECT venture.keep_due()');
        await client.query('COMMIT');
        isDone = true;
      } catch (error) {
        await client.query('ROLLBACK');
        if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
      }
    }
  }
}

async function withWriters<T>(
  work: (one: pg.ClientBase, two: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const [one, two] = [await fixture.pool.connect(), await fixture.pool.connect()];
  try {
    return await work(one, two);
  } finally {
    one.release();
    two.release();
  }
}

const history = fc.array(transaction, { minLength: 1, maxLength: 8 });

test('derived columns follow whatever two writers do at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(history, history, async (first, second) => {
      await fixture.rows(SEED);
      await withWriters((one, two) => Promise.all([write(one, first), write(two, second)]));
      await expectDerived();
    }),
    runs(5, 300),
  );
});

describe('a link that is added or deleted while', () => {
  const holding = `INSERT INTO venture.holding (fund_id, startup_id, status)
    VALUES (${id('fund0')}, ${id('startup0')}, 'Exited')`;
  const invests = (by: string) =>
    `INSERT INTO venture.round_investor (round_id, ${tableOf(by)}_id)
     VALUES (${id('round0')}, ${id(by)})`;
  const set = (of: string, assignment: string) =>
    `UPDATE venture.${of.startsWith('round') ? 'funding_round' : tableOf(of)}
     SET ${assignment} WHERE id = ${id(of)}`;
  const post = `INSERT INTO venture.startup_person (startup_id, person_id, title)
    VALUES (${id('startup0')}, ${id('person0')}, 'Co-Founder & CEO')`;
  const valued = `INSERT INTO venture.post_valuation (id, startup_id, round_id, date, amount)
    VALUES (${id('valuation0')}, ${id('startup0')}, ${id('round0')}, '2021-05-01', 9)`;
  const renamed = "name = 'New'";
  const moves = set('round0', `startup_id = ${id('startup1')}`);
  const leaves = 'UPDATE venture.round_investor SET deleted_at = now()';

  test.each([
    ['a fund is renamed', '', holding, set('fund0', renamed)],
    ['a fund is deleted', '', holding, set('fund0', 'deleted_at = now()')],
    ['an investing fund is renamed', '', invests('fund0'), set('fund0', renamed)],
    ['an investing person is renamed', '', invests('person0'), set('person0', renamed)],
    ['a person is deleted', '', invests('person0'), set('person0', 'deleted_at = now()')],
    ['a startup is renamed', '', holding, set('startup0', renamed)],
    ['a startup is deleted', '', holding, set('startup0', 'deleted_at = now()')],
    ['the amount of a round changes', '', invests('fund0'), set('round0', 'amount = 900')],
    ['a startup with a founder is deleted', '', post, set('startup0', 'deleted_at = now()')],
    [
      'a startup is deleted whose founder is back',
      `${post}; UPDATE venture.startup_person SET deleted_at = now()`,
      'UPDATE venture.startup_person SET deleted_at = NULL',
      set('startup0', 'deleted_at = now()'),
    ],
    ['the round of a valuation changes', '', valued, set('round0', 'stage = 4')],
    ['the round of a valuation moves', '', valued, moves],
    ['its round moves', '', invests('fund0'), moves],
    ['the round that it leaves moves', invests('fund0'), leaves, moves],
    [
      'the investor of a round that moves is renamed',
      invests('fund0'),
      moves,
      set('fund0', renamed),
    ],
  ])('%s is not missed, in either order', async (_, before, adding, changing) => {
    for (const [first, second] of [
      [adding, changing],
      [changing, adding],
    ] as const) {
      await fixture.rows(SEED);
      await fixture.rows(before === '' ? 'SELECT' : before);
      await withWriters(async (one, two) => {
        const { rows } = await two.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await one.query('BEGIN');
        await one.query(first);
        let isDone = false;
        const other = two.query(second).finally(() => {
          isDone = true;
        });
        await eventually(async () => {
          const blocked = await one.query<{ by: number }>(
            'SELECT cardinality(pg_blocking_pids($1)) AS by',
            [rows[0]?.pid],
          );
          expect(isDone || Number(blocked.rows[0]?.by) > 0).toBe(true);
        });
        await one.query('COMMIT');
        await other;
      });
      await expectDerived();
    }
  });
});

test.each([
  ['Founder', true],
  ['Co-Founder & CEO', true],
  ['CEO, Cofounder', true],
  ['Cofondatrice', true],
  ['Mitgründer und CTO', true],
  ['Fundadora', true],
  ['Founding Engineer', false],
  ["Founder's Associate", false],
  ['Founders Associate', false],
  ['Assistant to the Founder', false],
  ['Head of Founder Success', false],
  ['CEO', false],
])('the title %s says of its holder that it founded the company: %s', async (title, expected) => {
  const [row] = await fixture.rows('SELECT venture.is_founder($1) AS is', [title]);
  expect(row).toEqual({ is: expected });
});
