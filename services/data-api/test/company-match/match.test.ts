// Tests docs/spec/match.md 26.1, 26.2, 26.3, 26.4, 26.5.
// Tests docs/spec/addresses.md 1.11.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closedAfterAll, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { chargedOf, errorOf, openApi, type Reply } from '../support/api.ts';

interface Company {
  readonly type?: 'startup' | 'fund';
  readonly name: string;
  readonly website?: string;
  readonly country?: string;
  readonly identifiers?: readonly string[];
}

const COMPANIES: readonly Company[] = [
  {
    ...{ name: 'Quorvexa Robotics', website: 'https://quorvexa.com', country: 'Germany' },
    identifiers: ['linkedin:quorvexa', 'lei:5493001KJTIIGC8Y1R12'],
  },
  { name: 'Zyltrophin Inc.', website: 'https://www.zyltrophin.io/home', country: 'United States' },
  { name: 'Brambelwick', country: 'France' },
  { name: 'Brambelwick', country: 'Spain' },
  { name: 'Mondraxel', country: 'Italy' },
  { name: 'Mondraxel GmbH', country: 'Italy' },
  { name: 'Data Systems', country: 'France' },
  { name: 'Twofold', website: 'https://twofold.example.com' },
  { name: 'House One', website: 'https://house-of-two.com/one' },
  { name: 'House Two', website: 'https://house-of-two.com/two' },
  { name: 'Kelvaro', website: 'https://kelvaro.com' },
  { name: 'Kelvaro Japan', country: 'Japan' },
  { type: 'fund', name: 'Kelvaro', website: 'https://kelvaro.com' },
  { type: 'fund', name: 'Ostrugine Capital', website: 'https://ostrugine.vc', country: 'France' },
  { name: 'Trevinaq Holding', website: 'https://labelwort.com', country: 'Chile' },
  { type: 'fund', name: 'Palvindra Fund II', website: 'https://palvindra.vc' },
  { name: 'On Shared', website: 'https://www.facebook.com/pages/onshared/123456' },
  { name: 'The Fernwhistle Company', country: 'Norway' },
];

const api = await closedAfterAll(openApi({ seed: '' }));
beforeAll(async () => {
  for (const [index, company] of COMPANIES.entries()) {
    const { type = 'startup', name, website = null, country, identifiers = [] } = company;
    await api.sql.query(
      `INSERT INTO venture.${type} (id, name, website, domain, identifiers, addresses)
       VALUES (md5($1)::uuid, $2, $3, regexp_replace($3, '^https?://(www\\.)?([^/]+).*$', '\\2'), $4, $5)`,
      [
        `${index}`,
        name,
        website,
        identifiers,
        JSON.stringify(country === undefined ? [] : [{ Country: country }]),
      ],
    );
  }
});

interface Result {
  readonly ref: string;
  readonly verdict: string;
  readonly reason: string;
  readonly record: { readonly Name: string; readonly Type: string } | null;
  readonly candidates: readonly { readonly Name: string; readonly Score: number }[];
  readonly problems: readonly { readonly member: string; readonly value: string }[];
}

const resultsOf = ({ status, body, text }: Reply): readonly Result[] => {
  if (status !== 200) throw new Error(text);
  return body as readonly Result[];
};
const match = async (...items: readonly object[]) =>
  resultsOf(
    await api.post(
      '/companies/match',
      items.map((item, i) => ({ ref: `${i}`, ...item })),
    ),
  );

