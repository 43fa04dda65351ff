import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { chargedOf, errorOf } from '../support/api.ts';
import { openRepairApi } from './support.ts';

const api = await closedAfterAll(openRepairApi());

describe('a search that cannot match is 400 and free', () => {
  test.each([
    'not a site',
    'http://',
    'https://',
    '://',
    'stripe',
    '-',
    '..',
    '[::1]',
    '%',
    'http:///x',
  ])('website=%s', async (website) => {
    for (const path of ['/startups/search', '/funds/search', '/companies/search']) {
      const reply = await api.get(path, { website });
      expect([path, reply.status, chargedOf(reply)]).toEqual([path, 400, 0]);
      expect(errorOf(reply)).toMatchObject({ code: 'bad_parameter', parameter: 'website' });
    }
  });

  test('an address without a host as q', async () => {
    for (const q of ['http://x', 'https://localhost/about']) {
      const reply = await api.get('/startups/search', { q });
      expect([q, reply.status, chargedOf(reply)]).toEqual([q, 400, 0]);
    }
  });

  test.each(['the', 'the of and', 'THE', '!!!', '"the" or "a"', '-', "''"])(
    'Keywords of %s',
    async (text) => {
      for (const filter of [
        `Keywords eq '${text}'`,
        `Founded gt 2000 or Keywords like '${text}'`,
      ]) {
        for (const query of [{ $filter: filter }, { $filter: filter, $count: 'true' }]) {
          const reply = await api.get('/startups', query);
          expect([query, reply.status, chargedOf(reply)]).toEqual([query, 400, 0]);
          expect(errorOf(reply)).toMatchObject({ code: 'bad_filter', field: 'Keywords' });
        }
      }
    },
  );
});

test('a search that can match is 200, also without matches', async () => {
  for (const website of ['stripe.com', 'https://www.stripe.com/about', 'unheard-of.example']) {
    expect((await api.get('/startups/search', { website })).status).toBe(200);
  }
  expect(await api.list('/startups/search', { q: 'https://stripe.com' })).toHaveLength(1);
  for (const text of ['the widgets', '-widgets', 'unheardofword']) {
    expect((await api.get('/startups', { $filter: `Keywords eq '${text}'` })).status).toBe(200);
  }
});
