import { withClient } from '@vcds/test-kit/bench';
import { quoteText } from '../collections/lines.ts';
import { readExamples } from '../corpus/describe-corpus.ts';
import type { SlowCall } from './calls.ts';

const PAGE_SIZES = [25, 100, 1_000] as const;
const STARTUP_ORDERS = [
  ...['', 'Name', 'TotalRaised desc', 'Founded desc', 'LastFundingDate desc'],
  'Founded desc,Name',
];
const PATH_ORDERS = ['', 'TotalRaised desc', 'LastFundingDate desc', 'MembersCount'];
const ROUND_ORDERS = ['', 'Date desc', 'Amount desc', 'Amount', 'Year desc,Amount desc'];
/** In percent of the startups: the values that come nearest are asked for. */
const SHARES = { tags: [3, 1.5, 0.8, 0.2], cities: [3, 1.2, 0.5], countries: [10, 3, 1] } as const;
const FIELDS = { tags: 'Tag', cities: 'City', countries: 'Country' } as const;

type List = keyof typeof FIELDS;

interface Value {
  readonly value: string;
  readonly percent: number;
}

/**
 * Pages of startups and rounds with a filter, by each order and of each size: filters of one term that
 * 0.2 to 23 % of the records meet, and of two terms, which depend on each other, on the order or on neither;
 * and pages of startups below a value of a category.
 */
export async function pageGrid(url: string): Promise<readonly SlowCall[]> {
  const [tags, cities, countries] = [
    await valuesOf(url, 'tags'),
    await valuesOf(url, 'cities'),
    await valuesOf(url, 'countries'),
  ];
  const is = (list: List, { value }: Value) => `${FIELDS[list]} eq ${quoteText(value)}`;
  const ofShares = (list: List, values: readonly Value[]) =>
    SHARES[list].map((percent) => is(list, nearest(values, percent)));
  const nth = (list: List, values: readonly Value[], index: number) => {
    const value = values[index];
    if (value === undefined) throw new Error(`There are only ${values.length} ${list}.`);
    return is(list, value);
  };
  const filters = [
    ...[2025, 2021, 2016, 2010, 1999, 1990].map((year) => `Founded eq ${year}`),
    ...ofShares('tags', tags),
    ...ofShares('cities', cities),
    ...ofShares('countries', countries),
    ...['LastFundingStage eq 3', 'TotalRaised ge 50000000'],
    `${nth('countries', countries, 0)} and Founded eq 2010`,
    `${nth('countries', countries, 0)} and Founded eq 2021`,
    `${nth('countries', countries, 1)} and ${nth('tags', tags, 0)}`,
    `${nth('cities', cities, 0)} and ${nth('countries', countries, 5)}`,
    `${nth('tags', tags, 0)} and Founded ge 2023`,
    `${nth('tags', tags, 0)} and Founded eq 2022`,
    `${nth('tags', tags, 1)} and ${nth('tags', tags, 2)}`,
    'Founded eq 2010 and Founded eq 2012',
    'Founded ge 1960 and Founded lt 1975',
    'TotalRaised ge 50000000 and Founded ge 2024',
  ];
  const series = `Series eq ${quoteText((await readExamples(url))['most frequent series'])}`;
  const ofRounds = [
    ...[series, 'Year eq 2020', 'Year eq 2005', 'Amount ge 50000000', `${series} and Year eq 2019`],
    ...[`${series} and Amount ge 20000000`, 'Confirmed eq false and Year eq 2021'],
    ...['Date ge 2010-01-01 and Date lt 2012-01-01', 'Year eq 2010 and Year eq 2012'],
  ];
  const paths = [
    ...[0, 5, 100].map((index) => ['industry', tags[index]] as const),
    ...[0, 20].map((index) => ['city', cities[index]] as const),
    ...[0, 5].map((index) => ['country', countries[index]] as const),
    ['investor_type', { value: 'VentureFund', percent: 0 }] as const,
  ].map(([id, found]) => `categories/${id}/${encodeURIComponent(found?.value ?? '')}/startups`);
  return PAGE_SIZES.flatMap((top) => [
    ...paths.flatMap((path) => PATH_ORDERS.map((order) => callOf(path, top, undefined, order))),
    ...callsOf('startups', top, filters, STARTUP_ORDERS),
    ...callsOf('startups/fundingrounds', top, ofRounds, ROUND_ORDERS),
  ]);
}

function callsOf(
  collection: string,
  top: number,
  filters: readonly string[],
  orders: readonly string[],
): SlowCall[] {
  return filters.flatMap((filter) => orders.map((order) => callOf(collection, top, filter, order)));
}

function callOf(
  collection: string,
  top: number,
  filter: string | undefined,
  order: string,
): SlowCall {
  const query = [
    `$top=${top}`,
    ...(filter === undefined ? [] : [`$filter=${encodeURIComponent(filter)}`]),
    ...(order === '' ? [] : [`$orderby=${encodeURIComponent(order)}`]),
  ];
  const title = `${top} rows of ${collection}, ${filter ?? 'all'}, by ${order === '' ? 'default' : order}`;
  return { title, path: `/${collection}?${query.join('&')}` };
}

// The most frequent ones first.
async function valuesOf(url: string, list: List): Promise<readonly Value[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<Value>(`
      WITH listed AS (SELECT * FROM venture.startup WHERE deleted_at IS NULL)
      SELECT value, 100.0 * count(*)::float8 / (SELECT count(*) FROM listed) AS percent
      FROM listed, unnest(${list}) AS u(value) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2000`),
  );
  return rows;
}

function nearest(values: readonly Value[], percent: number): Value {
  const distance = (each: Value) => Math.abs(Math.log(each.percent / percent));
  const [first] = values.toSorted((one, other) => distance(one) - distance(other));
  if (first === undefined) throw new Error('There are no values.');
  return first;
}
