// Tests docs/spec/search.md 7.1, 7.2, 7.3.
import { describe, expect, test } from '@jest/globals';
import { LEGAL_END, LEGAL_FORMS, LEGAL_START, nameForms } from '@vcds/name-search';
import { closedAfterAll, describeWithData } from '@vcds/test-kit';
import { MATCH_FIELDS } from '../../src/search/search-request.ts';
import { COMPANIES_FILE, FUNDS_FILE, readCompanies, readFunds } from './support/data-sets.ts';
import { openSearchFixture } from './support/search-fixture.ts';

const fixture = await closedAfterAll(
  openSearchFixture([
    { name: 'Société Générale Ventures', type: 'fund' },
    { name: 'Blue River Capital', type: 'fund' },
    { name: 'Moonlight Health Sciences' },
    { name: "O'Reilly & Sons" },
    { name: 'Kestrelworks' },
    { name: 'Falconry GmbH' },
    { name: 'Zephyr Analytics, Inc.' },
    { name: 'U.S. Robotix' },
    { name: 'Overcart.com' },
    { name: 'DN' },
    { name: '01' },
    { name: 'A*' },
    { name: '中文科技' },
    { name: 'Кириллица Фонд', type: 'fund' },
    { name: '🚀🚀' },
    { name: '***' },
    { name: 'Gone Fishing', deleted: true },
    { name: 'Harborstone Investment Group AB', type: 'fund' },
    { name: 'Avocadoria™' },
    { name: 'Thunderclapper Systems' },
    { name: 'Twin Peaks', raised: 5 },
    { name: 'Twin Peaks', raised: 900 },
    { name: 'Twin Peaks' },
    ...['X', '&', '+', '🍕', 'Ø', 'É', '7', '3M', '1&1'].map((name) => ({ name })),
    ...['Airdas USA', 'Libgas', 'GF Logistics', 'Lumen Oil Company'].map((name) => ({ name })),
  ]),
);

test.each([
  ['the name itself', 'Blue River Capital', 'Blue River Capital'],
  ['another case', 'BLUE river CAPITAL', 'Blue River Capital'],
  ['no accents', 'Societe Generale Ventures', 'Société Générale Ventures'],
  ['accents of its own', 'Blüe Rivér Càpital', 'Blue River Capital'],
  ['full-width letters', 'Ｋｅｓｔｒｅｌｗｏｒｋｓ', 'Kestrelworks'],
])('%s is the same name: score 1', async (_, q, name) => {
  const [first] = await fixture.find({ q });
  expect(first).toMatchObject({ Name: name, Score: 1, MatchedOn: 'name' });
});

test.each([
  ['other punctuation', 'blue-river, capital.', 'Blue River Capital', 0.98],
  ['an ampersand left out', 'OReilly Sons', "O'Reilly & Sons", 0.95],
  ['a legal form added', 'Kestrelworks S.A.', 'Kestrelworks', 0.97],
  ['a legal form of two words added', 'Kestrelworks Pty Ltd', 'Kestrelworks', 0.97],
  ['the legal form left out', 'Falconry', 'Falconry GmbH', 0.97],
  ['another legal form', 'Zephyr Analytics LLC', 'Zephyr Analytics, Inc.', 0.97],
  ['an acronym without dots', 'US Robotix', 'U.S. Robotix', 0.98],
  ['spaces left out', 'BlueRiverCapital', 'Blue River Capital', 0.95],
  ['a word split', 'Kestrel works', 'Kestrelworks', 0.95],
  ['the domain ending left out', 'Overcart', 'Overcart.com', 0.97],
  ['words swapped', 'River Blue Capital', 'Blue River Capital', 0.9],
  ['a letter inserted', 'Blue Rivver Capital', 'Blue River Capital', 0.8],
  ['a letter left out', 'Kestrlworks', 'Kestrelworks', 0.8],
  ['a letter replaced', 'Moonlipht Health Sciences', 'Moonlight Health Sciences', 0.8],
  ['two letters swapped', 'Kestrelwroks', 'Kestrelworks', 0.8],
  ['a generic word left out', 'Blue River', 'Blue River Capital', 0.85],
  ['a distinctive word left out', 'Blue Capital', 'Blue River Capital', 0.7],
  ['a word added', 'Blue River Capital International', 'Blue River Capital', 0.75],
  [
    'spaces and a short legal form left in',
    'HarborstoneInvestmentGroupAB',
    'Harborstone Investment Group AB',
    0.95,
  ],
  ['two typos in a long word', 'Thudnerclaper', 'Thunderclapper Systems', 0.6],
  ['the beginning', 'Moonlight Healt', 'Moonlight Health Sciences', 0.7],
  ['a letter replaced in each of two words', 'Zephir Analitics', 'Zephyr Analytics, Inc.', 0.7],
  ['a word left out and a typing error', 'Moonligth Sciences', 'Moonlight Health Sciences', 0.6],
])('%s is tolerated', async (_, q, name, scoreMin) => {
  const [first] = await fixture.find({ q });
  expect(first).toMatchObject({ Name: name, MatchedOn: 'name' });
  expect(first?.Score).toBeGreaterThanOrEqual(scoreMin);
  expect(first?.Score).toBeLessThan(1);
});

