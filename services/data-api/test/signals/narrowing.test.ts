import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Feed, openFeed } from './support/feed.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
  const lines = [
    { type: 'startup', key: 'fr', Name: 'Paris', Country: 'France', Tags: ['Fintech', 'AI'] },
    { type: 'startup', key: 'de', Name: 'Berlin', Country: 'Germany', Tags: ['AI'] },
    {
      type: 'fund',
      key: 'us',
      Name: 'North',
      Country: 'United States',
      InvestmentTypes: ['Accelerator'],
    },
    {
      type: 'fund',
      key: 'uk',
      Name: 'South',
      Country: 'United Kingdom',
      InvestmentTypes: ['VentureFund'],
    },
    { type: 'person', key: 'p', Name: 'Ada' },
    {
      type: 'round',
      key: 'a',
      Startup: { key: 'fr' },
      Date: '2021-01-01',
      Series: 'Series A',
      Stage: 'SeriesA',
      Investors: [{ type: 'fund', key: 'us' }],
    },
    {
      type: 'round',
      key: 'b',
      Startup: { key: 'de' },
      Date: '2022-01-01',
      Series: 'Seed',
      Stage: 'Seed',
    },
    { type: 'fund_person', Fund: { key: 'us' }, Person: { key: 'p' } },
    { type: 'news', key: 'n', Title: 'Both', Startup: { key: 'fr' }, Fund: { key: 'uk' } },
  ];
  await feed.importLines(lines.map((line) => ({ source: 't', ...line })));
  await feed.published();
});
afterAll(() => feed.close());

/** What is told, as `type subject`. */
async function told(query: Readonly<Record<string, string>>): Promise<string[]> {
  const { signals } = await feed.follow({ expand: 'subject', ...query });
  return signals.map(({ type, subject }) => `${type} ${subject.name}`).sort();
}

test('a dimension of the subject narrows by the subject', async () => {
  expect(await told({ country: 'France' })).toEqual([
    'news.mention Paris',
    'round.recorded Paris',
    'startup.added Paris',
  ]);
  expect(await told({ country: 'United States' })).toEqual([
    'fund.added North',
    'investor.joined_round North',
    'portfolio.company_added North',
    'team.person_added North',
  ]);
  expect(await told({ industry: 'Fintech,AI', types: 'startup.added' })).toEqual([
    'startup.added Berlin',
    'startup.added Paris',
  ]);
});

test('one that is not narrows by the object, or leaves the signal out', async () => {
  expect(await told({ stage: 'Series A' })).toEqual([
    'investor.joined_round North',
    'news.mention Paris',
    'portfolio.company_added North',
    'round.recorded Paris',
    'startup.added Paris',
  ]);
  expect(await told({ investor_type: 'accelerator' })).toEqual([
    'fund.added North',
    'investor.joined_round North',
    'portfolio.company_added North',
    'round.recorded Paris',
    'team.person_added North',
  ]);
  expect(await told({ round_year: '2022' })).toEqual(['round.recorded Berlin']);
});

test('several narrow together, each by what it is a fact of', async () => {
  expect(await told({ country: 'United States', stage: 'series-a' })).toEqual([
    'investor.joined_round North',
    'portfolio.company_added North',
  ]);
  expect(await told({ country: 'United States', stage: 'Seed' })).toEqual([]);
});

test('types to which a dimension cannot apply are an empty page with a cursor', async () => {
  expect(await feed.page({ types: 'fund.added,team.person_added', stage: 'Seed' })).toEqual({
    signals: [],
    nextCursor: expect.any(String),
    hasMore: false,
    order: 'desc',
  });
});

test('few subjects in a long feed are found by their own index', async () => {
  const { rows } = await feed.api.sql.query<{ last: number }>(
    'SELECT max(position)::int AS last FROM venture.signal',
  );
  await feed.api.sql.query(
    `INSERT INTO venture.signal
       (detected_at, position, id, type, subject_type, subject_id, occurred_at)
     SELECT now() + n * interval '1 microsecond', $1::int + n, gen_random_uuid(), 7, 1,
       gen_random_uuid(), now() FROM generate_series(1, 30000) n`,
    [rows[0]?.last],
  );
  await feed.importLines([
    { op: 'patch', type: 'startup', source: 't', key: 'de', Founded: 2001 },
    { op: 'patch', type: 'startup', source: 't', key: 'fr', Founded: 2001 },
  ]);
  await feed.published();
  expect(await told({ country: 'Germany' })).toEqual([
    'round.recorded Berlin',
    'startup.added Berlin',
    'startup.updated Berlin',
  ]);
  const page = await feed.page({ country: 'Germany', order: 'asc', limit: '2' });
  expect(page).toMatchObject({ hasMore: true, signals: [{}, {}] });
});
