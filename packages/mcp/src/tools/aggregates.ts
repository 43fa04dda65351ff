import {
  answer,
  FILTER,
  integer,
  list,
  MAP,
  MAX_CREDITS,
  NARROW,
  object,
  oneOf,
  type Schema,
  text,
} from '../schemas.ts';
import type { Tool } from './tool.ts';

const TOP_DEFAULT = 25;
const ENTITIES = ['startups', 'funds', 'rounds', 'valuations'] as const;
const NAME: Schema = { type: 'string', minLength: 1, maxLength: 100 };

interface Grouped {
  readonly entity: string;
  readonly narrowedBy: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, unknown>>;
  readonly groups: number;
  readonly more: boolean;
}

/** Sums, medians and other figures by group. */
export const aggregateRecords: Tool = {
  name: 'aggregate_records',
  title: 'Aggregate records',
  description:
    'Figures by group for 1 credit: "median Series A by country", "who leads fintech in Germany" (by lead_investor), ' +
    '"co-investors of X" (narrow investor: name or id; by investor). Measures: count, sum, average, min, max, median, ' +
    'p25, p75, p90, countdistinct of a field. Rounds: Amount, Date, StartupId, Investor; startups: TotalRaised, ' +
    'Founded, MembersCount, LatestPostValuation, LastFundingDate; funds: InvestmentsCount, FirstInvestmentDate; ' +
    'valuations: Amount, Date, StepUp. ' +
    'Example: {"entity":"rounds","measures":["count","median(Amount)"],"by":["quarter(Date)"],"narrow":{"country":"Germany"}}.',
  input: object(
    {
      entity: oneOf('Which records to group.', ENTITIES),
      measures: list('The numbers of each group, such as median(Amount).', NAME, 10),
      by: list(
        'The keys of the groups: dimensions as in narrow, or quarter(Date). Without keys there is one group.',
        NAME,
        3,
      ),
      narrow: NARROW,
      filter: FILTER,
      orderby: text(
        'A measure or key, with desc: median(Amount) desc. Default: time ascending, else the most records first.',
        200,
      ),
      top: { ...integer('Groups to return.', 1, 200), default: TOP_DEFAULT },
      skip: integer('Groups to skip.', 0, 100_000),
      max_credits: MAX_CREDITS,
    },
    ['entity'],
  ),
  output: answer({
    entity: { type: 'string' },
    narrowed_by: MAP,
    rows: {
      type: 'array',
      items: { type: 'object' },
      description: 'known: how many have the field.',
    },
    total: MAP,
    groups: { type: 'integer', description: 'The number of all groups.' },
    more: { type: 'boolean' },
  }),
  metered: true,
  argumentNames: { $filter: 'filter' },
  call: ({ narrow, filter, top = TOP_DEFAULT, ...query }) => ({
    path: '/aggregates',
    parameters: { ...(narrow as object | undefined), ...query, top, $filter: filter },
  }),
  answer: (_, { data }) => {
    const { entity, narrowedBy, rows, total, groups, more } = data as Grouped;
    return { entity, narrowed_by: narrowedBy, rows, total, groups, more };
  },
};
