// Tests docs/spec/resources.md 4.14, 4.16.
// Tests docs/spec/signals.md 9.6, 9.7, 9.8.
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { closedAfterAll, createTestDatabase } from '@vcds/test-kit';
import { stages } from '@vcds/venture-model';
import pg from 'pg';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';

/** An id that ends in four digits. */
const id = (digits: string) => `'00000000-0000-4000-8000-00000000${digits}'`;
const [STARTUP, OTHER, FUND, PERSON] = [id('0001'), id('0002'), id('00f1'), id('00b1')];

// Without a publisher.
const database = await createTestDatabase();
const pool = new pg.Pool({ connectionString: database.url, max: 4 });
pool.on('error', () => undefined);
await closedAfterAll({ close: () => pool.end().then(() => database.drop()) });
await caused(
  `INSERT INTO startup (id, name) VALUES (${STARTUP}, 'One'), (${OTHER}, 'Two')`,
  `INSERT INTO fund (id, name) VALUES (${FUND}, 'Fund')`,
  `INSERT INTO person (id, name, role) VALUES (${PERSON}, 'Person', 'investor')`,
);
beforeEach(() => caused());

/**
 * Runs statements in one transaction. It removes and returns the changes in the outbox: type, last
 * digits of subject and object, revision, day (or `now`: the time of the write), amount, label.
 */
async function caused(...statements: readonly string[]): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query(`SET search_path = venture; BEGIN; ${statements.join(';')}; COMMIT`);
    const { rows } = await client.query<{ change: string }>(
      `WITH taken AS (DELETE FROM signal_outbox RETURNING *)
       SELECT concat_ws(' ', t.name, right(subject_id::text, 4), right(object_id::text, 4),
         'r' || revision, CASE WHEN now() - occurred_at < interval '5 minutes' THEN 'now'
           ELSE to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END, amount, label) AS change
       FROM taken JOIN signal_type t ON t.code = type ORDER BY serial`,
    );
    return rows.map(({ change }) => change);
  } finally {
    client.release(true);
  }
}

const types = (changes: readonly string[]) => changes.map((change) => change.split(' ')[0]);

describe('profiles', () => {
  test('a new one is added, with its market date or else the time of the write', async () => {
    const added = await caused(
      `INSERT INTO startup (id, name, occurred_at) VALUES (${id('0003')}, 'x', '2011-02-03Z')`,
      `INSERT INTO fund (id, name) VALUES (${id('00f3')}, 'x')`,
    );
    expect(added).toEqual(['startup.added 0003 r1 2011-02-03', 'fund.added 00f3 r1 now']);
  });

  test('every change is an update, a write without a change is not', async () => {
    const updates: string[] = [];
    for (const name of ['B', 'A', 'B', 'B']) {
      updates.push(...(await caused(`UPDATE startup SET name = '${name}' WHERE id = ${OTHER}`)));
    }
    expect(updates).toEqual([2, 3, 4].map((revision) => `startup.updated 0002 r${revision} now`));
    const same = await caused('UPDATE startup SET name = name', 'UPDATE fund SET name = name');
    expect(same).toEqual([]);
  });

  test('several writes in one transaction are one update', async () => {
    const twice = await caused(
      `UPDATE startup SET founded = 2001 WHERE id = ${STARTUP}`,
      `UPDATE startup SET founded = 2002 WHERE id = ${STARTUP}`,
      `UPDATE fund SET founded = 2001`,
      `UPDATE fund SET groups = '{Old}'`,
    );
    expect(twice.map((change) => change.split(' r')[0]).sort()).toEqual([
      'fund.updated 00f1',
      'fund.updated 00f3',
      'startup.updated 0001',
    ]);
    const entered = await caused(
      `INSERT INTO startup (id, name) VALUES (${id('0004')}, 'x')`,
      `UPDATE startup SET name = 'y' WHERE id = ${id('0004')}`,
    );
    expect(types(entered)).toEqual(['startup.added']);
    const later = await caused(`UPDATE startup SET name = 'z' WHERE id = ${id('0004')}`);
    expect(types(later)).toEqual(['startup.updated']);
  });

  test('a deletion and writes of deleted ones cause no signal; a restored one is added', async () => {
    const one = `WHERE id = ${id('0004')}`;
    expect(await caused(`UPDATE startup SET deleted_at = now() ${one}`)).toEqual([]);
    expect(await caused(`UPDATE startup SET name = 'away' ${one}`)).toEqual([]);
    const restored = await caused(`UPDATE startup SET deleted_at = NULL ${one}`);
    expect(types(restored)).toEqual(['startup.added']);
    const swapped = await caused(
      `UPDATE startup SET name = 'short' ${one}`,
      `UPDATE startup SET deleted_at = now() ${one}`,
      `UPDATE startup SET deleted_at = NULL ${one}`,
    );
    expect(types(swapped)).toEqual(['startup.updated', 'startup.added']);
  });

  test('derived columns of rounds, holdings and valuations are no change of a profile', async () => {
    const changes = await caused(
      `INSERT INTO funding_round (id, startup_id, date, stage, amount)
       VALUES (${id('00a9')}, ${STARTUP}, '2015-01-01', 4, 5)`,
      `INSERT INTO round_investor (round_id, fund_id) VALUES (${id('00a9')}, ${FUND})`,
      `INSERT INTO post_valuation (startup_id, date, amount) VALUES (${STARTUP}, '2015-01-01', 9)`,
    );
    expect(types(changes)).toEqual([
      'round.recorded',
      'investor.joined_round',
      'portfolio.company_added',
      'valuation.recorded',
    ]);
  });

  test('a derived operating status is a change of a profile', async () => {
    await caused(`INSERT INTO startup (id, name, operating_status_inferred)
      VALUES (${id('0005')}, 'quiet', 'ProbablyClosed')`);
    const woken = await caused(`INSERT INTO funding_round (startup_id, date)
      VALUES (${id('0005')}, current_date)`);
    expect(types(woken)).toEqual(['round.recorded', 'startup.updated']);
  });
});

