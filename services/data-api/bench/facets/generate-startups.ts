import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Random } from '@vcds/demo-data/random';
import { withClient } from '@vcds/test-kit/bench';
import { type DimensionId, dimensionById, ENTITIES, TOTAL } from '@vcds/venture-model';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type GeneratedDictionary, generateDictionary, placesOf, rank } from './dictionary.ts';

const CHUNK_ROWS = 2_000;
const { facetTable: TABLE, number: ENTITY } = ENTITIES.startups;

/**
 * Fills an empty database with the facet index of generated startups: dictionary, codes of each
 * record, counts. It fills only the facet tables of startups.
 *
 * A startup has 1 to 5 of 2,000 industries (Zipf), an address in one of 180 countries (the
 * largest has 36 %), with region and city of that country, 6 % a second address; with 65 % stages,
 * investors with one to four stages, types and groups, exit statuses, and one to four rounds with
 * series and year; a headcount bucket, an operating status and a year, recent ones more often.
 * Beyond that the dimensions do not depend on each other.
 */
export async function generateStartups(
  url: string,
  startups: number,
): Promise<GeneratedDictionary> {
  const dictionary = generateDictionary();
  await withClient(url, async (client) => {
    await client.query("SET maintenance_work_mem = '512MB'");
    await insertDictionary(client, dictionary);
    const indexes = await dropIndexes(client);
    const copy = client.query(copyFrom(`COPY ${TABLE} (id, codes, deleted, version) FROM STDIN`));
    await pipeline(Readable.from(lines(dictionary, startups)), copy);
    for (const definition of indexes) await client.query(definition);
    await client.query(
      `INSERT INTO venture.facet_count (entity, code, count)
       SELECT ${ENTITY}, code, count(*) FROM ${TABLE} AS f, unnest(${TOTAL} || f.codes) AS c(code)
       WHERE NOT f.deleted GROUP BY code`,
    );
    await client.query(
      'INSERT INTO venture.facet_state (id, version, applied_at) VALUES (1, 1, now())',
    );
    await client.query('INSERT INTO venture.facet_batch VALUES (1)');
    await client.query(`VACUUM ANALYZE ${TABLE}`);
    await client.query('VACUUM ANALYZE venture.dimension_value, venture.facet_count');
  });
  return dictionary;
}

/** Whether startups have been generated, to the end. */
export async function hasStartups(url: string): Promise<boolean> {
  const { rowCount } = await withClient(url, (client) =>
    client.query('SELECT FROM venture.facet_state'),
  );
  return rowCount !== 0;
}

/** The values that at least one startup has; in a small database some have none. */
export async function readOccurring(
  url: string,
  dictionary: GeneratedDictionary,
): Promise<GeneratedDictionary> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ dimension: number; value: string }>(
      `SELECT DISTINCT d.dimension, d.value FROM venture.dimension_value AS d
       JOIN venture.facet_count AS c USING (code) WHERE c.entity = $1 AND c.count > 0`,
      [ENTITY],
    ),
  );
  const known = new Set(rows.map(({ dimension, value }) => `${dimension} ${value}`));
  const entries = Object.entries(dictionary).map(([id, values]) => {
    const { number } = dimensionById(id as DimensionId);
    return [id, values.filter(({ value }) => known.has(`${number} ${value}`))] as const;
  });
  return Object.fromEntries(entries) as unknown as GeneratedDictionary;
}

async function insertDictionary(client: pg.Client, dictionary: GeneratedDictionary): Promise<void> {
  for (const [id, values] of Object.entries(dictionary)) {
    await client.query(
      `INSERT INTO venture.dimension_value (code, dimension, value, folded)
       OVERRIDING SYSTEM VALUE
       SELECT code, $1, value, lower(value) FROM unnest($2::int[], $3::text[]) AS v(code, value)`,
      [
        dimensionById(id as DimensionId).number,
        values.map(({ code }) => code),
        values.map(({ value }) => value),
      ],
    );
  }
}

/** Drops the indexes of the table; returns what makes them again. */
async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.oid::regclass::text AS name, pg_get_indexdef(c.oid) AS definition
     FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1::regclass AND NOT i.indisprimary`,
    [TABLE],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Rows of COPY, in pieces. */
function* lines(dictionary: GeneratedDictionary, startups: number): Generator<string> {
  const draw = startupDrawer(dictionary, new Random(42));
  let chunk: string[] = [];
  for (let i = 0; i < startups; i++) {
    chunk.push(`${randomBytes(16).toString('hex')}\t{${draw().join()}}\tf\t1\n`);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk.join('');
    chunk = [];
  }
  yield chunk.join('');
}

/** Codes of one startup after another, ascending. */
function startupDrawer(dictionary: GeneratedDictionary, random: Random): () => number[] {
  const codes = new Set<number>();
  const add = (id: DimensionId, place: number) => {
    const value = dictionary[id][place];
    if (value !== undefined) codes.add(value.code);
  };
  const many = (id: DimensionId, max: number, skew?: number) => {
    const count = 1 + random.below(max);
    for (let i = 0; i < count; i++) add(id, rank(random, dictionary[id].length, skew));
  };
  const address = () => {
    const country = rank(random, dictionary.country.length, 2);
    add('country', country);
    for (const places of ['region', 'city'] as const) {
      const [first, end] = placesOf(country, places);
      add(places, first + rank(random, end - first));
    }
  };
  return () => {
    codes.clear();
    many('industry', 5);
    address();
    if (random.unit() < 0.06) address();
    if (random.unit() < 0.65) {
      const stage = rank(random, 12);
      add('stage', stage);
      add('next_stage', stage + 1);
      many('investment_stage', 4);
      many('investor_type', 2);
      many('exit_status', 2, 2);
      if (random.unit() < 0.5) many('fund_group', 2);
      many('round_series', 4);
      many('round_year', 4, 0.7);
    }
    add('team_size', rank(random, dictionary.team_size.length, 1.2));
    add('operating_status', rank(random, dictionary.operating_status.length, 2));
    add('founded_year', rank(random, dictionary.founded_year.length, 0.6));
    return [...codes].sort((a, b) => a - b);
  };
}