test.each([
  ...['X', '&', '+', '🍕', 'Ø', 'É', '7', '3M', '1&1'].map((name) => [name, name] as const),
  ['AIRDAS USA,LLC', 'Airdas USA'],
  ['LIBGAS,LTD', 'Libgas'],
  ['GF LOGISTICS.INC', 'GF Logistics'],
  ['Lumen Oil Comp', 'Lumen Oil Company'],
])('%s finds %s first', async (q, name) => {
  const [first] = await fixture.find({ q });
  expect(first).toMatchObject({ Name: name });
  expect(first?.Score).toBeGreaterThanOrEqual(0.9);
});

describe('a name without a record', () => {
  test.each(['Vandelay Imports', 'Green Valley Capital', 'Capital', 'qqqq', 'Health', 'xyzzy 42'])(
    '%s finds no other record with a high score',
    async (q) => {
      for (const { Score } of await fixture.find({ q })) expect(Score).toBeLessThan(0.85);
    },
  );
});

describe('short names, other scripts and symbols', () => {
  test.each(['DN', 'dn', '01', 'A*', '中文科技', 'кириллица фонд', 'КИРИЛЛИЦА', '🚀🚀', '***'])(
    '%s is found',
    async (q) => {
      const [first] = await fixture.find({ q });
      const found = String(first?.Name).toLowerCase();
      expect(found.startsWith(q.toLowerCase())).toBe(true);
      expect(first?.Score).toBeGreaterThan(0.8);
    },
  );

  test('a typing error in another alphabet is tolerated', async () => {
    expect(await fixture.names('Кирилица Фонд')).toEqual(['Кириллица Фонд']);
  });
});

test('a letter replaced in a name with a trade mark is tolerated', async () => {
  expect(await fixture.names('Avocatoria')).toEqual(['Avocadoria™']);
});

test('a deleted record is never found', async () => {
  expect(await fixture.names('Gone Fishing')).toEqual([]);
});

test('equal names are sorted by their funding, then by Id', async () => {
  const matches = await fixture.find({ q: 'twin peaks' });
  expect(matches.map(({ Score }) => Score)).toEqual([1, 1, 1]);
  const { rows } = await fixture.sql.query<{ id: string }>(
    `SELECT id FROM venture.startup WHERE name = 'Twin Peaks'
     ORDER BY total_raised DESC NULLS LAST, id`,
  );
  expect(matches.map(({ Id }) => Id)).toEqual(rows.map(({ id }) => id));
});

