// Tests docs/spec/query-language.md 5.7.
// Tests docs/spec/search.md 7.2.
// Tests docs/spec/errors.md 11.6, 11.7, 11.8, 11.9.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { chargedOf, errorOf, type Query, type Reply } from '../support/api.ts';
import { COLLECTIONS, pathOf } from '../support/collections.ts';
import { ACCESS_URL, openRepairApi, readSlips, repaired, type Slip, send } from './support.ts';

/** The guarantees of docs/spec/errors.md about the suggestions. */
const PRECISION_MIN = 0.98;
const COVERAGE_MIN = 0.95;
const SLIPS_MIN = 150;
/** Errors of one call, corrected one after the other. */
const REPAIRS_MAX = 5;

const api = await closedAfterAll(openRepairApi());
const slips: readonly Slip[] = await readSlips();
const replies = new Map<Slip, Reply>();
for (const slip of slips) replies.set(slip, await send(api, [slip[0], slip[1]]));

test('an error suggests the intended text, or nothing', async () => {
  const wrong: unknown[] = [];
  let given = 0;
  let right = 0;
  for (const [slip, reply] of replies) {
    const suggestion = reply.status === 200 ? undefined : errorOf(reply).suggestion;
    const meant = dated(slip[2]);
    if (suggestion !== undefined) given++;
    if (suggestion !== undefined && suggestion === meant) right++;
    if ((suggestion ?? null) !== meant) wrong.push([slip, suggestion, reply.text.slice(0, 300)]);
    if (reply.status !== 200) expect(chargedOf(reply) || 0).toBe(0);
  }
  const meant = slips.filter((slip) => slip[2] !== null).length;
  const measured = { precision: right / given, coverage: right / meant, slips: slips.length };
  if (process.env.SHOW_SLIPS !== undefined) {
    process.stdout.write(
      `${JSON.stringify(measured)}\n${wrong.map((each) => JSON.stringify(each)).join('\n')}\n`,
    );
  }
  expect(slips.length).toBeGreaterThanOrEqual(SLIPS_MIN);
  expect(measured.precision).toBeGreaterThanOrEqual(PRECISION_MIN);
  expect(measured.coverage).toBeGreaterThanOrEqual(COVERAGE_MIN);
});

test('every suggestion is accepted in place of the invalid text', async () => {
  const failed: unknown[] = [];
  for (const [slip, first] of replies) {
    let call: [string, Query] = [slip[0], slip[1]];
    let reply = first;
    for (let repairs = 0; repairs < REPAIRS_MAX && reply.status !== 200; repairs++) {
      const { suggestion } = errorOf(reply);
      if (suggestion === undefined || String(suggestion).startsWith(ACCESS_URL)) break;
      call = repaired(call, reply);
      reply = await send(api, call);
      if (reply.status !== 200 && errorOf(reply).suggestion === undefined) {
        failed.push([slip, call, reply.text]);
      }
    }
  }
  // A suggested search still needs words.
  expect(failed.filter((each) => !JSON.stringify(each).includes('A search requires'))).toEqual([]);
});

test('every see is a 200', async () => {
  const seeUrls = new Set<string>();
  for (const [slip, reply] of replies) {
    if (reply.status === 200) continue;
    const { see, field, parameter, value } = errorOf(reply);
    if (field ?? parameter ?? value ?? false) expect([slip, typeof see]).toEqual([slip, 'string']);
    if (typeof see === 'string') seeUrls.add(see);
  }
  expect(seeUrls.size).toBeGreaterThan(10);
  for (const see of seeUrls) {
    const reply = await api.get(see.replace('http://data.example/v2', ''));
    expect([see, reply.status]).toEqual([see, 200]);
  }
});

