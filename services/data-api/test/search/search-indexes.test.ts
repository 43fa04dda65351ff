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
  compileFuzzyLookup,
  compileLookup,
  compileTypoLookup,
} from '../../src/search/candidate-statements.ts';
import { openSearchFixture } from './support/search-fixture.ts';

const fixture = await closedAfterAll(openSearchFixture());
await fixture.sql.query(
  `INSERT INTO venture.startup (name, domain)
   SELECT md5(i::text), md5(i::text) || '.co.uk' FROM generate_series(1, 5000) AS i`,
);
await fixture.sql.query('VACUUM ANALYZE venture.startup');

describe.each(['force_generic_plan', 'force_custom_plan'])('planned with %s', (planning) => {
  const name = nameForms('blue river capital');
  const words = ['river', 'blue'];
  const many = nameForms('abcdefghijklmnopqrst');
  test.each([
    ['names', compileLookup(['startup'], name, words, null)],
    ['slips', compileTypoLookup(['startup'], many)],
    ['like names', compileFuzzyLookup(['startup'], many, many.words)],
    ['sites', compileLookup(['startup'], null, [], websiteForms('a.river.com/x'))],
  ])('%s are found by an index, without a sequential scan', async (_, statement) => {
    expect(await sequentialScansOf(statement, planning)).toBe(0);
  });
});

/** The sequential scans of the table of startups by a statement. */
async function sequentialScansOf({ text, values }: Statement, planning: string): Promise<number> {
  const client = await fixture.sql.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL plan_cache_mode = ${planning}`);
    await client.query({ name: `${planning} ${text.length}`, text, values: [...values] });
    const { rows } = await client.query<{ scans: number }>(
      `SELECT seq_scan::int AS scans FROM pg_stat_xact_user_tables
       WHERE relid = 'venture.startup'::regclass`,
    );
    return rows[0]?.scans ?? 0;
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