test('matches are sorted by descending score, each record once', async () => {
  for (const q of ['blue', 'capital', 'twin peak', 'kestrel', 'o', 'health sciences']) {
    const matches = await fixture.find({ q, top: 100 });
    const scores = matches.map(({ Score }) => Number(Score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(matches.map(({ Id }) => Id)).size).toBe(matches.length);
  }
});

test('top limits the number of matches', async () => {
  expect(await fixture.find({ q: 'twin peaks', top: 2 })).toHaveLength(2);
});

test('types limits the types of the matches', async () => {
  expect(await fixture.find({ q: 'Blue River Capital', types: ['startup'] })).toEqual([]);
  const [fund] = await fixture.find({ q: 'Blue River Capital', types: ['fund'] });
  expect(fund).toMatchObject({ Type: 'fund' });
});

test('a search reflects a committed rename, deletion or restoration', async () => {
  await fixture.insert({ name: 'Chameleon Biotech' });
  await fixture.sql.query(
    `UPDATE venture.startup SET name = 'Iguana Biotech' WHERE name = 'Chameleon Biotech'`,
  );
  expect(await fixture.names('Iguana Biotech')).toEqual(['Iguana Biotech']);
  expect(await fixture.names('Chameleon')).toEqual([]);
  await fixture.sql.query(
    `UPDATE venture.startup SET deleted_at = now() WHERE name = 'Iguana Biotech'`,
  );
  expect(await fixture.names('Iguana Biotech')).toEqual([]);
  await fixture.sql.query(
    `UPDATE venture.startup SET deleted_at = NULL WHERE name = 'Iguana Biotech'`,
  );
  expect(await fixture.names('Iguana Biotech')).toEqual(['Iguana Biotech']);
});

const ID = '11111111-1111-4111-8111-111111111111';

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

async function compactOf(names: readonly string[]): Promise<string[]> {
  const { rows } = await fixture.sql.query<{ compact: string }>(
    `SELECT venture.name_compact(venture.fold(name)) AS compact
     FROM unnest($1::text[]) WITH ORDINALITY AS u(name, position) ORDER BY position`,
    [names],
  );
  return rows.map(({ compact }) => compact);
}

test('the database and the score have the same words of other scripts', async () => {
  const names = [
    'दिल कामिल',
    'தமிழ் Labs',
    'กาแฟ สด',
    'ភាសា',
    'မြန်မာ',
    '한국',
    'がく',
    'Ünlü & Söhne',
    'ΟΔΟΣ ΑΘΗΝΑΣ',
    'Οδός Αθήνας',
  ];
  const forms = names.map((name) => nameForms(name));
  expect(await compactOf(names)).toEqual(forms.map(({ compact }) => compact));
  const { rows } = await fixture.sql.query<{ words: string[] }>(
    `SELECT venture.name_words(venture.fold(name)) AS words
     FROM unnest($1::text[]) WITH ORDINALITY AS u(name, position) ORDER BY position`,
    [names],
  );
  expect(rows.map(({ words }) => words)).toEqual(forms.map(({ words }) => words));
});

test('the database and LEGAL_FORMS have the same legal forms', async () => {
  const forms = [...LEGAL_FORMS];
  const written = forms.flatMap((form) => [`Acme ${form}`, `Acme, ${form.toUpperCase()}.`]);
  expect(await compactOf(written)).toEqual(written.map(() => 'acme'));
  const { rows } = await fixture.sql.query<{ form: string }>(
    `SELECT btrim(form, E' \\n') AS form FROM unnest(string_to_array((regexp_match(
       pg_get_functiondef('venture.name_compact(text)'::regprocedure), '{([^}]*)}'))[1], ',')) form`,
  );
  expect(rows.map(({ form }) => form).toSorted()).toEqual(forms.toSorted());
});

const WITH_PHRASES: readonly (readonly [string, readonly string[]])[] = [
  [
    'Kaleva',
    [
      ...['Kaleva UG (haftungsbeschränkt)', 'Kaleva S.à r.l.', 'Kaleva S.A R.L.', 'Kaleva SARL'],
      ...['Kaleva Limited Liability Company', 'Kaleva GmbH & Co. KG', 'Kaleva SE & Co. KGaA'],
      ...['Kaleva Sp. z o.o.', 'Kaleva S.A. de C.V.', 'Kaleva Ltd. Şti.', 'Kaleva, S. p. A.'],
      ...['Kaleva S/A', 'Kaleva OÜ', 'Kaleva UAB', 'Kaleva Anonim Şirketi', 'Kaleva Tbk'],
      ...['Công ty TNHH Kaleva', 'Kaleva Public Limited Company', 'Kaleva s. r. o.'],
    ],
  ],
  ['アカネ', ['株式会社アカネ', 'アカネ株式会社', '㈱アカネ', 'アカネ（株）', '有限会社 アカネ']],
  ['东湖科技', ['东湖科技有限公司', '东湖科技股份有限公司', '东湖科技有限责任公司']],
  ['하늘', ['주식회사 하늘', '(주)하늘', '하늘 주식회사']],
  ['Ромашка', ['ООО Ромашка', 'ЗАО «Ромашка»', 'Ромашка ООО']],
];

test.each(WITH_PHRASES)(
  '%s is the compact form of its legal forms, in both places',
  async (name, written) => {
    const compact = nameForms(name).compact;
    const expected = written.map(() => compact);
    expect(written.map((each) => nameForms(each).compact)).toEqual(expected);
    expect(await compactOf(written)).toEqual(expected);
  },
);

test('the database and the search have the same legal phrases, and a form alone is a name', async () => {
  const { rows } = await fixture.sql.query<{ source: string }>(
    `SELECT prosrc AS source FROM pg_proc WHERE oid = 'venture.name_compact(text)'::regprocedure`,
  );
  expect(rows[0]?.source).toContain(`'${LEGAL_END}'`);
  expect(rows[0]?.source).toContain(`'${LEGAL_START}'`);
  const alone = ['株式会社', 'S.à r.l.', 'UAB', '有限公司'];
  expect(await compactOf(alone)).toEqual(alone.map((form) => nameForms(form).compact));
  expect(alone.map((form) => nameForms(form).compact)).not.toContain('');
});

test('a name of only a legal form or symbols keeps it', async () => {
  expect(await compactOf(['Inc', 'GmbH Co', '***', 'A.G.'])).toEqual(['inc', 'gmbh', '***', 'ag']);
});

describeWithData(
  'real names',
  (folder) => {
    test('are compacted alike by the database and by the search', async () => {
      const names = [...readFunds(folder), ...readCompanies(folder)].map(({ name }) => name);
      const compact = await compactOf(names);
      const apart = names.filter((name, index) => {
        const forms = nameForms(name);
        const read = compact[index] ?? '';
        // Trade marks are symbols in one and letters in the other; the search looks up both.
        return forms.compact !== read && forms.whole !== read && !/[™®]/u.test(name);
      });
      expect(apart.length / names.length).toBeLessThan(0.0005);
    });
  },
  [FUNDS_FILE, COMPANIES_FILE],
);
