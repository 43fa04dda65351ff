import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { errorOf, openApi } from '../support/api.ts';

const api = await closedAfterAll(openApi());

test('the root lists every path, spelled as in the rate card, free of charge', async () => {
  const reply = await api.get('');
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    service: 'data-api',
    version: 'v2',
    base_url: 'http://data.example/v2',
    pricing: 'http://data.example/v2/pricing',
    paths: expect.arrayContaining(['/startups', '/startups/{id}', '/funds/{id}/portfolio']),
  });
  // The endpoint that rejects unknown entities is not listed.
  const { paths } = reply.body as { paths: readonly string[] };
  const listings = paths.filter((path) => path.startsWith('/categories/{dimension}/{value}/'));
  expect(listings.map((path) => path.split('/').at(-1))).toEqual(['startups', 'funds', 'rounds']);
  expect(reply.headers['x-credits-charged']).toBeUndefined();
});

test('the root accepts no parameter but the credential', async () => {
  const reply = await api.get('', { $top: '3' });
  expect(errorOf(reply)).toMatchObject({ code: 'unknown_parameter', parameter: '$top' });
  expect((await api.get('', { token: 'anything' })).status).toBe(200);
});
