import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import {
  companiesFile,
  fundsFile,
  readCompanies,
  readFunds,
} from '../../bench/search/data-sets.ts';
import type { Statement } from '../../src/execute/statement.ts';
import {
  compileLikeLookup,
  compileLookup,
  compileSlipLookup,
} from '../../src/search/candidate-statements.ts';
import { legalForms } from '../../src/search/legal-forms.ts';
import { nameForms } from '../../src/search/name-forms.ts';
import { websiteForms } from '../../src/search/website-forms.ts';
import { openSearchWorld, type SearchWorld } from './support/search-world.ts';

let world: SearchWorld;

beforeAll(async () => {
  world = await openSearchWorld();
  await world.sql.query(
    `INSERT INTO venture.startup (name, domain)
     SELECT md5(i::text), md5(i::text) || '.co.uk' FROM generate_series(1, 5000) AS i`,
  );
  await world.sql.query('VACUUM ANALYZE venture.startup');
});
afterAll(() => world.close());

describe('with one plan for all values, every candidate is found by an index', () => {
  const name = nameForms('blue river capital');
  const none = { sites: null, words: [] };
  test.each([
    ['names', compileLookup(['startup'], name, ['river'], none.sites)],
    ['slips', compileSlipLookup(['startup'], name)],
    ['like names', compileLikeLookup(['startup'], name, ['river'])],
    ['sites', compileLookup(['startup'], null, none.words, websiteForms('a.river.com/x'))],
  ])('%s', async (_, statement) => {
    expect(await planOf(statement)).not.toMatch(/Seq Scan on startup/u);
  });
});

/** The plan the service's pool makes of a statement. */
async function planOf({ text, values }: Statement): Promise<string> {
  const rows = await world.database.pool.query<{ 'QUERY PLAN': string }>({
    text: `EXPLAIN ${text}`,
    values: [...values],
  });
  return rows.rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function compactOf(names: readonly string[]): Promise<string[]> {
  const { rows } = await world.sql.query<{ compact: string }>(
    `SELECT venture.name_compact(venture.fold(name)) AS compact
     FROM unnest($1::text[]) WITH ORDINALITY AS u(name, position) ORDER BY position`,
    [names],
  );
  return rows.map(({ compact }) => compact);
}

test('the database leaves out the same legal forms as the table of them', async () => {
  const forms = [...legalForms];
  const written = forms.flatMap((form) => [`Acme ${form}`, `Acme, ${form.toUpperCase()}.`]);
  expect(await compactOf(written)).toEqual(written.map(() => 'acme'));
  const { rows } = await world.sql.query<{ form: string }>(
    `SELECT btrim(form, E' \\n') AS form FROM unnest(string_to_array((regexp_match(
       pg_get_functiondef('venture.name_compact(text)'::regprocedure), '{([^}]*)}'))[1], ',')) form`,
  );
  expect(rows.map(({ form }) => form).toSorted()).toEqual(forms.toSorted());
});

test('a name that is only a legal form, or only signs, keeps it', async () => {
  expect(await compactOf(['Inc', 'GmbH Co', '***', 'A.G.'])).toEqual(['inc', 'gmbh', '***', 'ag']);
});

describeWithData(
  'real names',
  (folder) => {
    test('are read alike by the database and by the search', async () => {
      const names = [...readFunds(folder), ...readCompanies(folder)].map(({ name }) => name);
      const compact = await compactOf(names);
      const apart = names.filter((name, index) => {
        const forms = nameForms(name);
        const read = compact[index] ?? '';
        // Trade marks are signs here and letters there: both readings are looked up.
        return forms.compact !== read && forms.whole !== read && !/[™®]/u.test(name);
      });
      expect(apart.length / names.length).toBeLessThan(0.0005);
    });
  },
  [fundsFile, companiesFile],
);
