import { answer, list, MAX_CREDITS, object, oneOf, RECORDS, text } from '../schemas.ts';
import type { Tool } from './tool.ts';

/** With five candidates each, about what an answer holds. */
const COMPANIES_MAX = 50;

interface Company {
  readonly Id: string;
  readonly Type: string;
  readonly Name: string | null;
  readonly Website: string | null;
  readonly Country: readonly string[];
  readonly Score: number;
}

interface Result {
  readonly ref: string;
  readonly verdict: string;
  readonly explanation: string;
  readonly record: Company | null;
  readonly candidates: readonly Company[];
  readonly problems: readonly unknown[];
}

/** Finds the records of the companies of a list. */
export const matchCompanies: Tool = {
  name: 'match_companies',
  title: 'Match a list of companies',
  description:
    'The records of the companies of a list, such as a CRM: for each a certain match, candidates or none, and why. ' +
    '1 credit for each match, at least 1. Example: {"companies":[{"name":"Stripe","country":"US"}]}.',
  input: object(
    {
      companies: {
        type: 'array',
        description: 'Each with a name, a website or identifiers; the country separates namesakes.',
        items: object({
          ref: text('Your own name of it.', 200),
          name: text('Name.', 200),
          website: text('Domain or URL.', 2_000),
          country: text('Name or code.', 100),
          identifiers: list('Such as linkedin:acme.', text('scheme:value or URL.', 500), 10),
          type: oneOf('Default: both.', ['startup', 'fund']),
        }),
        minItems: 1,
        maxItems: COMPANIES_MAX,
      },
      max_credits: MAX_CREDITS,
    },
    ['companies'],
  ),
  output: answer({ results: RECORDS }),
  metered: true,
  recordsIn: 'results',
  call: ({ companies }) => ({
    path: '/companies/match',
    parameters: {},
    body: (companies as readonly object[]).map((item, index) => ({ ref: `${index + 1}`, ...item })),
  }),
  answer: (_, { data }) => ({
    results: (data as readonly Result[]).map((result) => {
      const { ref, verdict, explanation, record, candidates, problems } = result;
      return {
        ...{ ref, verdict, explanation },
        ...(record && { record: shown(record) }),
        ...(candidates.length > 0 && { candidates: candidates.map(shown) }),
        ...(problems.length > 0 && { problems }),
      };
    }),
  }),
};

function shown({ Id, Type, Name, Website, Country, Score }: Company) {
  return { Id, Type, Name, Website, Country, Score };
}
