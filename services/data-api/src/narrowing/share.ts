import type { EntityId } from '@vcds/venture-model';
import type { StatisticsOf } from '../postgres/column-statistics.ts';
import type { Narrowed } from './sql.ts';

const ROW = 'r';

/**
 * The share of the rows of a table that have any of the values of every narrowing, at most: 0 to 1,
 * by the statistics of columns, which are taken for independent. Relations and columns without
 * statistics count as met. A value that is not frequent has the share 0.
 */
export function narrowedShare(
  by: readonly Narrowed[],
  entity: EntityId,
  table: string,
  statistics: StatisticsOf,
): number {
  return by.reduce((share, { dimension, values }) => {
    const { through, sql } = dimension.readings[entity];
    const found =
      through === undefined ? statistics(table, sql(ROW).slice(ROW.length + 1)) : undefined;
    if (found === undefined) return share;
    const any = values.reduce(
      (sum, { value }) => sum + (found.frequent.get(String(value)) ?? 0),
      0,
    );
    return share * Math.min(1, any);
  }, 1);
}
