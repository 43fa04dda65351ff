/**
 * Replaces spellings of a tag that differ only in case, accents or blanks, and spellings of a place
 * in one country that differ only in case or accents, by one spelling: the label of the term, which
 * only an operator changes, or for a new term the most common one of the import.
 */
import type { RecordType, TermKind } from '../records/kinds.ts';
import { type Layout, layout, OP_CODES, TERM_LETTERS } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { completePlaces, findCountries, onlyCountry, SEPARATOR } from './record-countries.ts';

/** The country in a staged spelling, as the line has it. */
const writtenCountry = (staged: string): string =>
  `split_part(substr(${staged}, 2), ${SEPARATOR}, 1)`;

/** The SQL columns of a staged spelling: kind, country (folded) and spelling. */
export const termColumns = (staged: string): string =>
  `CASE left(${staged}, 1) ${Object.entries(TERM_LETTERS)
    .map(([kind, letter]) => `WHEN '${letter}' THEN '${kind}'`)
    .join(' ')} END AS kind,
   venture.fold(${writtenCountry(staged)}) AS country,
   substr(${staged}, 3 + length(${writtenCountry(staged)})) AS spelling`;

/** A replaced spelling in the staged lines of one file. */
export interface Respelling {
  readonly type: RecordType;
  readonly kind: TermKind;
  readonly from: string;
  readonly to: string;
  /** The number of lines that have it, and the first of them. */
  readonly lines: number;
  readonly line: number;
  /** The number of the first of them in the import. */
  readonly n: number;
}

/**
 * Adds new terms, and replaces spellings in staged lines by the labels.
 *
 * @param files the number of the first staged line of each file, in ascending order.
 * @param onRespellings receives pages of replaced spellings, each once for its type and file.
 * @returns the number of changed lines of each type.
 */
export async function canonicalizeTerms(
  tables: StageTables,
  files: readonly number[],
  onRespellings: (page: readonly Respelling[]) => Promise<void>,
): Promise<ReadonlyMap<RecordType, number>> {
  const rewritten = new Map<RecordType, number>();
  const types = tables.types.filter((type) => layout(type).spelled);
  if (types.length === 0) return rewritten;
  const lacking = new Set<RecordType>();
  for (const type of types) {
    const patches = `${tables.name(type)} WHERE op = ${OP_CODES.patch} AND outcome IS NULL`;
    if (!(await tables.any(patches))) continue;
    if (await findCountries(tables, type)) {
      lacking.add(type);
      await addCountries(tables, type);
    }
    await completePlaces(tables, type);
  }
  await collectSpellings(tables, types);
  await addTerms(tables);
  if ((await findAliases(tables)) === 0) return rewritten;
  await addSpellings(tables);
  for (const type of types) {
    await listRespellings(tables, type, files, onRespellings);
    rewritten.set(type, await respell(tables, layout(type), lacking.has(type)));
  }
  return rewritten;
}

async function collectSpellings(tables: StageTables, types: readonly RecordType[]): Promise<void> {
  const all = types
    .map(
      (type) =>
        `SELECT spelling, count(*) AS uses FROM ${tables.name(type)} l, unnest(l.spellings) spelling
         WHERE l.outcome IS NULL AND l.op <> ${OP_CODES.delete} GROUP BY spelling`,
    )
    .join(' UNION ALL ');
  await tables.createAs(
    'spelling',
    `SELECT staged, kind, country, spelling, venture.term_fold(kind, spelling) AS folded, uses
     FROM (
       SELECT spelling AS staged, ${termColumns('l.spelling')}, sum(uses) AS uses
       FROM (${all}) l GROUP BY l.spelling) s`,
  );
}

/** Of equally common spellings, one with accents, then one that is not all lower or upper case. */
const PREFERENCE = `s.uses DESC, octet_length(s.spelling) - length(s.spelling) DESC,
  s.spelling = lower(s.spelling), s.spelling = upper(s.spelling) AND length(s.spelling) > 4,
  s.spelling COLLATE "C"`;

async function addTerms(tables: StageTables): Promise<void> {
  await tables.client.query(
    `INSERT INTO venture.term (kind, country, folded, label)
     SELECT DISTINCT ON (s.kind, s.country, s.folded) s.kind, s.country, s.folded, s.spelling
     FROM ${tables.name('spelling')} s
     WHERE NOT EXISTS (
       SELECT FROM venture.term t
       WHERE t.kind = s.kind AND t.country = s.country AND t.folded = s.folded)
     ORDER BY s.kind, s.country, s.folded, ${PREFERENCE}
     ON CONFLICT DO NOTHING`,
  );
}

