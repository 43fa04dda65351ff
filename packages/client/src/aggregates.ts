/** `aggregate`: figures of groups of records, with types that know which measure fits which field. */
import type { Call } from './endpoints.ts';
import type { Filter } from './filter.ts';
import type { Narrowing } from './groups.ts';
import type { Data, Parameters } from './paths.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

/** By entity: the fields that can be summed, those with an order besides, the dates, and the ids that are counted. */
export const AGGREGATE_FIELDS = {
  startups: {
    sums: [
      'TotalRaised',
      'MembersCount',
      'RoundsCount',
      'LatestPostValuation',
      'AverageRoundAmount',
      'FundingPerMember',
    ],
    orders: ['Founded', 'LastFundingDate'],
    dates: ['LastFundingDate', 'CreatedTimeStamp', 'UpdatedTimeStamp'],
    ids: ['Investor'],
  },
  funds: {
    sums: ['MembersCount', 'InvestmentsCount', 'AverageRoundAmount', 'ExitRate'],
    orders: ['Founded', 'FirstInvestmentDate', 'LastInvestmentDate'],
    dates: ['FirstInvestmentDate', 'LastInvestmentDate', 'CreatedTimeStamp', 'UpdatedTimeStamp'],
    ids: [],
  },
  rounds: {
    sums: ['Amount', 'OriginalAmount'],
    orders: ['Date', 'Year'],
    dates: ['Date', 'CreatedTimeStamp', 'UpdatedTimeStamp'],
    ids: ['StartupId', 'Investor', 'LeadInvestor'],
  },
  valuations: {
    sums: ['Amount', 'RoundAmount', 'StepUp'],
    orders: ['Date', 'Year'],
    dates: ['Date', 'CreatedTimeStamp', 'UpdatedTimeStamp'],
    ids: ['StartupId'],
  },
} as const;

type Fields = typeof AGGREGATE_FIELDS;
export type AggregateEntity = keyof Fields;
type Of<
  E extends AggregateEntity,
  Kind extends keyof Fields[E],
> = Fields[E][Kind] extends readonly (infer Field)[] ? Field & string : never;
type Summed<E extends AggregateEntity> = Of<E, 'sums'>;
type Ordered<E extends AggregateEntity> = Summed<E> | Of<E, 'orders'>;

/** A number of each group, such as `median(Amount)`. */
export type AggregateMeasure<E extends AggregateEntity> =
  | 'count'
  | `sum(${Summed<E>})`
  | `${'average' | 'min' | 'max' | 'median' | 'p25' | 'p75' | 'p90'}(${Ordered<E>})`
  | `countdistinct(${Ordered<E> | Of<E, 'ids'>})`;

/** A key of the groups: a dimension, or a unit of time, such as `quarter(Date)`. */
export type AggregateKey<E extends AggregateEntity> =
  | (keyof Narrowing & string)
  | `${'year' | 'quarter' | 'month'}(${Of<E, 'dates'>})`;

type Direction = '' | ' asc' | ' desc';

export interface AggregateOptions<
  E extends AggregateEntity,
  Measure extends AggregateMeasure<E>,
  Key extends AggregateKey<E>,
> {
  /** By default the number of records. */
  readonly measures?: readonly Measure[];
  /** At most three; without one there is one group. */
  readonly by?: readonly Key[];
  readonly orderby?: readonly `${NoInfer<Measure | Key>}${Direction}`[];
  /** Narrowing by dimensions: `{ country: ['France'] }`. */
  readonly narrow?: Narrowing;
  readonly filter?: Filter | string;
  readonly top?: number;
  readonly skip?: number;
}

/** The numbers of a group. Dates are days, `2025-01-31`. */
export type AggregateNumbers<Measure extends string> = {
  readonly [M in Measure]: M extends `${string}Date)`
    ? M extends `countdistinct${string}`
      ? number
      : string | null
    : number | null;
} & { readonly known: Readonly<Record<string, number>> };

/** The value of a key. */
export type AggregateKeyValue<Key extends string> = Key extends 'investor' | 'lead_investor'
  ? { readonly Id: string; readonly Name: string | null } | null
  : string | number | null;

type Body = Data<'/aggregates'>;

export interface Aggregates<Measure extends string, Key extends string>
  extends Omit<Body, 'rows' | 'total'> {
  readonly rows: readonly (AggregateNumbers<Measure> & {
    /** A label, or an investor; null for records without a value. */
    readonly [K in Key]: AggregateKeyValue<K>;
  })[];
  /** Of all records together. */
  readonly total: AggregateNumbers<Measure>;
}

/** Figures of groups of records, for one credit. */
export type Aggregate = <
  E extends AggregateEntity,
  Measure extends AggregateMeasure<E> = 'count',
  Key extends AggregateKey<E> = never,
>(
  entity: E,
  options?: AggregateOptions<E, Measure, Key>,
  callOptions?: CallOptions,
) => Promise<ApiResponse<Aggregates<Measure, Key>>>;

export function aggregate(call: Call): Aggregate {
  return async (entity, { narrow, filter, ...options } = {}, callOptions) => {
    const parameters = {
      ...narrow,
      ...options,
      entity,
      $filter: filter,
    } as Parameters<'/aggregates'>;
    return (await call('/aggregates', parameters as Record<string, never>, callOptions)) as never;
  };
}
