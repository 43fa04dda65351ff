/**
 * The statements that apply a chunk's lines of one type, derived from the type's layout. `l` is a
 * staged line, `t` the stored record; $1…$6 are the positions of the chunk and of the next one.
 */
import { moneyBits, moneyDay, originalOf } from '../checks/rates.ts';
import { creates, sameRecord } from '../checks/sql.ts';
import type { RecordType } from '../records/kinds.ts';
import { type Column, type Layout, layout, OP_CODES, type Part } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

export interface Statements {
  /** One row: `lines`, those whose record is `known`, of these the `stale` and `revived` ones. */
  readonly count: string;
  /**
   * One row: `inserted`. Records are inserted in the order of their ids: most indexes end with the id,
   * so that their pages are written one after another.
   */
  readonly insert: string;
  /** One row: `updated`, `deleted`. */
  readonly update: string;
  /** Stores the later date of lines that change nothing else. */
  readonly date: string;
  /** Stores the digests of applied sequences, with the resulting revisions. */
  readonly sequence: string;
}

/** Whether a line is older than the last one applied to its record. */
export const isStale = `(l.op <> ${OP_CODES.mention} AND l.occurred_at < t.occurred_at)`;

/** The lines of the chunk to apply; the bounds on `at` alone help the query planner. */
export const IN_CHUNK =
  `l.at BETWEEN $1 AND $4 AND (l.at, l.behind, l.n) >= ($1::bigint, $2::integer, $3::bigint)` +
  ` AND (l.at, l.behind, l.n) < ($4::bigint, $5::integer, $6::bigint) AND l.outcome IS NULL`;

/**
 * The target of lines: the records; or if some of the chunk's lines are about merged companies, the records of
 * the other lines, and the statements of these (docs/spec/one-company.md 25.8).
 */
export type Target = 'records' | 'other records' | 'statements';

/** The schema of a target, and its lines. */
export function targetOf(target: Target): { readonly schema: string; readonly lines: string } {
  if (target === 'records') return { schema: 'venture', lines: IN_CHUNK };
  const isStatement = target === 'statements';
  return {
    schema: isStatement ? 'stated' : 'venture',
    lines: `${IN_CHUNK} AND l.routed ${isStatement ? 'IS TRUE' : 'IS NOT TRUE'}`,
  };
}

export function statementsOf(tables: StageTables, type: RecordType, of: Target): Statements {
  const shape = layout(type);
  const { schema, lines } = targetOf(of);
  const target = `${schema}.${shape.table}`;
  const line = `${tables.name(type)} l`;
  const same = sameRecord(shape, 'l', 't');
  const computed = of === 'statements' ? [] : tables.computed(type);
  const assignments = assignmentsOf(shape);
  const written = shape.identity.map((column) => `t.${column}`).join(', ');
  return {
    count: `
      SELECT count(*)::int AS lines, count(t.${shape.identity[0]})::int AS known,
        (count(*) FILTER (WHERE ${isStale}))::int AS stale,
        (count(*) FILTER (WHERE l.op = ${OP_CODES.upsert} AND t.deleted_at IS NOT NULL
          AND ${isStale} IS NOT TRUE))::int AS revived
      FROM ${line} LEFT JOIN ${target} t ON ${same} WHERE ${lines}`,
    insert: `
      WITH added AS (
        INSERT INTO ${target} AS t (${insertColumns(shape, computed).join(', ')})
        SELECT ${insertValues(shape, computed).join(', ')}
        FROM ${line} WHERE ${lines} AND ${creates('l')}
          AND NOT EXISTS (SELECT FROM ${target} t WHERE ${same})
        ORDER BY ${shape.keyed ? 'l.id' : 'l.at, l.behind, l.n'}
        RETURNING ${written}
      )
      SELECT count(*)::int AS inserted FROM added`,
    update: `
      WITH changed AS (
        UPDATE ${target} t SET ${assignments.map(([c, v]) => `${c} = ${v}`).join(', ')},
          occurred_at = coalesce(l.occurred_at, t.occurred_at)
        FROM ${line} WHERE ${lines} AND ${same} AND l.op <> ${OP_CODES.mention}
          AND ${isStale} IS NOT TRUE
          AND (${assignments.map(([c]) => `t.${c}`).join(', ')})
            IS DISTINCT FROM (${assignments.map(([, v]) => v).join(', ')})
        RETURNING l.op
      )
      SELECT (count(*) FILTER (WHERE op <> ${OP_CODES.delete}))::int AS updated,
        (count(*) FILTER (WHERE op = ${OP_CODES.delete}))::int AS deleted FROM changed`,
    date: `
      UPDATE ${target} t SET occurred_at = l.occurred_at FROM ${line}
      WHERE ${lines} AND ${same} AND l.op <> ${OP_CODES.mention}
        AND l.occurred_at > coalesce(t.occurred_at, '-infinity')`,
    sequence: `
      INSERT INTO venture.import_sequence (record_id, digest, revision)
      SELECT q.id, q.digest, t.revision
      FROM ${line} JOIN ${tables.name(`sequence_${type}`)} q ON q.n = l.n
      JOIN ${target} t ON ${same} WHERE ${lines}
      ON CONFLICT (record_id) DO UPDATE
        SET digest = excluded.digest, revision = excluded.revision`,
  };
}

