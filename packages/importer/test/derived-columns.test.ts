// Tests docs/spec/resources.md 4.3, 4.4, 4.18.
/** Columns derived from other records equal those computed from the records, for all writers. */
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, eventually, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
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

interface Valuation {
  readonly id: string;
  readonly startup: string;
  readonly date: string | null;
  readonly amount: number | null;
  readonly estimated: boolean;
  readonly round: {
    readonly startup: string;
    readonly stage: number | null;
    readonly amount: number | null;
    readonly deleted: boolean;
  } | null;
  readonly stored: readonly (number | null)[];
}

interface Person {
  readonly role: string | null;
  readonly posts: readonly { readonly title: string | null; readonly deleted: boolean }[];
  readonly founded: number | null;
}

const FACTS = `SELECT (
    SELECT coalesce(json_agg(json_build_object('id', v.id, 'startup', v.startup_id, 'date', v.date,
      'amount', v.amount, 'estimated', v.estimated, 'round', (
        SELECT json_build_object('startup', r.startup_id, 'stage', r.stage, 'amount', r.amount,
          'deleted', r.deleted_at IS NOT NULL) FROM venture.funding_round r WHERE r.id = v.round_id),
      'stored', json_build_array(v.round_stage, v.round_amount, v.previous_stage, v.step_up))), '[]')
    FROM venture.post_valuation v WHERE v.deleted_at IS NULL) AS valuations, (
    SELECT json_agg(json_build_object('role', p.role, 'founded', p.founded_count, 'posts', (
      SELECT coalesce(json_agg(json_build_object('title', j.title,
        'deleted', j.deleted_at IS NOT NULL OR s.deleted_at IS NOT NULL)), '[]')
      FROM venture.startup_person j JOIN venture.startup s ON s.id = j.startup_id
      WHERE j.person_id = p.id))) FROM venture.person p) AS persons`;

const only = <T>(values: readonly (T | null)[]): T | null => {
  const known = new Set(values.filter((value) => value !== null));
  return known.size === 1 ? ([...known][0] ?? null) : null;
};

const ofRound = ({ round, startup }: Valuation) =>
  round === null || round.deleted || round.startup !== startup ? null : round;

/** The facts of a valuation among all that are not deleted, by the text of the specification. */
function factsOf(valuation: Valuation, all: readonly Valuation[]): readonly (number | null)[] {
  const { startup, date, amount } = valuation;
  const round = ofRound(valuation);
  const own = [round?.stage ?? null, round?.amount ?? null];
  if (date === null || amount === null) return [...own, null, null];
  const earlier = all.filter(
    (other) =>
      other.startup === startup &&
      other.amount !== null &&
      other.date !== null &&
      other.date < date,
  );
  const day = earlier
    .map((other) => other.date ?? '')
    .sort()
    .at(-1);
  const then = earlier.filter((other) => other.date === day);
  const reported = then.filter(({ estimated }) => !estimated);
  const before = reported.length > 0 ? reported : then;
  const previous = only(before.map((other) => other.amount));
  const step = previous === null || previous === 0 ? null : amount / previous;
  return [
    ...own,
    only(before.map((other) => ofRound(other)?.stage ?? null)),
    step === null ? null : Math.round(step * 10_000) / 10_000,
  ];
}

function foundedBy({ role, posts }: Person): number | null {
  const titles = posts.filter(({ deleted }) => !deleted).map(({ title }) => title);
  const founded = titles.filter((title) => title === 'Co-Founder & CEO').length;
  if (founded > 0) return founded;
  const isNone = titles.length > 0 && !titles.includes(null) && (role ?? 'investor') === 'investor';
  return isNone ? 0 : null;
}