describe('a value of a filter that occurs nowhere has a hint', () => {
  const hintsOf = async (path: string, $filter: string) => {
    const reply = await api.get(path, { $filter });
    expect([$filter, reply.status]).toEqual([$filter, 200]);
    const header = String(reply.headers['x-hint'] ?? '');
    expect(header).toMatch(/^[ -~]*$/);
    return header.split(', ').map(decodeURIComponent).join('|');
  };
  const none = (field: string, value: string, meant?: string) =>
    `${field} '${value}' occurs nowhere${meant === undefined ? '.' : `; did you mean '${meant}'?`}`;

  test.each([
    ["Tag eq 'fintech'", none('Tag', 'fintech', 'Fintech')],
    ["Tag eq 'AI'", none('Tag', 'AI', 'Artificial Intelligence')],
    ["Tag in ('Fintech','Fintec')", none('Tag', 'Fintec', 'Fintech')],
    ["not (Tag eq 'FINTECH') or Founded eq 1", none('Tag', 'FINTECH', 'Fintech')],
    ["Tag ne 'Fin tech'", none('Tag', 'Fin tech', 'Fintech')],
    ["Country eq 'Norwayy'", none('Country', 'Norwayy', 'Norway')],
    ["City eq 'Paris'", none('City', 'Paris', 'París')],
    ["Location eq 'NYC'", none('Location', 'NYC', 'New York')],
    ["City eq 'Muenchen'", none('City', 'Muenchen')],
    ["Tag eq 'C  '", "Tag 'C  ' occurs nowhere (a + in a URL is a blank: percent-encode it)."],
    ["Country eq 'Norwegen' and Country notin ('NO','Norge')", ''],
    ["Name eq 'nowhere' and Tag eq 'Fintech'", ''],
    ["City eq '東京'", none('City', '東京')],
  ])('%s: %s', async ($filter, hint) => {
    expect(await hintsOf('/startups', $filter)).toBe(hint);
  });

  test('also of groups, series, publishers and countries of people', async () => {
    expect(await hintsOf('/funds', "Group.Name eq 'zzqx'")).toBe(none('Group.Name', 'zzqx'));
    expect(await hintsOf('/startups/fundingrounds', "Series eq 'nothing like it'")).toMatch(
      /^Series 'nothing like it' occurs nowhere/,
    );
    const [item] = await api.list('/news', { $filter: 'Publisher ne null', $top: '1' });
    const publisher = String(item?.Publisher);
    expect(await hintsOf('/news', `Publisher eq '${publisher}'`)).toBe('');
    expect(await hintsOf('/news', `Publisher eq '${publisher.toUpperCase()}!'`)).toBe(
      none('Publisher', `${publisher.toUpperCase()}!`, publisher),
    );
    expect(await hintsOf('/persons', "Country in ('Norwai')")).toBe(
      none('Country', 'Norwai', 'Norway'),
    );
  });

  test('also of identifiers, by the companies of the collection; every form of one is understood', async () => {
    const [{ Id, Name } = {}] = await api.list('/funds', { $top: '1', $select: 'Id,Name' });
    await api.sql.query(`UPDATE venture.fund SET identifiers = '{linkedin:acme}' WHERE id = $1`, [
      Id,
    ]);
    const absent = none('Identifier', 'linkedin:acme');
    for (const form of ['linkedin:Acme', 'https://www.linkedin.com/company/Acme/?trk=x']) {
      expect(await hintsOf('/funds', `Identifier eq '${form}'`)).toBe('');
      const found = await api.list('/funds', { $filter: `Identifier in ('${form}','x:acme')` });
      expect(found).toMatchObject([{ Id, Name, Identifier: ['linkedin:acme'] }]);
      expect(await hintsOf('/startups', `Identifier ne '${form}'`)).toBe(absent);
    }
  });

  test('is free with a quote, bounded in number and bytes, and not sent with an error', async () => {
    const words = Array.from({ length: 100 }, (_, n) => `'${'東'.repeat(70)}${n}'`);
    const $filter = `Tag in (${words.join(',')})`;
    const reply = await api.get('/startups', { $filter, quote: 'true' });
    expect([reply.status, chargedOf(reply)]).toEqual([200, 0]);
    expect(String(reply.headers['x-hint'] ?? '').length).toBeLessThan(2_048);
    const five = await hintsOf('/startups', "Tag in ('q1','q2','q3','q4','q5','q6')");
    expect(five.split('|')).toHaveLength(5);
    const failed = await api.get('/startups', { $filter: "Tag eq 'AI'", $top: '0' });
    expect([failed.status, failed.headers['x-hint']]).toEqual([400, undefined]);
  });

  test('searches of tags and values know what a text stands for', async () => {
    const tags = await api.list('/startups/tags/search', { q: 'ai' });
    expect(tags[0]).toMatchObject({ value: 'Artificial Intelligence', count: 1 });
    const found = async (path: string, query: Query) => {
      const { body } = await api.get(path, query);
      return (body as { values: { value: string }[] }).values.map(({ value }) => value);
    };
    for (const counts of ['true', 'false']) {
      const [first] = await found('/categories/industry', { q: 'AI', counts });
      expect(first).toBe('Artificial Intelligence');
      expect(await found('/categories/city', { q: 'nyc', counts })).toEqual(['New York']);
      const pages = [];
      for (const skip of [0, 1, 2, 3]) {
        pages.push(
          ...(await found('/categories/city', { q: '*n', counts, skip: String(skip), top: '1' })),
        );
      }
      expect(pages).toEqual(await found('/categories/city', { q: '*n', counts, top: '4' }));
    }
  });

  test('a suggestion prefers another case to a synonym', async () => {
    await api.sql.query(`UPDATE venture.startup SET tags = tags || '{Artificial}'::text[]`);
    const reply = await api.get('/startups', { industry: 'FINTECH' });
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_parameter' });
    const values = await api.get('/categories/country', { industry: 'FINTECH' });
    expect(errorOf(values)).toMatchObject({ code: 'unknown_value', suggestion: 'Fintech' });
  });
});

