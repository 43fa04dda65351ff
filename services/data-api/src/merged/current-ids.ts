/** Ids of records that were merged into others (docs/spec/one-company.md 25.10). */
import type { BoundFilter, BoundValue } from '@vcds/odata-query';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import type { Statement } from '../postgres/statement.ts';
import type { ResourceField } from '../resources/index.ts';

type Filter = BoundFilter<ResourceField>;
interface Database {
  rows<Row extends object>(statement: Statement): Promise<Row[]>;
}

/** The id of the record of each id that was merged into another. */
export type CurrentIds = ReadonlyMap<string, string>;

/** Dimensions whose values are ids of funds. */
const DIMENSIONS: ReadonlySet<string> = new Set(['investor', 'lead_investor']);
/** Fields with ids of records that are merged. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['Id', 'StartupId', 'Startup', 'FundId', 'Investor', 'LeadInvestor'],
  ...['FundingRoundId', 'RecordId'],
]);
/** The records that are merged, with the rows that say so. */
const KINDS = {
  startup: { table: 'venture.company_member', record: 'company_id', of: 'm.entity = 1' },
  fund: { table: 'venture.company_member', record: 'company_id', of: 'm.entity = 2' },
  round: { table: 'venture.round_member', record: 'round_id', of: 'true' },
} as const;
export type MergedKind = keyof typeof KINDS;
const ALL_KINDS: readonly MergedKind[] = ['startup', 'fund', 'round'];
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu;

/**
 * @param kinds the records that the ids may be of.
 * @throws ApiError `unavailable`.
 */
export async function currentIds(
  ids: readonly string[],
  database: Database,
  kinds: readonly MergedKind[] = ALL_KINDS,
): Promise<CurrentIds> {
  if (ids.length === 0) return new Map();
  const members = kinds.map((kind) => {
    const { table, record, of } = KINDS[kind];
    return `SELECT m.member_id, m.${record} AS current FROM ${table} m
      WHERE ${of} AND m.member_id = ANY ($1::uuid[])`;
  });
  const rows = await database.rows<{ id: string; current: string }>({
    text: `SELECT member_id::text AS id, current::text AS current
      FROM (${members.join(' UNION ALL ')}) m WHERE member_id <> current`,
    values: [[...new Set(ids)]],
    plan: 'generic',
  });
  return new Map(rows.map(({ id, current }) => [id, current]));
}

/** SQL: the id of the record that an id means; the id itself if it is that of a record. */
export function currentIdSql(kind: MergedKind, id: string): string {
  const { table, record, of } = KINDS[kind];
  return `coalesce((SELECT m.${record} FROM ${table} m WHERE ${of} AND m.member_id = ${id}), ${id})`;
}

/** SQL: the ids that a query selects as `id`, with all that were merged into them. */
export function withMergedIdsSql(kind: MergedKind, ids: string): string {
  const { table, record, of } = KINDS[kind];
  return `SELECT coalesce(m.member_id, r.id) AS id
    FROM (${ids}) r LEFT JOIN ${table} m ON ${of} AND m.${record} = r.id`;
}

/** SQL: an array of the id of a record of any kind with all that were merged into it. */
export function allIdsSql(id: string): string {
  const ofKinds = ALL_KINDS.map((kind) => withMergedIdsSql(kind, `SELECT ${id} AS id`));
  return `ARRAY(${ofKinds.join(' UNION ')})`;
}

/**
 * These ids with all that are one company with them: signals keep the subject that they had.
 *
 * @throws ApiError `unavailable`.
 */
export async function withMergedIds(
  ids: readonly string[],
  database: Database,
): Promise<readonly string[]> {
  const rows = await database.rows<{ id: string }>({
    text: `SELECT o.member_id::text AS id
      FROM venture.company_member m
      JOIN venture.company_member o ON o.company_id = m.company_id AND o.entity = m.entity
      WHERE m.entity IN (1, 2) AND m.member_id = ANY ($1::uuid[])`,
    values: [ids],
    plan: 'generic',
  });
  return [...new Set([...ids, ...rows.map(({ id }) => id)])];
}

/** The ids of records that a filter compares with. */
export function recordIdsIn(filter: Filter | undefined): readonly string[] {
  switch (filter?.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(recordIdsIn);
    case 'not':
      return recordIdsIn(filter.operand);
    case 'compare':
      return idsOf(filter.field, [filter.value]);
    case 'in':
      return idsOf(filter.field, filter.values);
    default:
      return [];
  }
}

function idsOf(field: ResourceField, values: readonly (BoundValue | null)[]): readonly string[] {
  if (field.type !== 'uuid' || !FIELDS.has(field.name)) return [];
  return values.filter((id) => typeof id === 'string');
}

/** The filter with the ids of today; an id means the record that it was merged into. */
export function withCurrentIds(filter: Filter, current: CurrentIds): Filter {
  const of = (field: ResourceField, value: BoundValue) =>
    idsOf(field, [value]).length === 0 ? value : (current.get(String(value)) ?? value);
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, operands: filter.operands.map((each) => withCurrentIds(each, current)) };
    case 'not':
      return { ...filter, operand: withCurrentIds(filter.operand, current) };
    case 'compare':
      return filter.value === null ? filter : { ...filter, value: of(filter.field, filter.value) };
    case 'in': {
      const values = filter.values.map((value) => of(filter.field, value));
      return { ...filter, values: [...new Set(values)] };
    }
    default:
      return filter;
  }
}

/** The ids of funds among the values of narrowings. */
export function fundIdsIn(by: readonly PlannedNarrowing[]): readonly string[] {
  return by.flatMap(({ dimension, values }) =>
    DIMENSIONS.has(dimension.id)
      ? values.flatMap(({ value }) =>
          UUID.test(String(value)) ? [String(value).toLowerCase()] : [],
        )
      : [],
  );
}

/** The narrowings with the ids of today. */
export function withCurrentFunds(
  by: readonly PlannedNarrowing[],
  current: CurrentIds,
): readonly PlannedNarrowing[] {
  if (current.size === 0) return by;
  return by.map((each) => {
    if (!DIMENSIONS.has(each.dimension.id)) return each;
    const values = each.values.map((value) => {
      const id = current.get(String(value.value).toLowerCase());
      return id === undefined ? value : { value: id, label: id };
    });
    return { ...each, values: [...new Map(values.map((one) => [one.value, one])).values()] };
  });
}
