/**
 * Spellings of a tag that differ only in case, accents or blanks become one, and those of a place
 * that differ only in case or accents, within one country: the one in use, or for a new term the
 * most common one of the import.
 */
import type pg from 'pg';
import type { RecordType, TermKind } from '../records/kinds.ts';
import { COUNTRY_END, type Layout, layout, OP_CODES, TERM_LETTERS } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

const separator = `E'\\x${COUNTRY_END.charCodeAt(0).toString(16)}'`;

/** The country before a staged spelling, as it was written. */
const writtenCountry = (staged: string): string =>
  `split_part(substr(${staged}, 2), ${separator}, 1)`;

/** SQL columns out of a staged spelling: kind, country (folded) and spelling. */
export const termColumns = (staged: string): string =>
  `CASE left(${staged}, 1) ${Object.entries(TERM_LETTERS)
    .map(([kind, letter]) => `WHEN '${letter}' THEN '${kind}'`)
    .join(' ')} END AS kind,
   venture.fold(${writtenCountry(staged)}) AS country,
   substr(${staged}, 3 + length(${writtenCountry(staged)})) AS spelling`;

/** A spelling of staged lines that gave way to another, in the lines of one file. */
export interface Respelling {
  readonly type: RecordType;
  readonly kind: TermKind;
  readonly from: string;
  readonly to: string;
  /** How many lines bear it, and the first of them. */
  readonly lines: number;
  readonly line: number;
  /** The number the first of them was staged under. */
  readonly n: number;
}

/**
 * Adds new terms, and rewrites staged lines to the spelling in use.
 *
 * @param files the first number under which lines of each file were staged, in rising order.
 * @param onRespellings receives each spelling that gave way, once a type and file, in pages.
 * @returns how many lines of each type were rewritten.
 */
export async function settleSpellings(
  client: pg.ClientBase,
  tables: StageTables,
  files: readonly number[],
  onRespellings: (page: readonly Respelling[]) => Promise<void>,
): Promise<ReadonlyMap<RecordType, number>> {
  const rewritten = new Map<RecordType, number>();
  const types = tables.types.filter((type) => layout(type).spelled);
  if (types.length === 0) return rewritten;
  for (const type of types) await placePatches(client, tables, type);
  await gather(client, tables, types);
  await addTerms(client, tables);
  if (!(await findAliases(client, tables))) return rewritten;
  for (const type of types) {
    await listRespellings(client, tables, type, files, onRespellings);
    rewritten.set(type, await respell(client, tables, layout(type)));
  }
  return rewritten;
}

async function gather(
  client: pg.ClientBase,
  tables: StageTables,
  types: readonly RecordType[],
): Promise<void> {
  const all = types
    .map(
      (type) =>
        `SELECT spelling, count(*) AS uses FROM ${tables.name(type)} l, unnest(l.spellings) spelling
         WHERE l.fate IS NULL AND l.op <> ${OP_CODES.delete} GROUP BY spelling`,
    )
    .join(' UNION ALL ');
  await client.query(
    `CREATE UNLOGGED TABLE ${tables.name('spelling')} AS
     SELECT staged, kind, country, spelling, venture.term_fold(kind, spelling) AS folded, uses
     FROM (
       SELECT spelling AS staged, ${termColumns('l.spelling')}, sum(uses) AS uses
       FROM (${all}) l GROUP BY l.spelling) s`,
  );
  await client.query(`ANALYZE ${tables.name('spelling')}`);
}

async function addTerms(client: pg.ClientBase, tables: StageTables): Promise<void> {
  await client.query(
    `INSERT INTO venture.term (kind, country, folded, label)
     SELECT DISTINCT ON (s.kind, s.country, s.folded) s.kind, s.country, s.folded, s.spelling
     FROM ${tables.name('spelling')} s
     WHERE NOT EXISTS (
       SELECT FROM venture.term t
       WHERE t.kind = s.kind AND t.country = s.country AND t.folded = s.folded)
     ORDER BY s.kind, s.country, s.folded, s.uses DESC, s.spelling COLLATE "C"
     ON CONFLICT DO NOTHING`,
  );
}

async function findAliases(client: pg.ClientBase, tables: StageTables): Promise<boolean> {
  const alias = tables.name('alias');
  await client.query(
    `CREATE UNLOGGED TABLE ${alias} AS
     SELECT s.staged, s.kind, s.spelling, t.label FROM ${tables.name('spelling')} s
     JOIN venture.term t USING (kind, country, folded) WHERE s.spelling <> t.label`,
  );
  await client.query(`CREATE UNIQUE INDEX ON ${alias} (staged)`);
  await client.query(`ANALYZE ${alias}`);
  const { rows } = await client.query(`SELECT FROM ${alias} LIMIT 1`);
  return rows.length > 0;
}

const PAGE_ROWS = 1000;

