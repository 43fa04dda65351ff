import { Random } from '@vcds/demo-data/random';
import { withClient } from '@vcds/test-kit/bench';
import type { Question } from '../peers/question.ts';
import type { Captured } from './capture.ts';

/** One request, as the product and as the peers receive it. */
export interface LineRequest {
  /** Under `/v2` of the product. */
  readonly path: string;
  /** For peers; undefined if they cannot answer it. */
  readonly question?: Question;
  /** The floor sends them to PostgreSQL instead of those of the product. */
  readonly statements?: readonly Captured[];
}

/** A line of the report: requests of one shape with many values. */
export interface Line {
  readonly title: string;
  readonly requests: readonly LineRequest[];
  /** The number of requests that the floor repeats, for statements that take seconds; else all. */
  readonly floorRequests?: number;
}

/** Lines by name. */
export type Lines = Readonly<Record<string, Line>>;

const VALUES = 100;

/** A text as a literal of the query language. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The product reads this count in memory. */
const COUNT = `SELECT count(*)::int AS count FROM venture.startup
  WHERE deleted_at IS NULL AND cities @> ARRAY[$1] AND founded >= $2`;

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly city: string;
}

/** The path of a page of startups. */
export const page = (parts: Readonly<Record<string, string | number>>): string =>
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

/** Lines of collections, for the records of a database. */
export async function readLines(url: string): Promise<Lines> {
  const samples = await readSamples(url);
  const random = new Random('lines of the bench');
  const line = (title: string, ask: (sample: Sample) => LineRequest): Line => ({
    title,
    requests: samples.map(ask),
  });
  const newest = (top: number, rounds?: true) => (): LineRequest => {
    const since = random.between(1990, 2022);
    const parts = { $filter: `Founded ge ${since}`, $orderby: 'TotalRaised desc', $top: top };
    return {
      path: page({ ...parts, ...(rounds && { $expand: 'FundingRounds' }) }),
      question: { since, top, ...(rounds && { rounds }) },
    };
  };
  const inCity = ({ city }: Sample) => {
    const since = random.between(1990, 2022);
    return { since, city, $filter: `City eq ${quoteText(city)} and Founded ge ${since}` };
  };
  return {
    'by-id': line('by id', ({ id }) => ({ path: `/startups/${id}`, question: { id } })),
    'page-25': line('25 rows, Founded ge, by TotalRaised', newest(25)),
    'page-100': line('100 rows, Founded ge, by TotalRaised', newest(100)),
    city: line('25 rows, City and Founded ge, by TotalRaised', (sample) => {
      const { since, city, $filter } = inCity(sample);
      return {
        path: page({ $filter, $orderby: 'TotalRaised desc', $top: 25 }),
        question: { since, city, top: 25 },
      };
    }),
    expand: line('25 rows with their rounds', newest(25, true)),
    count: line('`$count` of City and Founded ge', (sample) => {
      const { since, city, $filter } = inCity(sample);
      return {
        path: page({ $filter, $count: 'true' }),
        question: { since, city, count: true },
        statements: [{ text: COUNT, values: [city, since] }],
      };
    }),
    search: line('search by name', ({ name }) => ({
      path: `/startups/search?q=${encodeURIComponent(name)}`,
    })),
  };
}
