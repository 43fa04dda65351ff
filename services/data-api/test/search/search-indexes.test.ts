import { describe, expect, test } from '@jest/globals';
import { nameForms, typosOf } from '@vcds/name-search';
import { closedAfterAll, runs } from '@vcds/test-kit';
import { websiteForms } from '@vcds/venture-model';
import fc from 'fast-check';
import type pg from 'pg';
import type { Statement } from '../../src/postgres/statement.ts';
import {
  compileBothWordsLookup,
  compileLookup,
  compileSimilarWords,
  compileTypoLookup,
  compileWordTypoLookup,
} from '../../src/search/candidate-statements.ts';
import { wordWeights } from '../../src/search/word-sample.ts';
import { openSearchFixture } from './support/search-fixture.ts';

const fixture = await closedAfterAll(openSearchFixture());
await fixture.sql.query(
  `INSERT INTO venture.startup (name, domain)
   SELECT md5(i::text), md5(i::text) || '.co.uk' FROM generate_series(1, 5000) AS i`,
);
const GENERAL_NAMES = 3_000;
/** Every hundredth has raised money, the later ones more. */
await fixture.sql.query(
  `INSERT INTO venture.startup (name, total_raised_reported)
   SELECT md5(i::text || 'x') || ' Quasar', CASE WHEN i % 100 = 0 THEN i END
   FROM generate_series(1, ${GENERAL_NAMES}) AS i`,
);
await fixture.sql.query('VACUUM ANALYZE venture.startup');

const noSite = { website: null, identifier: null };

describe.each(['force_generic_plan', 'force_custom_plan'])('planned with %s', (planning) => {
  const name = nameForms('blue river capital');
  const words = {
    ...{ rare: ['river'], general: ['blue'] },
    hasFrequent: true,
    phrase: ['blue', 'capital'],
  };
  const noWords = { rare: [], general: [], hasFrequent: false, phrase: [] };
  const none = { name: null, ...noSite };
  const identifier = { text: 'linkedin:river', score: 1 };
  const many = nameForms('abcdefghijklmnopqrst');
  test.each([
    ['names', compileLookup(['startup'], { name, ...noSite }, words)],
    ['slips', compileTypoLookup(['startup'], many)],
    ['words with a typo', compileWordTypoLookup(['startup'], many, words, ['capital'])],
    ['two words with typos', compileBothWordsLookup(['startup'], many, [['blue'], ['river']])],
    ['similar words', compileSimilarWords(many.words)],
    [
      'sites',
      compileLookup(['startup'], { ...none, website: websiteForms('a.river.com/x') }, noWords),
    ],
    ['identifiers', compileLookup(['startup'], { ...none, identifier }, noWords)],
  ])('%s are found by an index, without a sequential scan', async (_, statement) => {
    expect((await workOf(statement, planning)).scans).toBe(0);
  });
});