/** Each item with its verdict, reason, and the names of its record or candidates. */
const CASES: readonly (readonly [
  item: object,
  verdict: string,
  reason: string,
  names: readonly string[],
])[] = [
  [{ identifiers: ['linkedin:quorvexa'] }, 'match', 'identifier', ['Quorvexa Robotics']],
  [
    { identifiers: ['https://www.linkedin.com/company/Quorvexa/?x'], name: 'Renamed' },
    ...(['match', 'identifier', ['Quorvexa Robotics']] as const),
  ],
  [{ website: 'https://www.QUORVEXA.com/de' }, 'match', 'website', ['Quorvexa Robotics']],
  [{ website: 'shop.quorvexa.com' }, 'match', 'website', ['Quorvexa Robotics']],
  [{ website: 'info@quorvexa.com' }, 'match', 'website', ['Quorvexa Robotics']],
  [
    { name: 'QUORVEXA ROBOTICS GmbH', country: 'DE' },
    ...(['match', 'name-and-country', ['Quorvexa Robotics']] as const),
  ],
  [{ name: 'Zýltrophin', country: 'USA' }, 'match', 'name-and-country', ['Zyltrophin Inc.']],
  [
    { name: 'Fernwhistle', country: 'Norge' },
    ...(['match', 'name-and-country', ['The Fernwhistle Company']] as const),
  ],
  [{ name: 'Zyltrophin' }, 'candidates', 'no-country', ['Zyltrophin Inc.']],
  [{ name: 'Zyltrophin', country: 'France' }, 'candidates', 'contradiction', ['Zyltrophin Inc.']],
  [
    { name: 'Zyltrophin', website: 'zyltrophin.fr', country: 'US' },
    ...(['candidates', 'other-website', ['Zyltrophin Inc.']] as const),
  ],
  [{ name: 'Zyltrophim', country: 'US' }, 'candidates', 'similar', ['Zyltrophin Inc.']],
  [{ name: 'Brambelwick', country: 'France' }, 'match', 'name-and-country', ['Brambelwick']],
  [{ name: 'Brambelwick' }, 'candidates', 'no-country', ['Brambelwick', 'Brambelwick']],
  [
    { name: 'Mondraxel', country: 'Italy' },
    ...(['candidates', 'tie', ['Mondraxel', 'Mondraxel GmbH']] as const),
  ],
  [{ name: 'Data Systems', country: 'France' }, 'candidates', 'common-name', ['Data Systems']],
  [{ website: 'house-of-two.com' }, 'candidates', 'tie', ['House One', 'House Two']],
  [{ name: 'House Two', website: 'house-of-two.com' }, 'match', 'website', ['House Two']],
  [
    { name: 'Zyltrophin', website: 'quorvexa.com' },
    ...(['candidates', 'other-name', ['Quorvexa Robotics', 'Zyltrophin Inc.']] as const),
  ],
  [
    { name: 'Something Else', website: 'quorvexa.com' },
    ...(['candidates', 'other-name', ['Quorvexa Robotics']] as const),
  ],
  [
    { identifiers: ['linkedin:quorvexa'], website: 'zyltrophin.io' },
    ...(['candidates', 'contradiction', ['Quorvexa Robotics', 'Zyltrophin Inc.']] as const),
  ],
  [
    { identifiers: ['linkedin:quorvexa', 'lei:529900T8BM49AURSDO55'] },
    ...(['candidates', 'contradiction', ['Quorvexa Robotics']] as const),
  ],
  [{ website: 'kelvaro.com' }, 'candidates', 'tie', ['Kelvaro', 'Kelvaro']],
  [{ website: 'kelvaro.com', type: 'fund' }, 'match', 'website', ['Kelvaro']],
  [
    { name: 'Kelvaro Japan', website: 'kelvaro.com', type: 'startup' },
    ...(['candidates', 'contradiction', ['Kelvaro', 'Kelvaro Japan']] as const),
  ],
  [
    { name: 'Ostrugine', website: 'ostrugine.vc', country: 'FRA' },
    ...(['match', 'website', ['Ostrugine Capital']] as const),
  ],
  [{ website: 'zyltrophin.io', country: 'France' }, 'match', 'website', ['Zyltrophin Inc.']],
  [
    { name: 'Quorvexa', website: 'quorvexa.com', country: 'Spain' },
    ...(['match', 'website', ['Quorvexa Robotics']] as const),
  ],
  [
    { name: 'Labelwort', website: 'labelwort.com', country: 'Spain' },
    ...(['candidates', 'contradiction', ['Trevinaq Holding']] as const),
  ],
  [
    { name: 'Labelwort', website: 'labelwort.com', country: 'Chile' },
    ...(['match', 'website', ['Trevinaq Holding']] as const),
  ],
  [{ website: 'palvindra.vc' }, 'match', 'website', ['Palvindra Fund II']],
  [
    { name: 'Palvindra Fund I', website: 'palvindra.vc' },
    ...(['candidates', 'contradiction', ['Palvindra Fund II']] as const),
  ],
  [{ website: 'ostrugine.vc', type: 'startup' }, 'none', 'nothing-found', []],
  [{ website: 'facebook.com/other' }, 'none', 'nothing-found', []],
  [{ website: 'https://facebook.com/onshared-123456' }, 'none', 'nothing-found', []],
  [
    { website: 'facebook.com/pages/onshared/123456/' },
    ...(['match', 'website', ['On Shared']] as const),
  ],
  [{ name: 'Nullqqzzx', country: 'France' }, 'none', 'nothing-found', []],
  [{}, 'none', 'nothing-readable', []],
  [{ name: '---' }, 'none', 'nothing-readable', []],
];