/** A column of the record's table, and its value in an update and in an insert. */
type Assignment = readonly [column: string, update: string, insert: string];

function assignmentsOf(shape: Layout): readonly Assignment[] {
  const facts = shape.parts
    .filter(({ row }) => row.identity !== true)
    .flatMap((part) => partAssignments(shape, part));
  return [
    ...facts.map(withdrawn(shape)),
    ...stageAssignments(shape, facts),
    ...originAssignments(shape),
    ...tombstone(shape),
  ];
}

/** The stage of a round is the stated one, otherwise the one that the series names. */
function stageAssignments({ table }: Layout, facts: readonly Assignment[]): readonly Assignment[] {
  if (table !== 'funding_round') return [];
  const of = (name: string, at: 1 | 2) => facts.find(([column]) => column === name)?.[at];
  const first = (at: 1 | 2) => `coalesce(${of('stage_stated', at)}, ${of('stage_of_series', at)})`;
  return [['stage', first(1), first(2)]];
}

/** A delete of a holding also withdraws its exit: if a round implies the holding, it is `Held`. */
function withdrawn({ table }: Layout): (fact: Assignment) => Assignment {
  return ([column, update, insert]) =>
    table === 'holding' && column === 'status'
      ? [column, `CASE l.op WHEN ${OP_CODES.delete} THEN 'Held' ELSE ${update} END`, insert]
      : [column, update, insert];
}

function insertColumns(shape: Layout, computed: readonly Column[]): readonly string[] {
  const identity = shape.parts.filter(({ row }) => row.identity).flatMap(({ columns }) => columns);
  const own = assignmentsOf(shape).map(([column]) => column);
  const origin = shape.keyed ? ['id', 'source', 'source_key'] : identity;
  return [
    ...origin,
    'occurred_at',
    ...own.filter((column) => column !== 'deleted_at'),
    ...computed.map(({ name }) => name),
  ];
}

function insertValues(shape: Layout, computed: readonly Column[]): readonly string[] {
  const values = new Map(assignmentsOf(shape).map(([column, , insert]) => [column, insert]));
  return insertColumns(shape, computed).map((column) => values.get(column) ?? `l.${column}`);
}

const either = (part: Part, line: string, record: string): string =>
  `CASE WHEN l.given & ${part.bit} <> 0 THEN ${line} ELSE ${record} END`;

function partAssignments(shape: Layout, part: Part): readonly Assignment[] {
  if (part.row.kind === 'money') return moneyAssignments(shape, part);
  if (part.row.kind === 'status') return statusAssignments(shape, part);
  if (part.row.kind === 'addresses') return addressAssignments(part);
  if (part.row.kind === 'identifiers') return identifierAssignments(shape, part);
  return part.columns.map((column) => [
    column,
    either(part, `l.${column}`, `t.${column}`),
    `l.${column}`,
  ]);
}

/** A patch of City, Region or Country changes only these, in the first address. */
function addressAssignments(part: Part): readonly Assignment[] {
  const column = part.row.column ?? '';
  const first = `jsonb_strip_nulls(coalesce(t.${column} -> 0, '{}') || (l.${column} -> 0))`;
  const merged = `CASE WHEN ${first} = '{}' THEN '[]' ELSE jsonb_build_array(${first}) END
    || (t.${column} - 0)`;
  const value = `CASE WHEN l.in_part THEN ${merged} ELSE l.${column} END`;
  return [[column, either(part, value, `t.${column}`), `l.${column}`]];
}

