// Tests docs/spec/query-language.md 5.7.
/** The full-text documents of profiles, for all writers. */
import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import fc from 'fast-check';
import { openImportFixture } from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

const SEED = `
  TRUNCATE venture.startup, venture.fund CASCADE;
  INSERT INTO venture.startup (name) VALUES ('Startup 0'), ('Startup 1');
  INSERT INTO venture.fund (name) VALUES ('Fund 0'), ('Fund 1');`;

test.each(['startup', 'fund'])(
  'the full-text document of a %s follows its name, tags and description in every write',
  async (table) => {
    const stale = async () =>
      (
        await fixture.rows(
          `SELECT FROM venture.${table}
           WHERE keywords IS DISTINCT FROM venture.profile_document(name, tags, description)`,
        )
      ).length;
    const write = async (set: string) => {
      await fixture.rows(`UPDATE venture.${table} SET ${set}`);
      return stale();
    };
    await fixture.rows(SEED);
    expect(await stale()).toBe(0);
    expect(await write("name = 'Grain mill'")).toBe(0);
    expect(await write("tags = '{Robotics}', description = 'Sorts seeds'")).toBe(0);
    expect(await write('description = NULL, members_count = 5')).toBe(0);
    expect(await write("keywords = to_tsvector('simple', 'other')")).toBe(0);
  },
);

/** Each is found in the text by itself, and neither by a search for `zebra`. */
const IN_TEXTS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Tools for AI/ML and R&D, 24/7.',
    ['AI', 'ML', 'ai/ml', 'R&D', '24/7', '"tools for AI"', 'tool'],
  ],
  ['Great platform.We love users…really', ['platform', 'love', 'users', 'really', 'platform.We']],
  ['COVID-19 from 2020-2024', ['covid 19', 'COVID-19', '19', '2020', '2024', '2020-2024']],
  ['C++, C#, .NET and node.js 3.11', ['C++', 'C#', '.NET', 'node.js', 'node', 'js', '3.11', '3']],
  ['Write to ada.l@acme.example', ['ada', 'acme', 'ada.l@acme.example', 'example']],
  ['See https://acme.example/a_b?c=d1', ['acme', 'https://acme.example/a_b?c=d1', 'd1', 'b']],
  ["L'Oréal’s e-mail in the U.S.A.", ["L'Oréal", 'oreal', 'ORÉAL', 'e-mail', 'mail', 'U.S.A.']],
  ['Acme™ 🚀rocket Straße ΟΔΟΣ İstanbul', ['acme', 'rocket', 'strasse', 'οδος', 'istanbul']],
  ['ａｃｍｅ cafe\u0301 3D B2B', ['acme', 'café', 'cafe\u0301', '3D', 'B2B', '３Ｄ']],
  ['机器学习和数据分析', ['机器学习', '数据', '分析', '机器 分析']],
  [
    '東京のフィンテック企業 and ไทยแลนด์',
    ['東京', 'フィンテック', '企業', 'ไทย', 'แลนด์', 'fintech or ไทย'],
  ],
  ['한국의 스타트업 हिन्दी भाषा', ['스타트업', 'हिन्दी', 'भाषा']],
];

test.each(IN_TEXTS)('keywords find every word of %j as it is typed', async (text, searches) => {
  const found = await fixture.rows<{ search: string; found: boolean }>(
    `SELECT s AS search, d @@ venture.keyword_query(s) AND d @@ venture.keyword_query(s || ' -zebra')
         AND NOT d @@ venture.keyword_query('-' || s) AND NOT d @@ venture.keyword_query(s || ' zebra')
         AND d @@ venture.keyword_query('zebra or ' || s) AS found
     FROM venture.profile_document('x', '{}', $1) d, unnest($2::text[]) s`,
    [text, searches.filter((search) => !/[\s"]/u.test(search))],
  );
  expect(found.filter((row) => !row.found)).toEqual([]);
  const [all] = await fixture.rows<{ found: boolean }>(
    `SELECT bool_and(venture.profile_document('x', '{}', $1) @@ venture.keyword_query(s)) AS found
     FROM unnest($2::text[]) s`,
    [text, searches],
  );
  expect(all).toEqual({ found: true });
});

test('keywords find every word of letters and digits, between whatever signs, or ask for another', async () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9éßıΣжЖ学习ไทкä]{1,6}$/u);
  const sign = fc.constantFrom(...' /.-_@:,;#+&\'"…™🚀（）·\n', '://', ' -', '., ', '½ ', '--');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, sign), { minLength: 1, maxLength: 12 }),
      async (parts) => {
        const text = parts.flat().join('').normalize('NFC');
        const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
        const lost = await fixture.rows(
          `SELECT w FROM unnest($2::text[]) w
         WHERE numnode(venture.keyword_query(w)) > 0
           AND NOT venture.profile_document('x', '{}', $1) @@ venture.keyword_query(w)`,
          [text, words],
        );
        expect(lost).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