test.each(CASES)('%j is %s by %s', async (item, verdict, reason, names) => {
  const [result] = await match(item);
  const shown = result?.record ? [result.record] : result?.candidates;
  expect([result?.verdict, result?.reason]).toEqual([verdict, reason]);
  expect(shown?.map(({ Name }) => Name).sort()).toEqual([...names].sort());
  expect((result?.verdict === 'match') === (result?.record !== null)).toBe(true);
});

test('a record has the members of a company match, and the evidence for and against it', async () => {
  const [result] = await match({ name: 'Zyltrophin', country: 'France', website: 'zyltrophin.io' });
  expect(result).toMatchObject({ ref: '0', verdict: 'match', candidates: [], problems: [] });
  expect(result?.record).toMatchObject({
    ...{ Type: 'startup', Name: 'Zyltrophin Inc.', Domain: 'zyltrophin.io', MatchedOn: 'both' },
    Country: ['United States'],
    Reasons: [
      { Factor: 'website', Agrees: true, Text: 'The website is the same.' },
      { Factor: 'name', Agrees: true, Text: 'The name is the same.' },
      { Factor: 'country', Agrees: false, Text: 'The country is another one.' },
    ],
  });
});

test.each([
  [{ website: 'zyltrophin.io' }, 'website', ['website']],
  [{ name: '---', website: 'zyltrophin.io' }, 'website', ['website']],
  [{ name: 'Zyltrophin', country: 'US' }, 'name', ['name', 'country']],
  [{ identifiers: ['linkedin:quorvexa'] }, 'identifier', ['identifier']],
])('%j is matched on %s, by what it says alone', async (item, matchedOn, factors) => {
  const [result] = await match(item);
  expect(result?.record).toMatchObject({
    ...{ MatchedOn: matchedOn, Reasons: factors.map((Factor) => ({ Factor, Agrees: true })) },
  });
});

test('what cannot be read is reported, and never taken for evidence', async () => {
  const [result] = await match({
    ...{ name: 'Zyltrophin', country: 'Wonderland', website: 'not a site' },
    identifiers: ['linkedin:quorvexa', 'fax:1'],
  });
  expect(result?.problems.map(({ member, value }) => [member, value])).toEqual([
    ['website', 'not a site'],
    ['country', 'Wonderland'],
    ['identifiers[1]', 'fax:1'],
  ]);
  const [unsure] = await match({ name: 'Zyltrophin', country: 'Wonderland' });
  expect(unsure).toMatchObject({ verdict: 'candidates', reason: 'no-country' });
});

test.each(['http://facebook.com', 'www.facebook.com/', 'linkedin.com', 'https://medium.com/#a'])(
  'a host that companies share is a problem without a page: %s',
  async (website) => {
    const problems = [
      { member: 'website', value: website, message: expect.stringMatching('companies share') },
    ];
    const [alone, named] = await match({ website }, { website, name: 'Zyltrophin' });
    expect(alone).toMatchObject({ verdict: 'none', reason: 'nothing-readable', problems });
    expect(named).toMatchObject({ verdict: 'candidates', reason: 'no-country', problems });
  },
);

describe('a result does not depend on the other items', () => {
  const items = CASES.map(([item]) => item);
  let alone: readonly Result[] = [];
  beforeAll(async () => {
    alone = (await Promise.all(items.map((item) => match(item)))).flat();
  });
  test('in any order, number and repetition', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(items.length - 1), { minLength: 1, maxLength: 100 }),
        async (chosen) => {
          const together = await match(...chosen.map((i) => items[i] ?? {}));
          const expected = chosen.map((i, position) => ({ ...alone[i], ref: `${position}` }));
          // The problem of an empty item names its ref.
          const withoutProblems = (results: readonly object[]) =>
            results.map((result) => ({ ...result, problems: [] }));
          expect(withoutProblems(together)).toEqual(withoutProblems(expected));
        },
      ),
      runs(10),
    ));
});

