/** Questions that a person picks in a client: each names the calls that answer it. */
import { object, type Schema, text } from './schemas.ts';

const LENGTH_MAX = 200;

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  /** The text for an assistant, with one call in each line that begins with a number. */
  readonly text: (args: Readonly<Record<string, unknown>>) => string;
}

/** `{id}` is the Id that the first call returns. */
type Step = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const asked = (task: string, steps: readonly Step[], answer: string): string => {
  const lines = steps.map(([tool, args], n) => `${n + 1}. ${tool} ${JSON.stringify(args)}`);
  return `${task} Use these tools of the Venture Capital Data Service:\n\n${lines.join('\n')}\n\n${answer} Say what is unknown instead of guessing, and what the calls have cost.`;
};
const ID = '{id}';

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'company_brief',
    title: 'Company brief',
    description:
      'A startup on one page: profile, rounds, investors, news and peers. About 5 credits.',
    input: object({ company: text('Name of the startup.', LENGTH_MAX) }, ['company']),
    text: ({ company }) =>
      asked(
        `Write a brief of the startup ${JSON.stringify(company)}.`,
        [
          ['find_company', { name: company, type: 'startup', top: 3 }],
          ['get_record', { collection: 'startups', id: ID, expand: 'FundingRounds,Funds,Persons' }],
          ['list_records', { collection: 'news', startup_id: ID, orderby: 'Date desc', top: 5 }],
          ['find_similar', { type: 'startups', id: ID, top: 5 }],
        ],
        'Put the Id of the best match in place of {id}; ask me if two match alike. Then write: what it does, its rounds ' +
          'in a table, its investors, its people, its latest news with links, and its peers with the reasons.',
      ),
  },
  {
    name: 'market_brief',
    title: 'Market brief',
    description:
      'An industry in figures: money by year, investors, companies, rounds. About 11 credits.',
    input: object(
      {
        industry: text('Such as Fintech.', LENGTH_MAX),
        country: text('Such as Germany. Default: all countries.', LENGTH_MAX),
      },
      ['industry'],
    ),
    text: ({ industry, country }) => {
      const narrow = { industry, ...(country !== undefined && { country }) };
      const rounds = { entity: 'rounds', narrow } as const;
      const where = country === undefined ? '' : ` in ${JSON.stringify(country)}`;
      return asked(
        `Write a brief of the market ${JSON.stringify(industry)}${where}.`,
        [
          ['count_by_category', { entity: 'startups', dimensions: ['industry'], search: industry }],
          [
            'aggregate_records',
            { ...rounds, measures: ['count', 'sum(Amount)', 'median(Amount)'], by: ['year(Date)'] },
          ],
          ['aggregate_records', { ...rounds, measures: ['count'], by: ['investor'], top: 10 }],
          ['list_records', { collection: 'startups', narrow, orderby: 'TotalRaised desc', top: 5 }],
          ['list_records', { collection: 'rounds', narrow, orderby: 'Date desc', top: 5 }],
        ],
        'Take the spelling of the industry from the first call. Then write: the money by year as a table, the most active ' +
          'investors, the companies that have raised most, and the latest rounds.',
      );
    },
  },
  {
    name: 'portfolio_check',
    title: 'Portfolio check',
    description: 'A fund: its holdings, latest rounds and news. About 17 credits.',
    input: object({ fund: text('Name of the fund.', LENGTH_MAX) }, ['fund']),
    text: ({ fund }) =>
      asked(
        `Check the portfolio of the fund ${JSON.stringify(fund)}.`,
        [
          ['find_company', { name: fund, type: 'fund', top: 3 }],
          ['get_record', { collection: 'funds', id: ID }],
          ['list_records', { collection: 'portfolio', fund_id: ID, top: 20 }],
          ['list_records', { collection: 'rounds', fund_id: ID, orderby: 'Date desc', top: 5 }],
          ['list_records', { collection: 'news', fund_id: ID, orderby: 'Date desc', top: 5 }],
        ],
        'Put the Id of the best match in place of {id}; ask me if two match alike. Then write: the profile of the fund, its ' +
          'holdings by status, those without a round for three years, and the latest rounds and news with links.',
      ),
  },
];