async function listRespellings(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
  files: readonly number[],
  onRespellings: (page: readonly Respelling[]) => Promise<void>,
): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    `DECLARE respelling NO SCROLL CURSOR FOR
     SELECT '${type}' AS type, a.kind, a.spelling AS from, a.label AS to, count(*)::int AS lines,
       min(l.line)::float8 AS line, min(l.n)::float8 AS n
     FROM ${tables.name(type)} l, unnest(l.spellings) u(staged)
     JOIN ${tables.name('alias')} a USING (staged)
     WHERE l.fate IS NULL
     GROUP BY width_bucket(l.n, $1::bigint[]), a.kind, a.spelling, a.label ORDER BY min(l.n)`,
    [files],
  );
  for (;;) {
    const { rows } = await client.query<Respelling>(`FETCH ${PAGE_ROWS} FROM respelling`);
    await onRespellings(rows);
    if (rows.length < PAGE_ROWS) break;
  }
  await client.query('COMMIT');
}

async function respell(client: pg.ClientBase, tables: StageTables, shape: Layout): Promise<number> {
  const alias = tables.name('alias');
  const columns = shape.parts.flatMap(({ row, staged: [column] }) => {
    if (column === undefined) return [];
    if (row.kind === 'addresses') {
      return [`${column.name} = ${respelledAddresses(alias, knownCountry('s', shape.type))}`];
    }
    if (row.term === undefined) return [];
    const letter = TERM_LETTERS[row.term];
    const value =
      row.kind === 'place'
        ? labelOf(alias, letter, onlyCountry('s'), `s.${column.name}`)
        : respelledArray(alias, letter, `s.${column.name}`);
    return [`${column.name} = ${value}`];
  });
  const { rowCount } = await client.query(
    `UPDATE ${tables.name(shape.type)} s SET ${columns.join(', ')}
     WHERE s.fate IS NULL AND s.n IN (
       SELECT l.n FROM ${tables.name(shape.type)} l, unnest(l.spellings) u(staged)
       JOIN ${alias} a USING (staged))`,
  );
  return rowCount ?? 0;
}

/** The country of a row that names one. */
export const onlyCountry = (row: string): string =>
  `CASE WHEN cardinality(${row}.countries) = 1 THEN ${row}.countries[1] END`;

const labelOf = (alias: string, letter: string, country: string, value: string): string =>
  `coalesce((SELECT a.label FROM ${alias} a WHERE a.staged = '${letter}'
     || replace(coalesce(${country}, ''), ${separator}, '') || ${separator} || ${value}), ${value})`;

/** In the order written; two spellings of one term in a record become one. */
const respelledArray = (alias: string, letter: string, values: string): string =>
  `ARRAY(
     SELECT label FROM (
       SELECT ${labelOf(alias, letter, 'NULL', 'e.value')} AS label, e.place
       FROM unnest(${values}) WITH ORDINALITY AS e(value, place)) e
     GROUP BY label ORDER BY min(place))`;

/** The country of the first address that a record has, for a patch that does not give it. */
const knownCountry = (line: string, type: RecordType): string =>
  `CASE WHEN ${line}.in_part AND NOT ${line}.addresses -> 0 ? 'Country' THEN (
     SELECT t.addresses -> 0 ->> 'Country' FROM venture.${layout(type).table} t
     WHERE t.id = ${line}.id) END`;

/** Places of patches that name no country lie in that of their record. */
async function placePatches(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<void> {
  if (!layout(type).parts.some(({ row }) => row.kind === 'addresses')) return;
  const places = `('${TERM_LETTERS.city}', '${TERM_LETTERS.region}')`;
  await client.query(
    `UPDATE ${tables.name(type)} l SET spellings = ARRAY(
       SELECT CASE WHEN left(s, 1) IN ${places} AND substr(s, 2, 1) = ${separator}
         THEN left(s, 1) || replace(c.country, ${separator}, '') || substr(s, 2) ELSE s END
       FROM unnest(l.spellings) s)
     FROM (SELECT n, ${knownCountry('p', type)} AS country FROM ${tables.name(type)} p
           WHERE p.op = ${OP_CODES.patch} AND p.in_part AND p.fate IS NULL) c
     WHERE l.n = c.n AND c.country IS NOT NULL`,
  );
}

const respelledAddresses = (alias: string, known: string): string => {
  const parts = (['city', 'region', 'country'] as const).map((kind) => {
    const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    const country = kind === 'country' ? 'NULL' : `coalesce(e.value ->> 'Country', ${known})`;
    return `'${name}', ${labelOf(alias, TERM_LETTERS[kind], country, `(e.value ->> '${name}')`)}`;
  });
  return `(
    SELECT coalesce(jsonb_agg(e.value || jsonb_strip_nulls(jsonb_build_object(${parts.join(', ')}))
      ORDER BY e.place), '[]'::jsonb)
    FROM jsonb_array_elements(s.addresses) WITH ORDINALITY AS e(value, place))`;
};