describe('rounds', () => {
  const one = `WHERE id = ${id('00a1')}`;

  test('a confirmed one is recorded with its date; a corrected one is updated', async () => {
    expect(
      await caused(`INSERT INTO funding_round (id, startup_id, date, series, stage, amount)
        VALUES (${id('00a1')}, ${STARTUP}, '2019-05-06', 'Series AA', 4, 7000000)`),
    ).toEqual(['round.recorded 0001 00a1 r1 2019-05-06 7000000 Series AA']);
    expect(await caused(`UPDATE funding_round SET series = NULL ${one}`)).toEqual([
      'round.updated 0001 00a1 r2 2019-05-06 7000000 Series A',
    ]);
    expect(await caused(`UPDATE funding_round SET amount = amount ${one}`)).toEqual([]);
    expect(
      await caused(`UPDATE funding_round SET amount = 8, occurred_at = '2019-06-01Z' ${one}`),
    ).toEqual(['round.updated 0001 00a1 r3 2019-05-06 8 Series A']);
  });

  test('an unconfirmed one is recorded when it is confirmed', async () => {
    const unconfirmed = `WHERE id = ${id('00a2')}`;
    expect(
      await caused(`INSERT INTO funding_round (id, startup_id, date, confirmed)
        VALUES (${id('00a2')}, ${STARTUP}, '2020-01-01', false)`),
    ).toEqual([]);
    expect(await caused(`UPDATE funding_round SET amount = 1 ${unconfirmed}`)).toEqual([]);
    expect(await caused(`UPDATE funding_round SET confirmed = true ${unconfirmed}`)).toEqual([
      'round.recorded 0001 00a2 r3 2020-01-01 1',
    ]);
    const doubted = await caused(`UPDATE funding_round SET confirmed = false ${unconfirmed}`);
    expect(types(doubted)).toEqual(['round.updated']);
  });

  test('a deletion causes no signal; a restored one is recorded again', async () => {
    expect(await caused(`UPDATE funding_round SET deleted_at = now() ${one}`)).toEqual([]);
    const restored = await caused(`UPDATE funding_round SET deleted_at = NULL ${one}`);
    expect(types(restored)).toEqual(['round.recorded']);
  });

  test('a fund that joins later causes a signal with the date of the round; a person does not', async () => {
    const joined = await caused(`INSERT INTO round_investor (round_id, fund_id, person_id)
      VALUES (${id('00a1')}, ${FUND}, NULL), (${id('00a1')}, NULL, ${PERSON})`);
    expect(joined).toEqual(['investor.joined_round 00f1 00a1 r1 2019-05-06 8 Series A']);
    expect(await caused('UPDATE round_investor SET deleted_at = now()')).toEqual([]);
    const back = await caused(
      `UPDATE round_investor SET deleted_at = NULL WHERE round_id = ${id('00a1')}`,
    );
    expect(types(back)).toEqual(['investor.joined_round', 'portfolio.company_added']);
    expect(await caused('UPDATE round_investor SET lead = NOT lead')).toEqual([]);
  });
});

