import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { MATCH_FIELDS } from '../../src/search/search-request.ts';
import { openSearchFixture } from './support/search-fixture.ts';

const ID = '11111111-1111-4111-8111-111111111111';

const fixture = await closedAfterAll(openSearchFixture());
await fixture.sql.query(
  `INSERT INTO venture.fund (id, name, website, domain, description, logo_url, tags, addresses)
   VALUES ($1, 'Full "Quoted" Fund', 'https://full.vc', 'full.vc', E'Two\nlines', 'https://l.png',
     '{Fintech,Health}', '[{"City": "Paris", "Country": "France"}, {"Country": "Spain"}]')`,
  [ID],
);
await fixture.insert({ name: 'Bare' });

test('a match has every field, in this order', async () => {
  const [match] = await fixture.find({ q: 'full quoted fund' });
  expect(match).toEqual({
    Id: ID,
    Type: 'fund',
    Name: 'Full "Quoted" Fund',
    Website: 'https://full.vc',
    Domain: 'full.vc',
    Location: 'Paris',
    Country: ['France', 'Spain'],
    Description: 'Two\nlines',
    Tags: ['Fintech', 'Health'],
    LogoUrl: 'https://l.png',
    Score: 0.99,
    MatchedOn: 'name',
  });
  expect(Object.keys(match ?? {})).toEqual(MATCH_FIELDS);
});

test('an unknown value is null, a multi-valued field is an array', async () => {
  const [match] = await fixture.find({ q: 'Bare' });
  expect(match).toMatchObject({
    Type: 'startup',
    Website: null,
    Domain: null,
    Location: null,
    Country: [],
    Description: null,
    Tags: [],
    LogoUrl: null,
  });
});

test('fields selects fields; Id and Type are always there, the order stays', async () => {
  const [match] = await fixture.find({ q: 'Bare', fields: ['Score', 'Name'] });
  expect(Object.keys(match ?? {})).toEqual(['Id', 'Type', 'Name', 'Score']);
  const [least] = await fixture.find({ q: 'Bare', fields: [] });
  expect(Object.keys(least ?? {})).toEqual(['Id', 'Type']);
});
