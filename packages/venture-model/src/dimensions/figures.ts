/** The numbers of records that the facet index stores exactly: for aggregates and for comparisons in counts. */
import type { EntityId } from './entity.ts';

/** The unit of a figure. */
export type FigureType = 'usd' | 'integer' | 'year' | 'date';

export interface Figure {
  /** The name of its field. */
  readonly id: string;
  readonly type: FigureType;
  /** SQL of the field on the row under the alias. */
  readonly sql: (row: string) => string;
}

/**
 * By entity, in the order of the elements of the column `figures` of its facet table: figures are added at the end.
 * A date is the number of days since 1970-01-01.
 */
export const FIGURES: Readonly<Record<EntityId, readonly Figure[]>> = Object.freeze({
  __proto__: null,
  startups: [
    figure('Founded', 'year', 'founded'),
    figure('TotalRaised', 'usd', 'total_raised'),
    figure('LastFundingDate', 'date', 'last_funding_date'),
    figure('MembersCount', 'integer', 'members_count'),
    figure('RoundsCount', 'integer', 'rounds_count'),
    figure('LatestPostValuation', 'usd', 'latest_post_valuation'),
    figure('AverageRoundAmount', 'usd', 'average_round_amount'),
    {
      id: 'FundingPerMember',
      type: 'usd',
      sql: (row) => `(${row}.total_raised / nullif(${row}.members_count, 0))`,
    },
  ],
  funds: [
    figure('Founded', 'year', 'founded'),
    figure('MembersCount', 'integer', 'members_count'),
    figure('InvestmentsCount', 'integer', 'investments_count'),
    figure('LastInvestmentDate', 'date', 'last_investment_date'),
    figure('AverageRoundAmount', 'usd', 'average_round_amount'),
    figure('FirstInvestmentDate', 'date', 'first_investment_date'),
  ],
  rounds: [
    figure('Date', 'date', 'date'),
    figure('Year', 'year', 'year'),
    figure('Amount', 'usd', 'amount'),
  ],
} satisfies { __proto__: null } & Record<EntityId, readonly Figure[]>);

const DAY_MS = 86_400_000;

/** SQL of a figure as the index stores it. */
export function storedFigure({ type, sql }: Figure, row: string): string {
  const column = sql(row);
  return `${type === 'date' ? `(${column} - DATE '1970-01-01')` : column}::double precision`;
}

/** The number that the index stores for a value of a filter; undefined for a value that it cannot compare. */
export function figureNumber({ type }: Figure, value: unknown): number | undefined {
  const number = type === 'date' ? Date.parse(String(value)) / DAY_MS : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function figure(id: string, type: FigureType, column: string): Figure {
  return Object.freeze({ id, type, sql: (row: string) => `${row}.${column}` });
}