/** A patch of the site alone adds its identifier: the former one is still the company's. */
function identifierAssignments(shape: Layout, part: Part): readonly Assignment[] {
  const column = part.row.column ?? '';
  const site = shape.parts.find(({ row }) => row.kind === 'site');
  const added = `t.${column} || CASE WHEN l.${column} <@ t.${column} THEN '{}' ELSE l.${column} END`;
  const kept = site === undefined ? `t.${column}` : either(site, added, `t.${column}`);
  return [[column, either(part, `l.${column}`, kept), `l.${column}`]];
}

/** The dollars of an amount change only when a line gives the amount or its day. */
function moneyAssignments(shape: Layout, part: Part): readonly Assignment[] {
  const column = part.row.column ?? '';
  const original = originalOf(part);
  const day = moneyDay(shape, part);
  const fresh = dollars('l.money', 'l.currency', newDay(part.row.dated));
  const kept = `coalesce(l.currency, t.${original.currency}, 'USD')`;
  const amount = either(part, 'l.money', `t.${original.amount}`);
  const currency = either(
    part,
    `CASE WHEN l.money IS NOT NULL THEN ${kept} END`,
    `t.${original.currency}`,
  );
  return [
    [original.amount, amount, 'l.money'],
    [original.currency, currency, 'l.currency'],
    [
      column,
      `CASE WHEN l.given & ${moneyBits(shape, part)} <> 0
         THEN ${dollars(amount, currency, day)} ELSE t.${column} END`,
      fresh,
    ],
  ];
}

/** Most amounts are in dollars or unknown: they need no call of the function. */
function dollars(amount: string, currency: string, day: string): string {
  return `CASE WHEN ${amount} IS NULL THEN NULL
    WHEN ${currency} = 'USD' THEN round(${amount})::bigint
    ELSE venture.usd(${amount}, ${currency}, ${day}) END`;
}

function newDay(dated: 'date' | 'occurred_at' | undefined): string {
  const occurred = `(l.occurred_at AT TIME ZONE 'UTC')::date`;
  return dated === 'date' ? `coalesce(l.date, ${occurred})` : occurred;
}

/** The stated status and the inferred one have a column each. */
function statusAssignments(shape: Layout, part: Part): readonly Assignment[] {
  const inferred = part.staged[0]?.name === 'status_inferred';
  if (inferred) {
    const column = 'operating_status_inferred';
    return [[column, either(part, 'l.status_inferred', `t.${column}`), 'l.status_inferred']];
  }
  const inferredPart = shape.parts.find(({ staged }) => staged[0]?.name === 'status_inferred');
  const stated = either(part, 'l.status_stated', 't.operating_status_stated');
  const by = either(part, 'l.status_by', 't.operating_status_source');
  const guess =
    inferredPart === undefined
      ? 'NULL'
      : either(inferredPart, 'l.status_inferred', 't.operating_status_inferred');
  const source = (value: string, who: string, inferredValue: string) =>
    `CASE WHEN ${value} IS NOT NULL THEN ${who}
          WHEN ${inferredValue} IS NOT NULL THEN 'inferred' END`;
  return [
    ['operating_status_stated', stated, 'l.status_stated'],
    [
      'operating_status_source',
      source(stated, by, guess),
      source('l.status_stated', 'l.status_by', 'l.status_inferred'),
    ],
  ];
}

/**
 * A relation belongs to the first source that states it in a line of its own; a relation that only
 * a round implies has no key.
 */
function originAssignments(shape: Layout): readonly Assignment[] {
  if (shape.keyed) return [];
  const origin = (column: string): Assignment => [
    column,
    `CASE WHEN t.source_key IS NULL THEN l.${column} ELSE t.${column} END`,
    `l.${column}`,
  ];
  return [origin('source'), origin('source_key')];
}

/** A delete keeps the row, and an upsert restores it. Holdings that rounds imply stay. */
function tombstone(shape: Layout): readonly Assignment[] {
  const gone = 'coalesce(t.deleted_at, now())';
  const held = shape.table === 'holding';
  const deleted = held ? `CASE WHEN t.rounds_count > 0 THEN NULL ELSE ${gone} END` : gone;
  const deletedAt: Assignment = [
    'deleted_at',
    `CASE l.op WHEN ${OP_CODES.delete} THEN ${deleted}
               WHEN ${OP_CODES.upsert} THEN NULL ELSE t.deleted_at END`,
    'NULL',
  ];
  if (!held) return [deletedAt];
  const stated: Assignment = [
    'stated',
    `CASE l.op WHEN ${OP_CODES.patch} THEN t.stated ELSE l.op <> ${OP_CODES.delete} END`,
    'true',
  ];
  return [deletedAt, stated];
}