describe('holdings, valuations, teams, news', () => {
  test('a company is added to a portfolio, and its exit is recorded', async () => {
    const one = `WHERE startup_id = ${OTHER}`;
    const holding = (columns: string, values: string) =>
      caused(`INSERT INTO holding (fund_id, startup_id, ${columns}) VALUES (${FUND}, ${values})`);
    expect(await holding('first_investment_date', `${OTHER}, '2018-01-01'`)).toEqual([
      'portfolio.company_added 00f1 0002 r1 2018-01-01',
    ]);
    expect(await caused(`UPDATE holding SET status = 'Exited' ${one}`)).toEqual([
      'portfolio.exit_recorded 00f1 0002 r2 now',
    ]);
    expect(types(await caused(`UPDATE holding SET status = 'Acquired' ${one}`))).toEqual([
      'portfolio.exit_recorded',
    ]);
    expect(await caused(`UPDATE holding SET status = 'Held', stated = false ${one}`)).toEqual([]);
    const values = `${id('0004')}, '2018-01-01', 'Acquired'`;
    expect(await holding('first_investment_date, status', values)).toEqual([
      'portfolio.company_added 00f1 0004 r1 2018-01-01',
      'portfolio.exit_recorded 00f1 0004 r1 now',
    ]);
    const dated = `${id('0003')}, 'Exited', '2022-01-01Z'`;
    expect(await holding('status, occurred_at', dated)).toEqual([
      'portfolio.company_added 00f1 0003 r1 2022-01-01',
      'portfolio.exit_recorded 00f1 0003 r1 2022-01-01',
    ]);
  });

  test('a valuation is recorded, and again when its amount or date is corrected', async () => {
    const one = `WHERE id = ${id('00e1')}`;
    expect(
      await caused(`INSERT INTO post_valuation (id, startup_id, date, amount)
        VALUES (${id('00e1')}, ${OTHER}, '2018-03-01', 100)`),
    ).toEqual(['valuation.recorded 0002 00e1 r1 2018-03-01 100']);
    expect(await caused(`UPDATE post_valuation SET amount = 120 ${one}`)).toEqual([
      'valuation.recorded 0002 00e1 r2 2018-03-01 120',
    ]);
    expect(await caused(`UPDATE post_valuation SET estimated = true ${one}`)).toEqual([]);
    const back = await caused(
      `UPDATE post_valuation SET deleted_at = now() ${one}`,
      `UPDATE post_valuation SET deleted_at = NULL ${one}`,
    );
    expect(types(back)).toEqual(['valuation.recorded']);
  });

  test('a person is added to a team once, and again after a deletion; a new title is no signal', async () => {
    expect(
      await caused(`INSERT INTO fund_person (fund_id, person_id, title, since)
        VALUES (${FUND}, ${PERSON}, 'Partner', '2017-01-01')`),
    ).toEqual(['team.person_added 00f1 00b1 r1 2017-01-01']);
    expect(await caused(`UPDATE fund_person SET title = 'Venture Partner'`)).toEqual([]);
    expect(await caused('UPDATE fund_person SET deleted_at = now()')).toEqual([]);
    const back = await caused('UPDATE fund_person SET deleted_at = NULL');
    expect(types(back)).toEqual(['team.person_added']);
  });

  test('news mentions its startup and fund, also if they are set later', async () => {
    const mentioned = await caused(
      `INSERT INTO news (id, title, date) VALUES (${id('00c1')}, 'None', '2016-01-01')`,
      `INSERT INTO news (id, title, date, startup_id, fund_id)
       VALUES (${id('00c2')}, 'Both', '2016-01-01', ${STARTUP}, ${FUND})`,
    );
    expect(mentioned).toEqual([
      'news.mention 0001 00c2 r1 2016-01-01',
      'news.mention 00f1 00c2 r1 2016-01-01',
    ]);
    const linked = await caused(
      `UPDATE news SET startup_id = ${OTHER} WHERE id IN (${id('00c1')}, ${id('00c2')})`,
    );
    expect(linked.sort()).toEqual([
      'news.mention 0002 00c1 r2 2016-01-01',
      'news.mention 0002 00c2 r2 2016-01-01',
    ]);
    expect(await caused(`UPDATE news SET title = title || '!'`)).toEqual([]);
  });
});

