/**
 * Spellings of a tag or place that differ only in case, accents or spacing become one: the one in
 * use, or for a new term the most common one of the import.
 */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { type Layout, layout, opCodes, termLetters } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** SQL that turns the letter before a staged spelling into the kind of its term. */
export const termKind = (spelling: string): string =>
  `CASE left(${spelling}, 1) ${Object.entries(termLetters)
    .map(([kind, letter]) => `WHEN '${letter}' THEN '${kind}'`)
    .join(' ')} END`;

/**
 * Adds new terms, and rewrites staged lines to the spelling in use.
 *
 * @returns how many lines of each type were rewritten.
 */
export async function settleSpellings(
  client: pg.ClientBase,
  tables: StageTables,
): Promise<ReadonlyMap<RecordType, number>> {
  const rewritten = new Map<RecordType, number>();
  const types = tables.types.filter((type) => layout(type).spelled);
  if (types.length === 0) return rewritten;
  await gather(client, tables, types);
  await addTerms(client, tables);
  if (!(await findAliases(client, tables))) return rewritten;
  for (const type of types) rewritten.set(type, await respell(client, tables, layout(type)));
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
         WHERE l.fate IS NULL AND l.op <> ${opCodes.delete} GROUP BY spelling`,
    )
    .join(' UNION ALL ');
  await client.query(
    `CREATE UNLOGGED TABLE ${tables.name('spelling')} AS
     SELECT spelling AS staged, ${termKind('spelling')} AS kind, substr(spelling, 2) AS spelling,
       venture.term_fold(substr(spelling, 2)) AS folded, sum(uses) AS uses
     FROM (${all}) l GROUP BY spelling`,
  );
  await client.query(`ANALYZE ${tables.name('spelling')}`);
}

async function addTerms(client: pg.ClientBase, tables: StageTables): Promise<void> {
  await client.query(
    `INSERT INTO venture.term (kind, folded, label)
     SELECT DISTINCT ON (s.kind, s.folded) s.kind, s.folded, s.spelling
     FROM ${tables.name('spelling')} s
     WHERE NOT EXISTS (
       SELECT FROM venture.term t WHERE t.kind = s.kind AND t.folded = s.folded)
     ORDER BY s.kind, s.folded, s.uses DESC, s.spelling COLLATE "C"
     ON CONFLICT DO NOTHING`,
  );
}

async function findAliases(client: pg.ClientBase, tables: StageTables): Promise<boolean> {
  const alias = tables.name('alias');
  await client.query(
    `CREATE UNLOGGED TABLE ${alias} AS
     SELECT s.staged, t.label FROM ${tables.name('spelling')} s
     JOIN venture.term t USING (kind, folded) WHERE s.spelling <> t.label`,
  );
  await client.query(`CREATE UNIQUE INDEX ON ${alias} (staged)`);
  await client.query(`ANALYZE ${alias}`);
  const { rows } = await client.query(`SELECT FROM ${alias} LIMIT 1`);
  return rows.length > 0;
}

async function respell(client: pg.ClientBase, tables: StageTables, shape: Layout): Promise<number> {
  const alias = tables.name('alias');
  const columns = shape.parts.flatMap(({ row, staged: [column] }) => {
    if (column === undefined) return [];
    if (row.kind === 'addresses') return [`${column.name} = ${respelledAddresses(alias)}`];
    if (row.term === undefined) return [];
    const letter = termLetters[row.term];
    const value =
      row.kind === 'place'
        ? labelOf(alias, letter, `s.${column.name}`)
        : respelledArray(alias, letter, `s.${column.name}`);
    return [`${column.name} = ${value}`];
  });
  const { rowCount } = await client.query(
    `UPDATE ${tables.name(shape.type)} s SET ${columns.join(', ')}
     WHERE s.fate IS NULL AND s.n IN (
       SELECT l.n FROM ${tables.name(shape.type)} l, unnest(l.spellings) spelling
       JOIN ${alias} a ON a.staged = spelling)`,
  );
  return rowCount ?? 0;
}

const labelOf = (alias: string, letter: string, value: string): string =>
  `coalesce((SELECT a.label FROM ${alias} a WHERE a.staged = '${letter}' || ${value}), ${value})`;

/** In the order written; two spellings of one term in a record become one. */
const respelledArray = (alias: string, letter: string, values: string): string =>
  `ARRAY(
     SELECT label FROM (
       SELECT ${labelOf(alias, letter, 'e.value')} AS label, e.place
       FROM unnest(${values}) WITH ORDINALITY AS e(value, place)) e
     GROUP BY label ORDER BY min(place))`;

const respelledAddresses = (alias: string): string => {
  const parts = (['city', 'region', 'country'] as const).map((kind) => {
    const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    return `'${name}', ${labelOf(alias, termLetters[kind], `(e.value ->> '${name}')`)}`;
  });
  return `(
    SELECT coalesce(jsonb_agg(e.value || jsonb_strip_nulls(jsonb_build_object(${parts.join(', ')}))
      ORDER BY e.place), '[]'::jsonb)
    FROM jsonb_array_elements(s.addresses) WITH ORDINALITY AS e(value, place))`;
};
