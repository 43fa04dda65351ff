/** Statements that recompute the codes of records, derived from the table of dimensions. */
import {
  DIMENSIONS,
  dimensionById,
  ENTITIES,
  type EntityId,
  type EntityLinks,
  type EntityRelation,
  FIGURES,
  INDEXED,
  LINKS,
  RELATIONS,
  type Reading,
  storedFigure,
  TOTAL,
} from '@vcds/venture-model';
import type pg from 'pg';

/**
 * Computes the codes of records and stores those that changed; returns their number.
 *
 * @param ids without duplicates, as the text of a `uuid[]`.
 */
export async function recompute(
  client: pg.ClientBase,
  entity: EntityId,
  ids: string,
  version: string | undefined,
): Promise<number> {
  const { rows } = await client.query<{ changed: number }>(RECOMPUTE[entity], [ids, version]);
  const rename = RENAME[entity];
  if (rename !== undefined) await client.query(rename, [ids, version]);
  return rows[0]?.changed ?? 0;
}

/** The text by which a value is searched and ordered: the name of a record, or itself. */
const LABEL = `coalesce(${DIMENSIONS.flatMap(({ names, number }) =>
  names === undefined
    ? []
    : `CASE WHEN dimension = ${number} THEN
        (SELECT r.name FROM ${ENTITIES[names].table} AS r WHERE r.id = value::uuid) END`,
).join(', ')}, value)`;

/**
 * SQL that reads the dimension values of records, adds codes for new values, stores changed codes
 * under a version, and adds the differences to the stored counts and the number of records.
 *
 * `$1`: ids without duplicates, as the text of a `uuid[]`; `$2`: the version. Returns the number of
 * changed records. The planner has no statistics here, so the statement does not depend on its
 * estimates: it looks up relations record by record (LATERAL) and each distinct value once, and it
 * combines rows by grouping instead of joins.
 */
function compileRecompute(entity: EntityId): string {
  const { table, facetTable, number, listed } = ENTITIES[entity];
  const links = LINKS[entity];
  const ofLinks = links.flatMap(({ ids, tag }) => (tag ? [ids, tag.codes] : [ids]));
  const columns = ['figures', ...ofLinks];
  const added = columns.map((column) => `, ${column}`).join('');
  const differ = columns.map((column) => ` OR b.${column} <> a.${column}`).join('');
  const updated = columns.map((column) => `, ${column} = excluded.${column}`).join('');
  return `WITH touched AS MATERIALIZED (
      SELECT e.id, NOT (${listed('e')}) AS deleted
      FROM unnest($1::text::uuid[]) AS t(id) JOIN ${table} AS e ON e.id = t.id
    ), read AS (
      SELECT t.id, v.dimension, v.value COLLATE "C" AS value
      FROM touched AS t
      JOIN ${table} AS record ON record.id = t.id
      CROSS JOIN LATERAL (${reads(entity).join(' UNION ALL ')}) AS v(dimension, value)
      WHERE NOT t.deleted
    ), known AS MATERIALIZED (
      SELECT k.dimension, k.value, k.ids, d.code
      FROM (SELECT dimension, value, array_agg(id) AS ids FROM read GROUP BY 1, 2) AS k
      LEFT JOIN venture.dimension_value AS d ON d.dimension = k.dimension AND d.value = k.value
    ), added AS (
      INSERT INTO venture.dimension_value (dimension, value, folded)
      SELECT dimension, value, venture.fold(${LABEL}) FROM known WHERE code IS NULL
      ORDER BY dimension, value
      RETURNING code, dimension, value
    ), coded AS (
      SELECT max(code) AS code, max(ids) AS ids FROM (
        SELECT dimension, value, code, ids FROM known
        UNION ALL SELECT dimension, value, code, NULL FROM added) AS c
      GROUP BY dimension, value
    ), after AS (
      SELECT id, bool_or(deleted) AS deleted, coalesce(
        array_agg(DISTINCT code ORDER BY code) FILTER (WHERE code IS NOT NULL), '{}') AS codes
      FROM (
        SELECT id, deleted, NULL::integer AS code FROM touched
        UNION ALL SELECT unnest(ids), false, code FROM coded) AS a
      GROUP BY id
    ), linked AS MATERIALIZED (
      SELECT a.*, ${figuresOf(entity)} AS figures${ofLinks.map((column) => `, ${column}`).join('')} FROM after AS a
      JOIN ${table} AS record ON record.id = a.id${links.map(linksOf).join('')}
    ), changed AS MATERIALIZED (
      SELECT a.id, a.deleted, a.codes${columns.map((column) => `, a.${column}`).join('')}, coalesce(b.codes, '{}') AS before,
        coalesce(NOT b.deleted, false) AS was_listed
      FROM linked AS a LEFT JOIN ${facetTable} AS b ON b.id = a.id
      WHERE b.id IS NULL OR b.deleted <> a.deleted OR b.codes <> a.codes${differ}
    ), stored AS (
      INSERT INTO ${facetTable} (id, codes, deleted, version${added})
      SELECT id, codes, deleted, $2::bigint${added} FROM changed
      ON CONFLICT (id) DO UPDATE SET
        codes = excluded.codes, deleted = excluded.deleted, version = excluded.version${updated}
    ), counted AS (
      INSERT INTO venture.facet_count AS f (entity, code, count)
      SELECT ${number}, d.code, sum(d.by) FROM (
        SELECT unnest(codes) AS code, 1 AS by FROM changed
        UNION ALL SELECT unnest(before), -1 FROM changed
        UNION ALL SELECT ${TOTAL}, (NOT deleted)::int - was_listed::int FROM changed) AS d
      GROUP BY d.code HAVING sum(d.by) <> 0
      ON CONFLICT (entity, code) DO UPDATE SET count = f.count + excluded.count
    )
    SELECT count(*)::int AS changed FROM changed`;
}