describe('relations', () => {
  const [round, again] = [id('00a6'), id('00a7')];

  beforeAll(() =>
    caused(
      `INSERT INTO startup (id, name) VALUES (${id('0006')}, 'Six')`,
      `INSERT INTO fund (id, name) VALUES (${id('00f6')}, 'Six')`,
      `INSERT INTO person (id, name) VALUES (${id('00b6')}, 'Six')`,
      `INSERT INTO funding_round (id, startup_id)
       VALUES (${round}, ${id('0006')}), (${again}, ${id('0006')})`,
      `INSERT INTO round_investor (round_id, fund_id) VALUES (${round}, ${id('00f6')})`,
      `INSERT INTO startup_person (startup_id, person_id) VALUES (${id('0006')}, ${id('00b6')})`,
      `INSERT INTO fund_person (fund_id, person_id) VALUES (${id('00f6')}, ${id('00b6')})`,
    ),
  );

  test.each([
    ['round_investor', 'round_id', again],
    ['round_investor', 'fund_id', FUND],
    ['round_investor', 'fund_id', `NULL, person_id = ${PERSON}`],
    ['holding', 'fund_id', FUND],
    ['holding', 'startup_id', OTHER],
    ['startup_person', 'startup_id', OTHER],
    ['startup_person', 'person_id', PERSON],
    ['fund_person', 'fund_id', FUND],
    ['fund_person', 'person_id', PERSON],
  ])('of the table %s keep their %s', async (table, column, value) => {
    const [of, key] = table === 'startup_person' ? ['startup_id', '0006'] : ['fund_id', '00f6'];
    const set = (to: string) =>
      caused(`UPDATE ${table} SET ${column} = ${to} WHERE ${of} = ${id(key)}`);
    await expect(set(value)).rejects.toMatchObject({
      code: '23001',
      message: expect.stringMatching(/_id of venture\.\w+ identify the row and never change$/u),
      hint: 'Add a new row, and delete this one by setting deleted_at.',
    });
    expect(await set(column)).toEqual([]);
  });
});

test('a rolled-back write causes no signal, nor do records without a signal type', async () => {
  await pool.query(`BEGIN; INSERT INTO venture.startup (name) VALUES ('gone'); ROLLBACK`);
  const nothing = await caused(
    `INSERT INTO person (name) VALUES ('p')`,
    `INSERT INTO startup_person (startup_id, person_id) VALUES (${STARTUP}, ${PERSON})`,
    `INSERT INTO reference (startup_id, field, fact_source) VALUES (${STARTUP}, 'Name', 'x')`,
  );
  expect(nothing).toEqual([]);
});

test('the database has the signal types, numbers and labels of stages of the service', async () => {
  const { rows } = await pool.query(
    'SELECT code::int, name FROM venture.signal_type ORDER BY code',
  );
  expect(rows).toEqual(SIGNAL_TYPES.map(({ code, name }) => ({ code, name })));
  const labels = await pool.query<{ label: string }>(
    `SELECT venture.round_label(NULL, s::smallint) AS label FROM generate_series(1, 22) s`,
  );
  expect(labels.rows.map(({ label }) => label)).toEqual(stages.map(({ label }) => label));
});

test('the sequence of the outbox caches no numbers', async () => {
  const { rows } = await pool.query(
    `SELECT seqcache::int AS cached FROM pg_sequence
     WHERE seqrelid = 'venture.signal_outbox_serial_seq'::regclass`,
  );
  expect(rows).toEqual([{ cached: 1 }]);
});
