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
import type { Arguments, Response, Tool } from './tool.ts';

const TOP_DEFAULT = 25;
const ENTITIES = ['startups', 'funds', 'rounds', 'valuations'] as const;
const NAME: Schema = { type: 'string', minLength: 1, maxLength: 100 };

interface Grouped {
  readonly entity: string;
  readonly by: readonly string[];
  readonly narrowedBy: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, unknown>>;
  readonly groups: number;
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
        'A measure or key, with desc: median(Amount) desc. Default: time, else the most records first.',
        200,
      ),
      top: { ...integer('Groups to return.', 1, 200), default: TOP_DEFAULT },
      skip: integer('Groups to skip: next_skip of the answer before.', 0, 100_000),
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
    next_skip: { type: 'integer', description: 'skip of the groups that follow.' },
    hint: { type: 'string' },
  }),
  metered: true,
  argumentNames: { $filter: 'filter' },
  call: ({ narrow, filter, top = TOP_DEFAULT, ...query }) => ({
    path: '/aggregates',
    parameters: {
      ...(narrow as object | undefined),
      ...{ ...query, orderby: query.orderby ?? newestFirst(query), top, $filter: filter },
    },
  }),
  answer: (args, response) => firstOf(args, response, Infinity),
  firstOf,
};

const NEWEST_FIRST =
  'Newest first, because not all groups fit. Continue with skip, or set orderby.';

/** The order of a time series: newest first, so that a series that does not fit has its last groups. */
function newestFirst({ by }: Arguments): string | undefined {
  const [first] = Array.isArray(by) ? by : [];
  return /^\s*(?:year|quarter|month)\s*\(/i.test(String(first)) ? `${first} desc` : undefined;
}

/** The first rows; all of a time series in the order of time. */
function firstOf(args: Arguments, { data }: Response, most: number) {
  const { entity, by, narrowedBy, rows, total, groups } = data as Grouped;
  const { skip = 0, orderby } = args as { readonly skip?: number; readonly orderby?: string };
  const shown = rows.slice(0, most);
  const next = skip + shown.length;
  const more = groups > next;
  const isNewestFirst = orderby === undefined && newestFirst(args) !== undefined;
  const isWhole = skip === 0 && !more;
  return {
    ...{ entity, narrowed_by: narrowedBy, total, groups, more },
    rows: isNewestFirst && isWhole ? inOrderOfTime(shown, by[0] ?? '') : shown,
    ...(more && { next_skip: next }),
    ...(isNewestFirst && !isWhole && { hint: NEWEST_FIRST }),
  };
}

/** Rows of the same time keep their order; those without a time are last. */
function inOrderOfTime(rows: Grouped['rows'], key: string): Grouped['rows'] {
  const time = (row: Grouped['rows'][number]) => String(row[key] ?? '\uffff');
  return rows.toSorted((a, b) => (time(a) < time(b) ? -1 : Number(time(a) > time(b))));
}