/** Changes the order of the values that are ids of records, `$1` as above, to that of their names. */
function compileRename(entity: EntityId): string | undefined {
  const numbers = DIMENSIONS.flatMap(({ names, number }) => (names === entity ? [number] : []));
  if (numbers.length === 0) return undefined;
  return `UPDATE venture.dimension_value AS d SET folded = venture.fold(record.name), version = $2
    FROM unnest($1::text::uuid[]) AS t(id) JOIN ${ENTITIES[entity].table} AS record ON record.id = t.id
    WHERE d.dimension IN (${numbers.join(', ')}) AND d.value = t.id::text
      AND d.folded <> venture.fold(record.name)`;
}

/** The figures of a record; none of a deleted one. */
function figuresOf(entity: EntityId): string {
  const figures = FIGURES[entity].map((figure) => storedFigure(figure, 'record'));
  return `CASE WHEN a.deleted THEN '{}' ELSE ARRAY[${figures.join(', ')}] END`;
}

/** The links of a record to live ones, and the codes of what each link has, as arrays; none of a deleted record. */
function linksOf({ relation, ids, tag }: EntityLinks, index: number): string {
  const code =
    tag &&
    `, coalesce(array_agg(coalesce((SELECT d.code FROM venture.dimension_value AS d
        WHERE d.dimension = ${dimensionById(tag.dimension).number} AND d.value = ${tag.sql}), 0)
        ORDER BY related.id), '{}') AS ${tag.codes}`;
  return `
      CROSS JOIN LATERAL (SELECT coalesce(array_agg(related.id ORDER BY related.id), '{}') AS ${ids}${code ?? ''}
        ${relation.from('record')} AND NOT a.deleted) AS links${index}`;
}

const RECOMPUTE: Readonly<Record<EntityId, string>> = {
  startups: compileRecompute('startups'),
  funds: compileRecompute('funds'),
  rounds: compileRecompute('rounds'),
};

const RENAME: Readonly<Record<EntityId, string | undefined>> = {
  startups: compileRename('startups'),
  funds: compileRename('funds'),
  rounds: compileRename('rounds'),
};

/** SQL that logs the records related to changed ones, to recompute them too; `$1` as above. */
export function compileSpread(entity: EntityId, { to, from }: EntityRelation): string {
  return `INSERT INTO venture.facet_change (entity, id)
    SELECT DISTINCT ${ENTITIES[to].number}, r.id
    FROM unnest($1::text::uuid[]) AS t(id)
    JOIN ${ENTITIES[entity].table} AS record ON record.id = t.id
    CROSS JOIN LATERAL (SELECT related.id ${from('record')}) AS r`;
}

/** One read of the record itself, and one of each relation with other values. */
function reads(entity: EntityId): string[] {
  const own = INDEXED.flatMap(({ number, readings }): Column[] => {
    const reading = readings[entity];
    return reading === undefined || reading.through !== undefined ? [] : [{ number, ...reading }];
  });
  const reached = RELATIONS[entity].flatMap((relation) => {
    const columns = DIMENSIONS.flatMap(({ number, readings }): Column[] =>
      readings[entity].through === relation ? [{ number, ...readings[entity] }] : [],
    );
    if (columns.length === 0) return [];
    const read = columns.map(({ number, sql }) => `${sql('related')} AS d${number}`);
    const found = columns.map((each) => ({ ...each, sql: () => `x.d${each.number}` }));
    return [
      `SELECT DISTINCT v.dimension, v.value
        FROM (SELECT ${read.join(', ')} ${relation.from('record')}) AS x
        CROSS JOIN LATERAL (${rows(found)}) AS v`,
    ];
  });
  return [rows(own), ...reached];
}

/** The value or values of a dimension or of another indexed column. */
interface Column extends Reading {
  readonly number: number;
}

/** The values as rows (dimension, value); null is no value. */
function rows(columns: readonly Column[]): string {
  const singles = columns.filter(({ many }) => !many);
  const arrays = columns.filter(({ many }) => many);
  return [
    ...arrays.map(
      ({ number, sql }) => `SELECT ${number} AS dimension, e.value::text
        FROM unnest(${sql('record')}) AS e(value) WHERE e.value IS NOT NULL`,
    ),
    ...(singles.length === 0
      ? []
      : [
          `SELECT e.dimension, e.value FROM (VALUES ${singles
            .map(({ number, sql }) => `(${number}, ${sql('record')}::text)`)
            .join(', ')}) AS e(dimension, value) WHERE e.value IS NOT NULL`,
        ]),
  ].join(' UNION ALL ');
}