async function expectDerived(): Promise<void> {
  const [facts] = await fixture.rows<{ valuations: Valuation[]; persons: Person[] }>(FACTS);
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
    runs(15),
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

test.each(['startup', 'fund'])(
  'the full-text document of a %s follows its name, tags and description in every write',
  async (table) => {
    const stale = async () =>
      (
        await fixture.rows(
          `SELECT FROM venture.${table}
           WHERE keywords IS DISTINCT FROM venture.profile_document(name, tags, description)`,
        )
      ).length;
    const write = async (set: string) => {
      await fixture.rows(`UPDATE venture.${table} SET ${set}`);
      return stale();
    };
    await fixture.rows(SEED);
    expect(await stale()).toBe(0);
    expect(await write("name = 'Grain mill'")).toBe(0);
    expect(await write("tags = '{Robotics}', description = 'Sorts seeds'")).toBe(0);
    expect(await write('description = NULL, members_count = 5')).toBe(0);
    expect(await write("keywords = to_tsvector('simple', 'other')")).toBe(0);
  },
);

/** Each is found in the text by itself, and neither by a search for `zebra`. */
const IN_TEXTS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Tools for AI/ML and R&D, 24/7.',
    ['AI', 'ML', 'ai/ml', 'R&D', '24/7', '"tools for AI"', 'tool'],
  ],
  ['Great platform.We love users…really', ['platform', 'love', 'users', 'really', 'platform.We']],
  ['COVID-19 from 2020-2024', ['covid 19', 'COVID-19', '19', '2020', '2024', '2020-2024']],
  ['C++, C#, .NET and node.js 3.11', ['C++', 'C#', '.NET', 'node.js', 'node', 'js', '3.11', '3']],
  ['Write to ada.l@acme.example', ['ada', 'acme', 'ada.l@acme.example', 'example']],
  ['See https://acme.example/a_b?c=d1', ['acme', 'https://acme.example/a_b?c=d1', 'd1', 'b']],
  ["L'Oréal’s e-mail in the U.S.A.", ["L'Oréal", 'oreal', 'ORÉAL', 'e-mail', 'mail', 'U.S.A.']],
  ['Acme™ 🚀rocket Straße ΟΔΟΣ İstanbul', ['acme', 'rocket', 'strasse', 'οδος', 'istanbul']],
  ['ａｃｍｅ cafe\u0301 3D B2B', ['acme', 'café', 'cafe\u0301', '3D', 'B2B', '３Ｄ']],
  ['机器学习和数据分析', ['机器学习', '数据', '分析', '机器 分析']],
  [
    '東京のフィンテック企業 and ไทยแลนด์',
    ['東京', 'フィンテック', '企業', 'ไทย', 'แลนด์', 'fintech or ไทย'],
  ],
  ['한국의 스타트업 हिन्दी भाषा', ['스타트업', 'हिन्दी', 'भाषा']],
];

test.each(IN_TEXTS)('keywords find every word of %j as it is typed', async (text, searches) => {
  const found = await fixture.rows<{ search: string; found: boolean }>(
    `SELECT s AS search, d @@ venture.keyword_query(s) AND d @@ venture.keyword_query(s || ' -zebra')
         AND NOT d @@ venture.keyword_query('-' || s) AND NOT d @@ venture.keyword_query(s || ' zebra')
         AND d @@ venture.keyword_query('zebra or ' || s) AS found
     FROM venture.profile_document('x', '{}', $1) d, unnest($2::text[]) s`,
    [text, searches.filter((search) => !/[\s"]/u.test(search))],
  );
  expect(found.filter((row) => !row.found)).toEqual([]);
  const [all] = await fixture.rows<{ found: boolean }>(
    `SELECT bool_and(venture.profile_document('x', '{}', $1) @@ venture.keyword_query(s)) AS found
     FROM unnest($2::text[]) s`,
    [text, searches],
  );
  expect(all).toEqual({ found: true });
});

test('keywords find every word of letters and digits, between whatever signs, or ask for another', async () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9éßıΣжЖ学习ไทкä]{1,6}$/u);
  const sign = fc.constantFrom(...' /.-_@:,;#+&\'"…™🚀（）·\n', '://', ' -', '., ', '½ ', '--');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, sign), { minLength: 1, maxLength: 12 }),
      async (parts) => {
        const text = parts.flat().join('').normalize('NFC');
        const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
        const lost = await fixture.rows(
          `SELECT w FROM unnest($2::text[]) w
         WHERE numnode(venture.keyword_query(w)) > 0
           AND NOT venture.profile_document('x', '{}', $1) @@ venture.keyword_query(w)`,
          [text, words],
        );
        expect(lost).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