/** Stores every spelling that is not the label: filters and dimensions understand it. */
async function addSpellings(tables: StageTables): Promise<void> {
  await tables.client.query(
    `INSERT INTO venture.term_spelling (kind, country, folded, spelling)
     SELECT DISTINCT kind, country, folded, spelling FROM ${tables.name('alias')}
     ON CONFLICT DO NOTHING`,
  );
}

async function findAliases(tables: StageTables): Promise<number> {
  const aliases = await tables.createAs(
    'alias',
    `SELECT s.staged, s.kind, s.country, s.folded, s.spelling, t.label FROM ${tables.name('spelling')} s
     JOIN venture.term t USING (kind, country, folded) WHERE s.spelling <> t.label`,
  );
  await tables.client.query(`CREATE UNIQUE INDEX ON ${tables.name('alias')} (staged)`);
  return aliases;
}

const PAGE_ROWS = 1000;

async function listRespellings(
  tables: StageTables,
  type: RecordType,
  files: readonly number[],
  onRespellings: (page: readonly Respelling[]) => Promise<void>,
): Promise<void> {
  const { client } = tables;
  await client.query('BEGIN');
  await client.query(
    `DECLARE respelling NO SCROLL CURSOR FOR
     SELECT '${type}' AS type, a.kind, a.spelling AS from, a.label AS to, count(*)::int AS lines,
       min(l.line)::float8 AS line, min(l.n)::float8 AS n
     FROM ${tables.name(type)} l, unnest(l.spellings) u(staged)
     JOIN ${tables.name('alias')} a USING (staged)
     WHERE l.outcome IS NULL
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

async function respell(
  tables: StageTables,
  shape: Layout,
  lacksCountries: boolean,
): Promise<number> {
  const alias = tables.name('alias');
  const known = lacksCountries ? knownCountry(tables, shape.type) : 'NULL';
  const columns = shape.parts.flatMap(({ row, staged: [column] }) => {
    if (column === undefined) return [];
    if (row.kind === 'addresses') return [`${column.name} = ${respelledAddresses(alias, known)}`];
    if (row.term === undefined) return [];
    const letter = TERM_LETTERS[row.term];
    const country = `coalesce(${onlyCountry('s')}, ${known})`;
    const value =
      row.kind === 'place'
        ? labelOf(alias, letter, country, `s.${column.name}`)
        : respelledArray(alias, letter, `s.${column.name}`);
    return [`${column.name} = ${value}`];
  });
  const { rowCount } = await tables.client.query(
    `UPDATE ${tables.name(shape.type)} s SET ${columns.join(', ')}
     WHERE s.outcome IS NULL AND s.n IN (
       SELECT l.n FROM ${tables.name(shape.type)} l, unnest(l.spellings) u(staged)
       JOIN ${alias} a USING (staged))`,
  );
  return rowCount ?? 0;
}

const labelOf = (alias: string, letter: string, country: string, value: string): string =>
  `coalesce((SELECT a.label FROM ${alias} a WHERE a.staged = '${letter}'
     || replace(coalesce(${country}, ''), ${SEPARATOR}, '') || ${SEPARATOR} || ${value}), ${value})`;

/** The labels in the order of the spellings; two spellings of one term become one. */
const respelledArray = (alias: string, letter: string, values: string): string =>
  `ARRAY(
     SELECT label FROM (
       SELECT ${labelOf(alias, letter, 'NULL', 'e.value')} AS label, e.place
       FROM unnest(${values}) WITH ORDINALITY AS e(value, place)) e
     GROUP BY label ORDER BY min(place))`;

/** The country of the record of a patch that gives a place without it. */
const knownCountry = (tables: StageTables, type: RecordType): string =>
  `CASE WHEN s.op = ${OP_CODES.patch} THEN (
     SELECT k.value FROM ${tables.name(`country_${type}`)} k WHERE k.n = s.n) END`;

/** Adds the country of the record to the staged spellings of patches without a country. */
async function addCountries(tables: StageTables, type: RecordType): Promise<void> {
  const places = `('${TERM_LETTERS.city}', '${TERM_LETTERS.region}')`;
  await tables.client.query(
    `UPDATE ${tables.name(type)} l SET spellings = ARRAY(
       SELECT CASE WHEN left(s, 1) IN ${places} AND substr(s, 2, 1) = ${SEPARATOR}
         THEN left(s, 1) || replace(c.value, ${SEPARATOR}, '') || substr(s, 2) ELSE s END
       FROM unnest(l.spellings) s)
     FROM ${tables.name(`country_${type}`)} c
     WHERE l.n = c.n AND c.value IS NOT NULL`,
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