describe('a call costs', () => {
  const QUORVEXA = { ref: 'q', website: 'quorvexa.com' };
  const UNKNOWN = { ref: 'u', name: 'Nullqqzzx' };
  test.each([
    ['a credit for each item that matches', [QUORVEXA, QUORVEXA, UNKNOWN], 2],
    ['a credit if none does', [UNKNOWN, { ref: 'b', name: 'Brambelwick' }], 1],
  ])('%s', async (_, items, credits) => {
    const reply = await api.post('/companies/match', items);
    expect([reply.status, chargedOf(reply)]).toEqual([200, credits]);
  });

  test('nothing for a quote, which says at most a credit an item', async () => {
    const reply = await api.post('/companies/match?quote=true', [QUORVEXA, UNKNOWN, QUORVEXA]);
    expect(reply.body).toMatchObject({ quote: { credits_max: 3, credits_min: 1 } });
    expect(chargedOf(reply)).toBe(0);
  });

  test('at most X-Credits-Max', async () => {
    const limit = { 'X-Credits-Max': '1' };
    const reply = await api.post('/companies/match', [QUORVEXA, UNKNOWN], limit);
    expect([reply.status, errorOf(reply).code]).toEqual([400, 'price_above_limit']);
  });

  test('once with an Idempotency-Key, which is of one body', async () => {
    const once = { 'Idempotency-Key': 'a-key-of-a-match' };
    const replies = [
      await api.post('/companies/match', [QUORVEXA], once),
      await api.post('/companies/match', [QUORVEXA], once),
      await api.post('/companies/match', [UNKNOWN], once),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 422]);
    expect(replies.slice(0, 2).map(chargedOf)).toEqual([1, 0]);
  });
});

describe('a body', () => {
  const item = { ref: '1', name: 'Quorvexa' };
  const many = { length: 101 };
  test.each<[string, unknown, number, string, string | undefined]>([
    [
      'with an unknown member',
      [item, { ref: '2', nmae: 'x' }],
      400,
      'unknown_parameter',
      '[1].nmae',
    ],
    ['without a ref', [{ name: 'x' }], 400, 'bad_parameter', '[0].ref'],
    ['with a value of another type', [{ ref: 1 }], 400, 'bad_parameter', '[0].ref'],
    ['with a null', [{ ref: '1', country: null }], 400, 'bad_parameter', '[0].country'],
    ['with another type', [{ ...item, type: 'person' }], 400, 'bad_parameter', '[0].type'],
    ['with a long name', [{ ref: '1', name: 'x'.repeat(201) }], 400, 'bad_parameter', '[0].name'],
    ['without an item', [], 400, 'bad_parameter', 'body'],
    ['with more than 100 items', Array.from(many, () => item), 400, 'bad_parameter', 'body'],
    ['that is no list', { items: [item] }, 400, 'bad_parameter', 'body'],
    ['that is no JSON', '[{', 400, 'bad_json', undefined],
    ['with too many levels', '['.repeat(40), 400, 'bad_json', undefined],
    ['with too many members', `[${'0,'.repeat(5_000)}0]`, 400, 'bad_json', undefined],
    ['above 256 KiB', ' '.repeat(256 * 1024 + 1), 413, 'body_too_large', undefined],
  ])('%s is a free error', async (_, body, status, code, parameter) => {
    const reply = await api.post('/companies/match', body);
    expect([reply.status, errorOf(reply).code]).toEqual([status, code]);
    expect(errorOf(reply).parameter).toBe(parameter);
    expect(chargedOf(reply)).toBe(0);
  });

  test('of another type is 415, and GET is 405', async () => {
    const text = await api.post('/companies/match', [item], { 'Content-Type': 'text/plain' });
    expect([text.status, errorOf(text).code]).toEqual([415, 'unsupported_media_type']);
    const read = await api.get('/companies/match');
    expect([read.status, read.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });

  test('may have a hundred items', async () => {
    const reply = await api.post(
      '/companies/match',
      Array.from({ length: 100 }, (_, i) => ({ ...item, ref: `${i}`, identifiers: ['x:a'] })),
    );
    expect(resultsOf(reply).map(({ ref }) => Number(ref))).toEqual([...Array(100).keys()]);
  });
});
