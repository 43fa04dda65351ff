import { beforeAll, expect, test } from '@jest/globals';
import type { Query } from '../support/api.ts';
import { openMatchingApi } from './matching-api.ts';

const { api, fill, train, serves, match, ids } = await openMatchingApi();

beforeAll(async () => {
  await fill();
  await serves((await train())?.version);
});

/** The ids of the hits. */
const found = async (query: Query) =>
  (await match({ top: '100', ...query })).map(({ Fund, Startup }) => (Fund ?? Startup)?.Id);

test('companies that have invested are left out unless they are included', async () => {
  const { rows } = await api.sql.query<{ startup: string; fund: string }>(
    `SELECT h.startup_id AS startup, h.fund_id AS fund FROM venture.holding h
     JOIN venture.fund f ON f.id = h.fund_id JOIN venture.startup s ON s.id = h.startup_id
     WHERE h.deleted_at IS NULL AND h.rounds_count > 0
       AND f.deleted_at IS NULL AND f.operating_status IS DISTINCT FROM 'Closed'
       AND s.deleted_at IS NULL AND s.operating_status IS DISTINCT FROM 'Closed'
     ORDER BY h.startup_id, h.fund_id LIMIT 5`,
  );
  for (const { startup, fund } of rows) {
    expect(await found({ startup })).not.toContain(fund);
    expect(await found({ fund })).not.toContain(startup);
    expect(await found({ startup, include: 'current' })).toContain(fund);
  }
});

test('an investment that was deleted after the training leaves out nothing', async () => {
  const { rows } = await api.sql.query<{ startup: string; fund: string }>(
    `SELECT h.startup_id AS startup, h.fund_id AS fund FROM venture.holding h
     JOIN venture.fund f ON f.id = h.fund_id JOIN venture.startup s ON s.id = h.startup_id
     WHERE h.deleted_at IS NULL AND h.rounds_count > 0 AND NOT h.stated
       AND f.deleted_at IS NULL AND f.operating_status IS DISTINCT FROM 'Closed'
       AND s.deleted_at IS NULL AND s.operating_status IS DISTINCT FROM 'Closed'
     ORDER BY h.startup_id DESC, h.fund_id LIMIT 1`,
  );
  const { startup = '', fund = '' } = rows[0] ?? {};
  const setDeleted = (deletedAt: string) =>
    api.sql.query(
      `UPDATE venture.round_investor p SET deleted_at = ${deletedAt} FROM venture.funding_round r
       WHERE r.id = p.round_id AND r.startup_id = $1 AND p.fund_id = $2`,
      [startup, fund],
    );
  expect(await found({ startup })).not.toContain(fund);
  await setDeleted('now()');
  expect(await found({ startup })).toContain(fund);
  await setDeleted('NULL');
  expect(await found({ startup })).not.toContain(fund);
});

test('a fund that was closed at the training and reopened is returned', async () => {
  const first = (await match({ country: 'Germany' }))[0]?.Fund?.Id ?? '';
  const state = (status: string | null) =>
    api.sql.query('UPDATE venture.fund SET operating_status_stated = $2 WHERE id = $1', [
      ...[first, status],
    ]);
  await state('Closed');
  const trained = await train();
  await serves(trained?.version);
  expect(await found({ country: 'Germany' })).not.toContain(first);
  await state('Active');
  expect(await found({ country: 'Germany' })).toContain(first);
});

test('closed and deleted funds are left out, also those of which the model does not know it', async () => {
  const [first, second, third] = (await match({ country: 'Germany' })).map(({ Fund }) => Fund?.Id);
  await api.sql.query("UPDATE venture.fund SET operating_status_stated = 'Closed' WHERE id = $1", [
    first,
  ]);
  await api.sql.query('UPDATE venture.fund SET deleted_at = now() WHERE id = $1', [second]);
  const hits = await match({ country: 'Germany' });
  expect(hits[0]?.Fund?.Id).toBe(third);
  expect(hits).toHaveLength(25);
  const closed = await ids("SELECT id FROM venture.fund WHERE operating_status = 'Closed'");
  const all = (await match({ country: 'Germany', top: '100' })).map(({ Fund }) => Fund?.Id);
  expect(all.filter((id) => closed.includes(id ?? ''))).toEqual([]);
});
