import { describe, expect, test } from '@jest/globals';
import { LEGAL_FORMS, nameForms } from '@vcds/name-search';
import { closedAfterAll, describeWithData } from '@vcds/test-kit';
import { websiteForms } from '@vcds/venture-model';
import {
  COMPANIES_FILE,
  FUNDS_FILE,
  readCompanies,
  readFunds,
} from '../../bench/search/data-sets.ts';
import type { Statement } from '../../src/postgres/statement.ts';
import {
  compileBothWordsLookup,
  compileFuzzyLookup,
  compileLookup,
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

describe.each(['force_generic_plan', 'force_custom_plan'])('planned with %s', (planning) => {
  const name = nameForms('blue river capital');
  const words = { rare: ['river'], general: ['blue'], phrase: ['blue', 'capital'] };
  const none = { rare: [], general: [], phrase: [] };
  const many = nameForms('abcdefghijklmnopqrst');
  test.each([
    ['names', compileLookup(['startup'], name, words, null)],
    ['slips', compileTypoLookup(['startup'], many)],
    ['words with a typo', compileWordTypoLookup(['startup'], many, words)],
    ['two words with typos', compileBothWordsLookup(['startup'], many, [['blue'], ['river']])],
    ['like names', compileFuzzyLookup(['startup'], many.words)],
    ['sites', compileLookup(['startup'], null, none, websiteForms('a.river.com/x'))],
  ])('%s are found by an index, without a sequential scan', async (_, statement) => {
    expect((await workOf(statement, planning)).scans).toBe(0);
  });
});

describe('a word that thousands of names have', () => {
  test.each([
    ['alone', { rare: [], general: ['quasar'], phrase: [] }],
    ['with a word that no name has', { rare: [], general: ['quasar'], phrase: ['quasar', 'zz'] }],
  ])('%s: reads a bounded part of them', async (_, given) => {
    const statement = compileLookup(['startup'], nameForms('quasar'), given, null);
    const { fetched } = await workOf(statement, 'force_generic_plan');
    // The 30 with money, those of one digit of the id (a 16th), and 100 again for their columns.
    expect(fetched).toBeGreaterThan(100);
    expect(fetched).toBeLessThan(GENERAL_NAMES / 4);
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
           pg_get_functiondef('venture.startups_ranked(text[],boolean,integer)'::regprocedure),
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

/** The sequential scans of the table of startups by a statement, and the rows it fetched. */
async function workOf({ text, values }: Statement, planning: string) {
  const client = await fixture.sql.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL plan_cache_mode = ${planning}`);
    await client.query({ name: `${planning} ${text.length}`, text, values: [...values] });
    const { rows } = await client.query<{ scans: number; fetched: number }>(
      `SELECT seq_scan::int AS scans, idx_tup_fetch::int AS fetched FROM pg_stat_xact_user_tables
       WHERE relid = 'venture.startup'::regclass`,
    );
    return rows[0] ?? { scans: -1, fetched: -1 };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

async function compactOf(names: readonly string[]): Promise<string[]> {
  const { rows } = await fixture.sql.query<{ compact: string }>(
    `SELECT venture.name_compact(venture.fold(name)) AS compact
     FROM unnest($1::text[]) WITH ORDINALITY AS u(name, position) ORDER BY position`,
    [names],
  );
  return rows.map(({ compact }) => compact);
}

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