function dated(meant: string | null): string | null {
  return meant === '2026-11-22' ? new Date().toISOString().slice(0, 10) : meant;
}

const { numRuns: RUNS } = runs(40, 2_000);

const VALUES = [
  'New York',
  'today',
  'yes',
  '1_000_000',
  '5M',
  '$1,000',
  '2012/9/3',
  '2010',
  '"Oslo"',
  "'O'Neil'",
  "'Series A'",
  "'active'",
  "'vc'",
  'Seed',
  "'acme*'",
  '(a, b)',
  '["a","b"]',
  'null',
  'None',
  '{5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11}',
  "'x'",
  '12',
];
const OPERATORS = ['eq', 'ne', 'ge', 'lt', 'like', 'in', '=', '>=', 'contains', 'equals', '=='];

/** A name with a typing error, or without. */
const mistyped = (name: string) =>
  fc.tuple(fc.nat(name.length), fc.nat(4)).map(([at, kind]) => {
    const [before, after] = [name.slice(0, at), name.slice(at)];
    return [
      name,
      name.toLowerCase(),
      `${before}${after.slice(1)}`,
      `${before}e${after}`,
      name.replace(/(?<=[a-z])(?=[A-Z])/g, '_'),
    ][kind] as string;
  });

const slip = fc.constantFrom(...COLLECTIONS).chain((collection) => {
  const field = fc.constantFrom(...collection.resource.fields.keys()).chain(mistyped);
  const condition = fc
    .tuple(field, fc.constantFrom(...OPERATORS), fc.constantFrom(...VALUES))
    .map((parts) => parts.join(' '));
  const query: fc.Arbitrary<Query> = fc.oneof(
    condition.map(($filter) => ({ $filter })),
    fc.tuple(condition, condition).map((both) => ({ $filter: both.join(' and ') })),
    fc.tuple(field, fc.constantFrom(...VALUES)).map(([name, value]) => ({ [name]: value })),
    field.map((name) => ({ $orderby: `${name} desc` })),
    field.map((name) => ({ sort: `-${name}` })),
    field.map((name) => ({ $select: `Id,${name}` })),
    fc.constantFrom('limit', 'page', 'offset', 'Limit').map((name) => ({ [name]: '3' })),
  );
  return query.map((each): [string, Query] => [pathOf(collection), each]);
});

const plain = (text: unknown): string => String(text).replace(/^'|'$/g, '').trim();
const faultOf = (error: Record<string, unknown>) => plain(error.value ?? error.field);

test('every suggestion for a generated error is accepted in place of the invalid text', async () => {
  let suggested = 0;
  await fc.assert(
    fc.asyncProperty(slip, async (first) => {
      let call = first;
      const seen: unknown[] = [call];
      let reply = await send(api, call);
      for (let repairs = 0; repairs < REPAIRS_MAX && reply.status !== 200; repairs++) {
        const before = errorOf(reply);
        if (before.suggestion === undefined) return;
        suggested++;
        call = repaired(call, reply);
        seen.push(before.suggestion, call);
        reply = await send(api, call);
        if (reply.status === 200) return;
        const after = errorOf(reply);
        // The next error is another one: not at the suggested text.
        expect([seen, after.position, faultOf(after)]).not.toEqual([
          seen,
          before.position,
          plain(before.suggestion),
        ]);
      }
    }),
    { numRuns: RUNS },
  );
  expect(suggested).toBeGreaterThan(RUNS / 4);
});

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

  test.each([
    ['lei:123', undefined],
    ['linkedin:in/somebody', undefined],
    ['linkdin:acme', 'q=linkedin:acme'],
  ])(
    'q=%s: an identifier that cannot be one, or a scheme that is misspelt',
    async (q, suggestion) => {
      const reply = await api.get('/companies/search', { q });
      expect([reply.status, chargedOf(reply)]).toEqual([400, 0]);
      expect(errorOf(reply)).toMatchObject({ code: 'bad_parameter', parameter: 'q', value: q });
      expect(errorOf(reply)?.suggestion).toBe(suggestion);
    },
  );

  test('an identifier as website, with the call that finds it', async () => {
    const error = errorOf(await api.get('/startups/search', { website: 'linkedin:acme' }));
    expect(error).toMatchObject({ code: 'bad_parameter', suggestion: 'q=linkedin:acme' });
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
