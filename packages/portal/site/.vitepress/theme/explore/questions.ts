/** Questions to start from, as states of the page. */
import type { ExploreState } from './state.ts';

const YEARS = 8;

export interface Question {
  readonly title: string;
  readonly state: ExploreState;
}

export function questionsOf(thisYear: number): readonly Question[] {
  const since = thisYear - YEARS + 1;
  const rounds = { entity: 'rounds', by: 'quarter(Date)', figure: 'sum(Amount)', since } as const;
  return [
    {
      title: 'German fintech by quarter',
      state: { ...rounds, narrow: { country: ['Germany'], industry: ['Fintech'] } },
    },
    {
      title: 'Who leads German fintech',
      state: {
        ...{ ...rounds, by: 'lead_investor', figure: 'count' },
        narrow: { country: ['Germany'], industry: ['Fintech'] },
      },
    },
    {
      title: 'Median round by stage',
      state: { ...rounds, by: 'round_stage', figure: 'median(Amount)', narrow: {} },
    },
    {
      title: 'Seed rounds by country',
      state: { ...rounds, by: 'country', figure: 'count', narrow: { round_stage: ['Seed'] } },
    },
    {
      title: 'Startups by industry',
      state: { entity: 'startups', by: 'industry', figure: 'count', since: undefined, narrow: {} },
    },
    {
      title: 'Valuations by year',
      state: {
        entity: 'valuations',
        by: 'year(Date)',
        figure: 'median(Amount)',
        since: undefined,
        narrow: {},
      },
    },
  ];
}
