import { Random } from '@vcds/demo-data/random';
import { withClient } from '@vcds/test-kit/bench';
import { quoteText } from './quote-text.ts';

/** One question, as the product and as the peers ask for it. */
export interface LineRequest {
  /** Under `/v2` of the product. */
  readonly path: string;
  /** Of the servers of the peers, which parse no language. */
  readonly peer: string;
}

/** A line of the report: requests of one shape with many values. */
export interface Line {
  readonly title: string;
  readonly requests: readonly LineRequest[];
}

const VALUES = 200;
/** Each takes long. */
const DEEP_VALUES = 20;

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly city: string;
}

const page = (parts: Readonly<Record<string, string | number>>): string =>
  `/startups?${Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

/** Startups with rounds, drawn so that frequent cities are drawn often; the same at each run. */
async function readSamples(url: string): Promise<readonly Sample[]> {
  const text = `SELECT id, name, cities[1] AS city FROM venture.startup
    WHERE deleted_at IS NULL AND cities <> '{}' AND rounds_count > 0
    ORDER BY md5(id::text) LIMIT ${VALUES}`;
  return (await withClient(url, (client) => client.query<Sample>(text))).rows;
}

/** The lines by name, for the records of a database. */
export async function readLines(url: string): Promise<Readonly<Record<string, Line>>> {
  const samples = await readSamples(url);
  const random = new Random('lines of the bench');
  const line = (title: string, ask: (sample: Sample, random: Random) => LineRequest): Line => ({
    title,
    requests: samples.map((sample) => ask(sample, random)),
  });
  const since = (random: Random) => random.between(1990, 2022);
  const newest = (top: number, more: Readonly<Record<string, string | number>> = {}) => {
    const { $expand, $skip } = more;
    return (_: Sample, random: Random): LineRequest => {
      const year = since(random);
      return {
        path: page({
          $filter: `Founded ge ${year}`,
          $orderby: 'TotalRaised desc',
          $top: top,
          ...more,
        }),
        peer: page({
          since: year,
          top,
          ...($expand === undefined ? {} : { rounds: 1 }),
          ...($skip === undefined ? {} : { skip: $skip }),
        }),
      };
    };
  };
  const inCity = ({ city }: Sample, random: Random) => {
    const year = since(random);
    return { year, filter: `City eq ${quoteText(city)} and Founded ge ${year}` };
  };
  const deep = line('25 rows after `$skip` 100,000', newest(25, { $skip: 100_000 }));
  return {
    'by-id': line('by id', ({ id }) => ({ path: `/startups/${id}`, peer: `/startups/${id}` })),
    'page-25': line('25 rows, Founded ge, by TotalRaised', newest(25)),
    'page-100': line('100 rows, Founded ge, by TotalRaised', newest(100)),
    city: line('25 rows, City and Founded ge, by TotalRaised', (sample, random) => {
      const { year, filter } = inCity(sample, random);
      return {
        path: page({ $filter: filter, $orderby: 'TotalRaised desc', $top: 25 }),
        peer: page({ city: sample.city, since: year, top: 25 }),
      };
    }),
    expand: line('25 rows with their rounds', newest(25, { $expand: 'FundingRounds' })),
    count: line('`$count` of City and Founded ge', (sample, random) => {
      const { year, filter } = inCity(sample, random);
      return {
        path: page({ $filter: filter, $count: 'true' }),
        peer: page({ city: sample.city, since: year, count: 1 }),
      };
    }),
    deep: { ...deep, requests: deep.requests.slice(0, DEEP_VALUES) },
    search: line('search by name', ({ name }) => ({
      path: `/startups/search?q=${encodeURIComponent(name)}`,
      peer: '',
    })),
  };
}
