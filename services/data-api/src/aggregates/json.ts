/** The body of aggregates (docs/spec/aggregates.md 22.3). */
import { narrowedBy } from '../categories/json.ts';
import { namesOf } from '../narrowing/names.ts';
import type { Database } from '../postgres/database.ts';
import { type Column, type JsonObject, members, nested, type Table } from '../tables/csv.ts';
import type { GroupKey, Measure } from './measures.ts';
import type { AggregatesPlan } from './plan.ts';
import type { AggregatesRow, GroupRow } from './sql.ts';

/** Groups as an engine returns them: values as stored, dates in days. */
export interface Grouped extends AggregatesRow {
  /** When the data was current. */
  readonly at: Date;
}

const DAY_MS = 86_400_000;
/** Digits after the decimal point of numbers that are no money. */
const DECIMALS = 4;

export async function aggregatesBody(
  plan: AggregatesPlan,
  grouped: Grouped,
  database: Pick<Database, 'rows'>,
) {
  const { measures, shown, by, skip, top } = plan;
  const answered = measures.slice(0, shown);
  const names = await Promise.all(by.map((key, index) => namesIn(key, index, grouped, database)));
  const numbers = ({ measures: all, known }: Omit<GroupRow, 'keys'>) => ({
    ...Object.fromEntries(
      answered.map((measure, index) => [measure.name, shownNumber(measure, all[index] ?? null)]),
    ),
    known: Object.fromEntries(
      answered.flatMap((measure, index) =>
        measure.kind === 'figure' ? [[measure.field.name, known[index] ?? 0]] : [],
      ),
    ),
  });
  return {
    entity: plan.entity,
    measures: answered.map(({ name }) => name),
    by: by.map(({ name }) => name),
    narrowedBy: narrowedBy(plan.narrowing),
    rows: grouped.rows.map(({ keys, ...row }) => ({
      ...Object.fromEntries(
        by.map((key, index) => [key.name, shownKey(key, keys[index] ?? null, names[index])]),
      ),
      ...numbers(row),
    })),
    total: numbers(grouped.total),
    groups: grouped.groups,
    more: grouped.groups > skip + top,
    asOf: { position: grouped.batch, at: grouped.at.toISOString() },
  };
}

/** Groups as a table: their keys, their measures, and `known.Amount`. The total is not in it. */
export function aggregatesTable({ by, measures, shown }: AggregatesPlan): Table {
  const answered = measures.slice(0, shown);
  const figures = answered.flatMap((each) => (each.kind === 'figure' ? [each.field.name] : []));
  return {
    columns: [
      ...by.flatMap(keyColumns),
      ...members(...answered.map(({ name }) => name)),
      ...nested('known', members(...new Set(figures))),
    ],
    rows: ({ rows }) => rows as readonly JsonObject[],
  };
}

/** Records have columns of their own. */
function keyColumns(key: GroupKey): readonly Column[] {
  const isRecord = key.kind === 'dimension' && key.dimension.names !== undefined;
  return isRecord ? nested(key.name, members('Id', 'Name')) : members(key.name);
}

/** The names of the records that are the values of a key; undefined if its values are no records. */
async function namesIn(
  key: GroupKey,
  index: number,
  { rows }: Grouped,
  database: Pick<Database, 'rows'>,
): Promise<ReadonlyMap<unknown, string> | undefined> {
  const entity = key.kind === 'dimension' ? key.dimension.names : undefined;
  const ids = rows.map(({ keys }) => keys[index]);
  return entity && namesOf(database, entity, ids);
}

/** Records, labels of closed values, and other values as they are stored. */
function shownKey(
  key: GroupKey,
  value: string | number | null,
  names: ReadonlyMap<unknown, string> | undefined,
) {
  if (key.kind === 'time' || value === null) return value;
  if (names !== undefined) return { Id: value, Name: names.get(value) ?? null };
  return key.dimension.closed?.find((each) => each.value === value)?.label ?? value;
}

/** Money in whole dollars, dates as days, other numbers with few decimals. */
function shownNumber(measure: Measure, number: number | null): number | string | null {
  if (number === null || measure.kind !== 'figure') return number;
  const { type } = measure.field;
  if (type === 'usd') return Math.round(number);
  if (type === 'date') return new Date(Math.round(number) * DAY_MS).toISOString().slice(0, 10);
  return Number(number.toFixed(DECIMALS));
}
