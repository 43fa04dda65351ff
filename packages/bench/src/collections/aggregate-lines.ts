import { Random } from '@vcds/demo-data/random';
import type { Question } from '../peers/question.ts';
import { type Occurring, ranked, readOccurring } from './facet-lines.ts';
import type { Line, LineRequest } from './lines.ts';

type Parameters = Readonly<Record<string, string>>;

/** A kind of aggregate of docs/questions.md. Narrowing values are as frequent as among startups. */
interface Kind {
  readonly title: string;
  readonly by: string;
  readonly measures: string;
  readonly draw: (of: Occurring, random: Random) => Parameters;
  /** For peers; absent if they cannot answer it. */
  readonly ask?: (drawn: Parameters) => Question;
}

const VALUES = 100;
const YEARS = [2016, 2024] as const;
const TOP = '1000';

const year = (random: Random): Parameters => ({ round_year: String(random.between(...YEARS)) });
const country = (of: Occurring, random: Random): Parameters => ({
  country: ranked(random, of.country, 2).value,
});
const market = (of: Occurring, random: Random): Parameters => ({
  ...country(of, random),
  industry: ranked(random, of.industry).value,
});

const KINDS: readonly Kind[] = [
  {
    title: 'volume by quarter, an industry of a country',
    by: 'quarter(Date)',
    measures: 'count,sum(Amount)',
    draw: market,
  },
  {
    title: 'volume by month and industry of a year',
    by: 'month(Date),industry',
    measures: 'sum(Amount)',
    draw: (_, random) => year(random),
  },
  {
    title: 'lead investors, an industry of a country',
    by: 'lead_investor',
    measures: 'count,sum(Amount)',
    draw: market,
  },
  {
    title: 'co-investors of a fund',
    by: 'investor',
    measures: 'count',
    draw: (of, random) => ({ investor: ranked(random, of.investor).value }),
  },
  {
    title: 'median by country and stage of a year',
    by: 'country,round_stage',
    measures: 'count,median(Amount)',
    draw: (_, random) => year(random),
  },
  {
    title: 'median by stage in a country',
    by: 'round_stage',
    measures: 'count,median(Amount)',
    draw: country,
  },
  {
    title: 'rounds and companies by industry',
    by: 'industry',
    measures: 'count,countdistinct(StartupId)',
    draw: () => ({}),
  },
  {
    title: 'companies by headcount, narrowed by four dimensions',
    by: 'team_size',
    measures: 'count,median(TotalRaised)',
    draw: (of, random) => ({
      ...{ entity: 'startups', ...country(of, random), stage: ranked(random, of.stage).value },
      industry: [...new Set([0, 1, 2].map(() => ranked(random, of.industry).value))].join(),
      founded_year: Array.from({ length: 10 }, (_, n) => String(YEARS[0] - 2 + n)).join(),
    }),
  },
  {
    title: 'companies founded in a year by stage',
    by: 'stage',
    measures: 'count,sum(TotalRaised)',
    draw: (_, random) => ({ entity: 'startups', founded_year: String(random.between(...YEARS)) }),
    ask: (drawn) => ({ groups: 'stage', year: Number(drawn.founded_year) }),
  },
  {
    title: 'companies by year of foundation in a country',
    by: 'founded_year',
    measures: 'count,sum(TotalRaised)',
    draw: (of, random) => ({ entity: 'startups', ...country(of, random) }),
    ask: (drawn) => ({ groups: 'founded', country: drawn.country ?? '' }),
  },
  {
    title: 'step-up from Series A to B (the index has no valuations)',
    by: 'year(Date)',
    measures: 'count,median(StepUp)',
    draw: () => ({
      entity: 'valuations',
      $filter: "PreviousStage eq 'Series A' and Stage eq 'Series B'",
    }),
  },
];

/** Aggregates of each kind, for the records of a database; the same at each run. */
export async function readAggregateLines(url: string): Promise<readonly Line[]> {
  const occurring = await readOccurring(url);
  return KINDS.map(({ title, by, measures, draw, ask }) => {
    const random = new Random('aggregates', title);
    const request = (): LineRequest => {
      const drawn = draw(occurring, random);
      return {
        path: pathOf({ entity: 'rounds', by, measures, top: TOP, ...drawn }),
        ...(ask && { question: ask(drawn) }),
      };
    };
    return { title, requests: Array.from({ length: VALUES }, request) };
  });
}

/** True of all records; the facet index does not have the field, so that the database answers. */
const NOT_INDEXED = 'CreatedTimeStamp ge 1900-01-01T00:00:00Z';

/** The call with the same answer that the database gives. */
export function inDatabase(path: string): string {
  const { $filter, ...others } = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  return pathOf({
    ...others,
    $filter: $filter === undefined ? NOT_INDEXED : `(${$filter}) and ${NOT_INDEXED}`,
  });
}

const pathOf = (parameters: Parameters): string => `/aggregates?${new URLSearchParams(parameters)}`;
