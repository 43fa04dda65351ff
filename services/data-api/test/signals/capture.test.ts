import { beforeEach, describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { stages } from '@vcds/venture-model';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { type Change, id, openOutbox } from './support/outbox.ts';

const [STARTUP, OTHER, FUND, PERSON] = [id('0001'), id('0002'), id('00f1'), id('00b1')];

const fixture = await closedAfterAll(openOutbox());
await fixture.write(
  `INSERT INTO startup (id, name) VALUES (${STARTUP}, 'One'), (${OTHER}, 'Two')`,
  `INSERT INTO fund (id, name) VALUES (${FUND}, 'Fund')`,
  `INSERT INTO person (id, name, role) VALUES (${PERSON}, 'Person', 'investor')`,
);
beforeEach(async () => {
  await fixture.changes();
});

/** Writes in one transaction, and returns the changes in the outbox. */
async function caused(...statements: readonly string[]): Promise<Change[]> {
  await fixture.write(...statements);
  return fixture.changes();
}

const types = (changes: readonly Change[]) => changes.map(({ type }) => type);
const PLAIN = { object: null, amount: null, label: null } as const;

describe('profiles', () => {
  test('a new one is added, with its market date or else the time of the write', async () => {
    expect(
      await caused(
        `INSERT INTO startup (id, name, occurred_at) VALUES (${id('0003')}, 'x', '2011-02-03Z')`,
        `INSERT INTO fund (id, name) VALUES (${id('00f3')}, 'x')`,
      ),
    ).toEqual([
      { type: 'startup.added', subject: '0003', revision: 1, occurred: '2011-02-03', ...PLAIN },
      { type: 'fund.added', subject: '00f3', revision: 1, occurred: 'written', ...PLAIN },
    ]);
  });

  test('every change is an update, a write without a change is not', async () => {
    const updates: Change[] = [];
    for (const name of ['B', 'A', 'B', 'B']) {
      updates.push(...(await caused(`UPDATE startup SET name = '${name}' WHERE id = ${OTHER}`)));
    }
    expect(updates.map(({ type, revision }) => [type, revision])).toEqual([
      ['startup.updated', 2],
      ['startup.updated', 3],
      ['startup.updated', 4],
    ]);
    expect(await caused('UPDATE startup SET name = name', 'UPDATE fund SET name = name')).toEqual(
      [],
    );
  });

  test('several writes in one transaction are one update', async () => {
    const twice = await caused(
      `UPDATE startup SET founded = 2001 WHERE id = ${STARTUP}`,
      `UPDATE startup SET founded = 2002 WHERE id = ${STARTUP}`,
      `UPDATE fund SET founded = 2001`,
      `UPDATE fund SET groups = '{Old}'`,
    );
    expect(twice.map(({ type, subject }) => [type, subject])).toEqual(
      expect.arrayContaining([
        ['startup.updated', '0001'],
        ['fund.updated', '00f1'],
        ['fund.updated', '00f3'],
      ]),
    );
    expect(twice).toHaveLength(3);
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
    expect(types(await caused(`UPDATE startup SET deleted_at = NULL ${one}`))).toEqual([
      'startup.added',
    ]);
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
  const round = { subject: '0001', object: '00a1', amount: 7_000_000 } as const;

  test('a confirmed one is recorded with its date; a corrected one is updated', async () => {
    expect(
      await caused(`INSERT INTO funding_round (id, startup_id, date, series, stage, amount)
        VALUES (${id('00a1')}, ${STARTUP}, '2019-05-06', 'Series AA', 4, 7000000)`),
    ).toEqual([
      {
        type: 'round.recorded',
        ...round,
        revision: 1,
        occurred: '2019-05-06',
        label: 'Series AA',
      },
    ]);
    const one = `WHERE id = ${id('00a1')}`;
    expect(await caused(`UPDATE funding_round SET series = NULL ${one}`)).toEqual([
      { type: 'round.updated', ...round, revision: 2, occurred: 'written', label: 'Series A' },
    ]);
    expect(await caused(`UPDATE funding_round SET amount = amount ${one}`)).toEqual([]);
    expect(
      await caused(`UPDATE funding_round SET amount = 8, occurred_at = '2019-06-01Z' ${one}`),
    ).toMatchObject([{ type: 'round.updated', revision: 3, occurred: '2019-06-01', amount: 8 }]);
  });

  test('an unconfirmed one is recorded when it is confirmed', async () => {
    expect(
      await caused(`INSERT INTO funding_round (id, startup_id, date, confirmed)
        VALUES (${id('00a2')}, ${STARTUP}, '2020-01-01', false)`),
    ).toEqual([]);
    const one = `WHERE id = ${id('00a2')}`;
    expect(await caused(`UPDATE funding_round SET amount = 1 ${one}`)).toEqual([]);
    expect(await caused(`UPDATE funding_round SET confirmed = true ${one}`)).toMatchObject([
      { type: 'round.recorded', occurred: '2020-01-01', amount: 1, label: null },
    ]);
    expect(types(await caused(`UPDATE funding_round SET confirmed = false ${one}`))).toEqual([
      'round.updated',
    ]);
  });

  test('a deletion causes no signal; a restored one is recorded again', async () => {
    const one = `WHERE id = ${id('00a1')}`;
    expect(await caused(`UPDATE funding_round SET deleted_at = now() ${one}`)).toEqual([]);
    expect(types(await caused(`UPDATE funding_round SET deleted_at = NULL ${one}`))).toEqual([
      'round.recorded',
    ]);
  });

  test('a fund that joins later causes a signal with the date of the round; a person does not', async () => {
    const changes = await caused(
      `INSERT INTO round_investor (round_id, fund_id, person_id)
       VALUES (${id('00a1')}, ${FUND}, NULL), (${id('00a1')}, NULL, ${PERSON})`,
    );
    expect(changes).toEqual([
      {
        type: 'investor.joined_round',
        subject: '00f1',
        object: '00a1',
        revision: 1,
        occurred: '2019-05-06',
        amount: 8,
        label: 'Series A',
      },
    ]);
    const deleted = await caused('UPDATE round_investor SET deleted_at = now()');
    expect(deleted).toEqual([]);
    const back = await caused(
      `UPDATE round_investor SET deleted_at = NULL WHERE round_id = ${id('00a1')}`,
    );
    expect(types(back)).toEqual(['investor.joined_round', 'portfolio.company_added']);
    expect(await caused('UPDATE round_investor SET lead = NOT lead')).toEqual([]);
  });
});

describe('holdings, valuations, teams, news', () => {
  test('a company is added to a portfolio, and its exit is recorded', async () => {
    expect(
      await caused(`INSERT INTO holding (fund_id, startup_id, first_investment_date)
        VALUES (${FUND}, ${OTHER}, '2018-01-01')`),
    ).toMatchObject([
      { type: 'portfolio.company_added', subject: '00f1', object: '0002', occurred: '2018-01-01' },
    ]);
    const one = `WHERE startup_id = ${OTHER}`;
    expect(await caused(`UPDATE holding SET status = 'Exited' ${one}`)).toMatchObject([
      { type: 'portfolio.exit_recorded', object: '0002', occurred: 'written' },
    ]);
    expect(types(await caused(`UPDATE holding SET status = 'Acquired' ${one}`))).toEqual([
      'portfolio.exit_recorded',
    ]);
    expect(await caused(`UPDATE holding SET status = 'Held', stated = false ${one}`)).toEqual([]);
    const ended =
      await caused(`INSERT INTO holding (fund_id, startup_id, first_investment_date, status)
      VALUES (${FUND}, ${id('0004')}, '2018-01-01', 'Acquired')`);
    expect(ended).toMatchObject([
      { type: 'portfolio.company_added', occurred: '2018-01-01' },
      { type: 'portfolio.exit_recorded', occurred: 'written' },
    ]);
    const dated = await caused(`INSERT INTO holding (fund_id, startup_id, status, occurred_at)
      VALUES (${FUND}, ${id('0003')}, 'Exited', '2022-01-01Z')`);
    expect(dated).toMatchObject([{ occurred: '2022-01-01' }, { occurred: '2022-01-01' }]);
  });

  test('a valuation is recorded, and again when its amount or date is corrected', async () => {
    const first = await caused(`INSERT INTO post_valuation (id, startup_id, date, amount)
      VALUES (${id('00e1')}, ${OTHER}, '2018-03-01', 100)`);
    expect(first).toMatchObject([
      { type: 'valuation.recorded', subject: '0002', object: '00e1', amount: 100, label: null },
    ]);
    const one = `WHERE id = ${id('00e1')}`;
    expect(await caused(`UPDATE post_valuation SET amount = 120 ${one}`)).toMatchObject([
      { type: 'valuation.recorded', revision: 2, amount: 120, occurred: '2018-03-01' },
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
    ).toMatchObject([
      { type: 'team.person_added', subject: '00f1', object: '00b1', occurred: '2017-01-01' },
    ]);
    expect(await caused(`UPDATE fund_person SET title = 'Venture Partner'`)).toEqual([]);
    expect(await caused('UPDATE fund_person SET deleted_at = now()')).toEqual([]);
    expect(types(await caused('UPDATE fund_person SET deleted_at = NULL'))).toEqual([
      'team.person_added',
    ]);
  });

  test('news mentions its startup and fund, also if they are set later', async () => {
    expect(
      await caused(
        `INSERT INTO news (id, title, date) VALUES (${id('00c1')}, 'None', '2016-01-01')`,
        `INSERT INTO news (id, title, date, startup_id, fund_id)
         VALUES (${id('00c2')}, 'Both', '2016-01-01', ${STARTUP}, ${FUND})`,
      ),
    ).toMatchObject([
      { type: 'news.mention', subject: '0001', object: '00c2', occurred: '2016-01-01' },
      { type: 'news.mention', subject: '00f1', object: '00c2', occurred: '2016-01-01' },
    ]);
    const linked = await caused(
      `UPDATE news SET startup_id = ${OTHER} WHERE id IN (${id('00c1')}, ${id('00c2')})`,
    );
    expect(linked.map(({ subject, object }) => [subject, object]).sort()).toEqual([
      ['0002', '00c1'],
      ['0002', '00c2'],
    ]);
    expect(await caused(`UPDATE news SET title = title || '!'`)).toEqual([]);
  });
});

test('a rolled-back write causes no signal, nor do records without a signal type', async () => {
  const client = await fixture.pool.connect();
  await client.query(`BEGIN; INSERT INTO venture.startup (name) VALUES ('gone'); ROLLBACK`);
  client.release();
  const nothing = await caused(
    `INSERT INTO person (name) VALUES ('p')`,
    `INSERT INTO startup_person (startup_id, person_id) VALUES (${STARTUP}, ${PERSON})`,
    `INSERT INTO reference (startup_id, field, fact_source) VALUES (${STARTUP}, 'Name', 'x')`,
  );
  expect(nothing).toEqual([]);
});

test('the database has the signal types, numbers and labels of stages of the service', async () => {
  const { rows } = await fixture.pool.query(
    'SELECT code::int, name FROM venture.signal_type ORDER BY code',
  );
  expect(rows).toEqual(SIGNAL_TYPES.map(({ code, name }) => ({ code, name })));
  const labels = await fixture.pool.query<{ label: string }>(
    `SELECT venture.round_label(NULL, s::smallint) AS label FROM generate_series(1, 22) s`,
  );
  expect(labels.rows.map(({ label }) => label)).toEqual(stages.map(({ label }) => label));
});

test('the sequence of the outbox caches no numbers', async () => {
  const { rows } = await fixture.pool.query(
    `SELECT seqcache::int AS cached FROM pg_sequence
     WHERE seqrelid = 'venture.signal_outbox_serial_seq'::regclass`,
  );
  expect(rows).toEqual([{ cached: 1 }]);
});
