// Tests docs/spec/resources.md 4.10.
// Tests docs/spec/collections.md 6.3.
/** The elements of expanded relations. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { compileRecord } from '../../src/collections/read-record.ts';
import { resources } from '../../src/resources/index.ts';
import { chargedOf, errorOf, openApi } from '../support/api.ts';
import { seedId } from '../support/collections.ts';
import { executed } from '../support/executed.ts';

const api = await closedAfterAll(openApi());

describe('a list of an expanded relation', () => {
  const [fund, startup, person, round] = ['fund1', 'startup1', 'person1', 'round5'].map(seedId);
  const id = (prefix: string) => `md5('${prefix}' || i)::uuid`;
  // 230 related records each, also some with equal and unknown dates.
  const since = `CASE WHEN i % 9 > 0 THEN date '2020-01-01' + i / 3 END`;
  const many = 'FROM generate_series(1000, 1229) AS i';

  beforeAll(async () => {
    await api.sql.query(`
      INSERT INTO venture.fund (id, name) SELECT ${id('fund')}, 'Fund ' || i ${many};
      INSERT INTO venture.startup (id, name) SELECT ${id('startup')}, 'Startup ' || i ${many};
      INSERT INTO venture.person (id, name) SELECT ${id('person')}, 'Person ' || i ${many};
      INSERT INTO venture.holding (fund_id, startup_id, stated, last_investment_date)
        SELECT '${fund}', ${id('startup')}, true, ${since} ${many};
      INSERT INTO venture.holding (fund_id, startup_id, stated, last_investment_date)
        SELECT ${id('fund')}, '${startup}', true, ${since} ${many};
      INSERT INTO venture.funding_round (startup_id, date) SELECT '${startup}', ${since} ${many};
      INSERT INTO venture.startup_person (startup_id, person_id, since)
        SELECT '${startup}', ${id('person')}, ${since} ${many};
      INSERT INTO venture.fund_person (fund_id, person_id, since)
        SELECT '${fund}', ${id('person')}, ${since} ${many};
      INSERT INTO venture.startup_person (startup_id, person_id, since)
        SELECT ${id('startup')}, '${person}', ${since} ${many};
      INSERT INTO venture.fund_person (fund_id, person_id, since)
        SELECT ${id('fund')}, '${person}', ${since} ${many};
      INSERT INTO venture.round_investor (round_id, fund_id) SELECT '${round}', ${id('fund')} ${many};
      UPDATE venture.startup SET tags = ARRAY(SELECT 'Tag ' || i ${many}) WHERE id = '${startup}'`);
  });

  const ROUND = `/startups/fundingrounds?$filter=Id eq ${round}`;
  test.each([
    [`/funds/${fund}?`, 'Startups', `/funds/${fund}/portfolio?$orderby=LastInvestmentDate desc`],
    [`/funds/${fund}?`, 'Persons', `/funds/${fund}/persons?$orderby=Since desc`],
    [`/startups?$filter=Id eq ${startup}`, 'Funds', undefined],
    [
      `/startups/${startup}?`,
      'FundingRounds',
      `/startups/${startup}/fundingrounds?$orderby=Date desc`,
    ],
    [`/startups/${startup}?`, 'Persons', `/startups/${startup}/persons?$orderby=Since desc`],
    [`/startups/${startup}?`, 'Tags', undefined],
    [`/startups/${seedId('startup1000')}/persons?$filter=Id eq ${person}`, 'Startups', undefined],
    [`/persons/${person}?`, 'Funds', undefined],
    [ROUND, 'Investors', undefined],
  ])(
    '%s has the first 100 %s, newest first, and the links to the others',
    async (path, name, whole) => {
      const elements: Record<string, unknown>[] = [];
      let url: string | undefined = `${path}&$expand=${name}`;
      for (let left = 3; url !== undefined; left--) {
        const { body, status } = await api.get(url);
        expect([status, left > 0]).toEqual([200, true]);
        const record = [body].flat()[0] as Record<string, unknown>;
        const list = record[name] as Record<string, unknown>[];
        expect(list.length).toBeLessThanOrEqual(100);
        elements.push(...list);
        url = (record[`${name}@nextLink`] as string | undefined)?.split('/v2')[1];
        expect(record[`${name}@count`]).toBeGreaterThanOrEqual(230);
        if (url === undefined) expect(record[`${name}@count`]).toBe(elements.length);
      }
      expect(new Set(elements.map((each) => JSON.stringify(each))).size).toBe(elements.length);
      if (whole === undefined) return;
      const listed = (await api.list(`${whole}&$top=5000`)) as {
        Id?: string;
        Startup: { Id: string };
      }[];
      expect(elements.map(({ Id }) => Id)).toEqual(
        listed.map(({ Id, Startup }) => Id ?? Startup.Id),
      );
    },
  );

  test('has the number of records that ($top=n) asks for, and the link to the others', async () => {
    const whole = await api.get(`/startups/${startup}?$expand=FundingRounds,Tags`);
    const { FundingRounds, Tags } = whole.body as Record<string, unknown[]>;
    const page = async (url: string) => {
      const { body } = await api.get(url);
      return [body].flat()[0] as Record<string, unknown>;
    };
    const first = await page(
      `/startups?$filter=Id eq ${startup}&$expand=FundingRounds($top=3),Tags($top=1)`,
    );
    expect(first).toMatchObject({
      ...{ FundingRounds: FundingRounds?.slice(0, 3), Tags: Tags?.slice(0, 1) },
      ...{ 'FundingRounds@count': expect.any(Number), 'Tags@count': 230 },
    });
    const link = String(first['FundingRounds@nextLink']).split('/v2')[1] ?? '';
    expect(decodeURIComponent(link)).toContain('FundingRounds($skip=3;$top=3)');
    expect((await page(link)).FundingRounds).toEqual(FundingRounds?.slice(3, 6));
  });

  test('is whole and without further members up to 100', async () => {
    const records = await api.list('/startups?$top=100&$expand=Funds,Persons,FundingRounds,Tags');
    const others = records.filter(({ Id }) => Id !== startup);
    expect(
      others.flatMap((record) => Object.keys(record)).filter((key) => key.includes('@')),
    ).toEqual([]);
  });

  test('of a large portfolio costs what that of a small one costs', async () => {
    const ofFund = (name: string, startups: number) => `
      INSERT INTO venture.fund (id, name) VALUES (md5('${name}')::uuid, '${name}');
      INSERT INTO venture.holding (fund_id, startup_id, last_investment_date)
        SELECT md5('${name}')::uuid, md5('of portfolios' || i)::uuid, date '2020-01-01' + i % 500
        FROM generate_series(1, ${startups}) AS i;
      INSERT INTO venture.fund_computed (id, latest_investments, startups_count)
        VALUES (md5('${name}')::uuid, '{}', ${startups})`;
    await api.sql.query(`SET session_replication_role = replica;
      INSERT INTO venture.startup (id, name)
        SELECT md5('of portfolios' || i)::uuid, 'S ' || i FROM generate_series(1, 4000) AS i;
      ${ofFund('small', 200)}; ${ofFund('large', 4_000)};
      RESET session_replication_role; ANALYZE venture.holding`);
    const relation = resources.fund.relations.get('Startups');
    const expands = relation === undefined ? [] : [{ ...relation, skip: 0, top: 100 }];
    const plan = { resource: resources.fund, fields: [], expands } as const;
    const read = async (name: string) => {
      const { rows } = await api.sql.query('SELECT md5($1)::uuid AS id', [name]);
      const statement = compileRecord({ ...plan, id: rows[0].id, recordCall: '/funds/{id}' }, '');
      return (await executed(api.sql, statement, statement.plan)).buffers;
    };
    expect(await read('large')).toBeLessThan(2 * (await read('small')));
  });

  test('limits the related records of a page, without a charge', async () => {
    // 510 funds with 100 startups each.
    await api.sql.query(`
      SET session_replication_role = replica;
      INSERT INTO venture.fund (id, name)
        SELECT md5('large' || n)::uuid, 'Large ' || n FROM generate_series(1, 510) AS n;
      INSERT INTO venture.holding (fund_id, startup_id, stated)
        SELECT md5('large' || n)::uuid, ${id('startup')}, true
        FROM generate_series(1, 510) AS n, generate_series(1000, 1099) AS i;
      RESET session_replication_role`);
    const large = `/funds?$filter=Name like 'Large %25'&$expand=`;
    for (const path of [
      `${large}Startups($skip=90)&$top=5000`,
      `${large}Persons&$top=5000`,
      '/startups?$expand=Funds,Persons,FundingRounds,Tags&$top=1000',
    ]) {
      const { status, body } = await api.get(path);
      expect([path, status, (body as unknown[]).length > 100]).toEqual([path, 200, true]);
    }
    for (const [path, allowed] of [
      [`${large}Startups&$top=501`, '500'],
      [`${large}Persons,Startups&$top=5000&$orderby=InvestmentsCount desc,Name`, '250'],
    ] as const) {
      const reply = await api.get(path);
      expect(errorOf(reply)).toMatchObject({
        ...{ code: 'bad_parameter', parameter: '$top', suggestion: allowed },
      });
      expect(chargedOf(reply)).toBe(0);
    }
  });
});