describe('a word that thousands of names have', () => {
  test.each([
    ['alone', { hasFrequent: true, phrase: [] }],
    ['with a word that no name has', { hasFrequent: true, phrase: ['quasar', 'zz'] }],
    ['although a short list is expected', { hasFrequent: false, phrase: [] }],
  ])('%s: reads a bounded part of them', async (_, given) => {
    const words = { rare: [], general: ['quasar'], ...given };
    const statement = compileLookup(['startup'], { name: nameForms('quasar'), ...noSite }, words);
    const { fetched } = await workOf(statement, 'force_generic_plan');
    // The 30 with money, those of one digit of the id (a 16th), and 100 again for their columns; 1,001
    // more of a list that is longer than expected.
    const ofTiers = fetched - (given.hasFrequent ? 0 : 1_001);
    expect(ofTiers).toBeGreaterThan(100);
    expect(ofTiers).toBeLessThan(GENERAL_NAMES / 6);
  });

  test.each([
    ['tiers', false],
    ['one list', true],
  ])('ranks the same companies by %s', async (_, isShort) => {
    const ranked = async (words: string[], every: boolean, rowsMax: number) => {
      const { rows } = await fixture.sql.query<{ id: string }>(
        'SELECT venture.startups_ranked($1, $2, $3, $4)::text AS id',
        [words, every, isShort, rowsMax],
      );
      return rows.map(({ id }) => id);
    };
    const { rows } = await fixture.sql.query<{ id: string }>(
      `SELECT id::text FROM venture.startup WHERE name LIKE '% Quasar'
       ORDER BY rounds_count DESC, coalesce(total_raised, 0) DESC, id LIMIT 400`,
    );
    const ids = rows.map(({ id }) => id);
    for (const [rowsMax, words, every] of [
      [10, ['quasar'], false],
      [400, ['quasar', 'zz'], false],
      [400, ['quasar'], true],
    ] as const) {
      expect(await ranked([...words], every, rowsMax)).toEqual(ids.slice(0, rowsMax));
    }
    expect(await ranked(['quasar', 'zz'], true, 400)).toEqual([]);
  });

  test('finds the companies that raised the most, in their order', async () => {
    const { rows } = await fixture.sql.query<{ name: string }>(
      `SELECT name FROM venture.startup WHERE total_raised > 0 ORDER BY total_raised DESC`,
    );
    const found = await fixture.find({ q: 'quasar', types: ['startup'], top: 30 });
    expect(found.map(({ Name }) => Name)).toEqual(rows.map(({ name }) => name));
  });

  test('weighs less than a rare one', async () => {
    const weights = await wordWeights(fixture.database);
    expect(weights.isGeneral('quasar')).toBe(true);
    expect(weights.of('quasar')).toBeLessThan(0.5);
    expect(weights.of('pulsar')).toBe(1);
  });

  test('with every tier that a company can have, most active first', async () => {
    const { rows } = await fixture.sql.query<{ tiers: string; read: string }>(
      `SELECT string_agg(tier, ',' ORDER BY place) AS tiers, (regexp_match(
           pg_get_functiondef('venture.startups_ranked(text[],boolean,boolean,integer)'::regprocedure),
           '{(#[^}]*)}'))[1] AS read
       FROM (
         SELECT venture.search_tier(deals, raised, (digit || repeat('0', 31))::uuid) AS tier,
           min((200 - deals) * 100 + CASE WHEN raised > 0 THEN 0 ELSE 20 + place END) AS place
         FROM generate_series(0, 200) AS deals, unnest(ARRAY[NULL, 0, 5]::bigint[]) AS raised,
           regexp_split_to_table('0123456789abcdef', '') WITH ORDINALITY AS d(digit, place)
         GROUP BY 1) AS t`,
    );
    expect(rows[0]?.read.replaceAll(/\s/gu, '')).toBe(rows[0]?.tiers);
  });
});

/** Sequential scans and fetched rows that a connection has not reported yet, of earlier transactions too. */
interface Work {
  readonly scans: number;
  readonly fetched: number;
}
const WORK = `SELECT sum(seq_scan)::int AS scans, sum(idx_tup_fetch)::int AS fetched
  FROM pg_stat_xact_user_tables
  WHERE relid IN ('venture.startup'::regclass, 'venture.name_word'::regclass)`;

/** The sequential scans of the tables of startups and words by a statement, and the rows it fetched. */
async function workOf({ text, values }: Statement, planning: string) {
  const client = await fixture.sql.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL plan_cache_mode = ${planning}`);
    const [before] = (await client.query<Work>(WORK)).rows;
    await client.query({ name: `${planning} ${text.length}`, text, values: [...values] });
    const [after] = (await client.query<Work>(WORK)).rows;
    if (before === undefined || after === undefined) throw new Error('There are no statistics.');
    return { scans: after.scans - before.scans, fetched: after.fetched - before.fetched };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Words of which many are one typo apart, and signs that separate words. */
const WORD = fc.constantFrom(
  'river',
  'rivre',
  'rover',
  'riva',
  'bank',
  'banks',
  'labs',
  'lab',
  'x9',
);
const NAME = fc
  .array(fc.tuple(WORD, fc.constantFrom(' ', ' & ', '-', ' Über ')), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat().slice(0, -1).join(''));
const NAMES = fc.array(NAME, { maxLength: 12 });
const TYPES = ['startup', 'fund'] as const;

/** Words of names that the table of words does not have. */
const MISSING = `
  SELECT unnest(venture.name_words(n.name_folded)) AS word
  FROM (SELECT name_folded FROM venture.startup UNION ALL SELECT name_folded FROM venture.fund) AS n
  EXCEPT SELECT word FROM venture.name_word EXCEPT SELECT ''`;

async function insertNames(client: pg.ClientBase, type: string, names: readonly string[]) {
  await client.query(`INSERT INTO venture.${type} (name) SELECT unnest($1::text[])`, [names]);
}

/** Runs in a transaction that is rolled back. */
async function rolledBack(run: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await fixture.sql.connect();
  try {
    await client.query('BEGIN');
    await run(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('the words of names', () => {
  test('are all in the table, after any inserts and renames', async () => {
    await fc.assert(
      fc.asyncProperty(NAMES, NAMES, fc.array(NAME, { maxLength: 4 }), (some, others, renamed) =>
        rolledBack(async (client) => {
          await insertNames(client, 'startup', some);
          await insertNames(client, 'fund', others);
          for (const name of renamed) {
            for (const type of TYPES) {
              await client.query(
                `UPDATE venture.${type} SET name = $1 WHERE id = (SELECT min(id::text)::uuid FROM venture.${type})`,
                [name],
              );
            }
          }
          expect((await client.query(MISSING)).rows).toEqual([]);
        }),
      ),
      runs(8, 400),
    );
  });

  test('are added once, if no other transaction adds them', async () => {
    await rolledBack(async (client) => {
      await insertNames(client, 'startup', ['Quokka Labs', 'Quokka Bank']);
      await insertNames(client, 'fund', ['Quokka Capital']);
      const { rows } = await client.query(
        `SELECT count(*)::int AS rows FROM venture.name_word WHERE word = 'quokka'`,
      );
      expect(rows).toEqual([{ rows: 1 }]);
    });
  });

  test('two transactions add the same words in any order, and neither waits or loses them', async () => {
    const [one, other] = [await fixture.sql.connect(), await fixture.sql.connect()];
    try {
      for (const client of [one, other]) await client.query('BEGIN');
      await insertNames(one, 'startup', ['Narwhal']);
      await insertNames(other, 'startup', ['Okapi']);
      await insertNames(one, 'startup', ['Okapi']);
      await insertNames(other, 'startup', ['Narwhal']);
      await one.query('ROLLBACK');
      await other.query('COMMIT');
    } finally {
      one.release();
      other.release();
    }
    expect((await fixture.sql.query(MISSING)).rows).toEqual([]);
    expect(await fixture.names('Narwhall')).toEqual(['Narwhal']);
  });
});

describe('names with a spelling of a word', () => {
  const withTypo = async (
    client: pg.ClientBase,
    word: string,
    others: string[],
    rowsMax: number,
  ) => {
    const { rows } = await client.query<{ name: string; id: string }>(
      `SELECT name, id FROM venture.startups_with_typo($1, $2, $3, $4) AS i(id)
       JOIN venture.startup USING (id)`,
      [typosOf(word), others, [word, ...others].join(' '), rowsMax],
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBeLessThanOrEqual(2 * rowsMax);
    return [...new Map(rows.map(({ id, name }) => [id, name])).values()];
  };
  const wordsOf = (name: string) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u);

  test('come in the order of the similarity of a spelling that is a name, then of their deals', async () => {
    await rolledBack(async (client) => {
      await insertNames(client, 'startup', ['Rivre', 'Rover', 'Riva', 'Rover', 'Rive', 'Rivers']);
      await client.query(`UPDATE venture.startup SET total_raised_reported = ascii(substr(name, 2, 1))
        WHERE name IN ('Rivre', 'Rover', 'Rive', 'Rivers') AND id = (
          SELECT min(s.id::text)::uuid FROM venture.startup s WHERE s.name = startup.name)`);
      const { rows } = await client.query<{ id: string }>(
        `SELECT id::text FROM venture.startup
         WHERE venture.name_compact(name_folded) = ANY ($1)
         ORDER BY venture.similarity(name_folded, 'river') DESC, rounds_count DESC,
           coalesce(total_raised, 0) DESC, id`,
        [typosOf('river')],
      );
      expect(rows.length).toBeGreaterThan(4);
      for (const few of [1, 2, 3, rows.length]) {
        const found = await client.query<{ id: string }>(
          'SELECT venture.startups_with_typo($1, $2, $3, $4)::text AS id',
          [typosOf('river'), [], 'river', few],
        );
        expect(found.rows).toEqual(rows.slice(0, few));
      }
    });
  });

  test('are those that a comparison of all names finds; of many, those without further words', async () => {
    await fc.assert(
      fc.asyncProperty(
        NAMES,
        WORD,
        fc.subarray(['bank', 'labs']),
        fc.integer({ min: 1, max: 4 }),
        (names, word, others, few) =>
          rolledBack(async (client) => {
            await insertNames(client, 'startup', names);
            const spellings = new Set(typosOf(word));
            const found = names.filter((name) => wordsOf(name).some((each) => spellings.has(each)));
            expect((await withTypo(client, word, others, 100)).toSorted()).toEqual(
              found.toSorted(),
            );

            const alone = found.filter((name) => wordsOf(name).length === 1);
            const bounded = await withTypo(client, word, others, few);
            if (alone.length < few) {
              expect(bounded).toHaveLength(Math.min(found.length, few));
              return;
            }
            expect(
              bounded.filter((name) => wordsOf(name).length === 1).length,
            ).toBeGreaterThanOrEqual(few);
            for (const name of bounded) {
              const words = wordsOf(name);
              expect(words.some((each) => spellings.has(each))).toBe(true);
              expect(words.length === 1 || words.some((each) => others.includes(each))).toBe(true);
            }
          }),
      ),
      runs(15, 800),
    );
  });
});
