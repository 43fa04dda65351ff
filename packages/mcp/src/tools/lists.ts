import { ArgumentError } from '../arguments.ts';
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
  readonly reason: string;
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
          ref: text('Your own name of it, for all or none.', 200),
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
    body: withRefs(companies as readonly { readonly ref?: string }[]),
  }),
  answer: (_, { data }) => ({
    results: (data as readonly Result[]).map((result) => {
      const { ref, verdict, reason, explanation, record, candidates, problems } = result;
      return {
        ...{ ref, verdict, reason, explanation },
        ...(record && { record: shown(record) }),
        ...(candidates.length > 0 && { candidates: candidates.map(shown) }),
        ...(problems.length > 0 && { problems }),
      };
    }),
  }),
};

/**
 * The companies with their numbers if none has a `ref`; a number could be the `ref` of another.
 *
 * @throws ArgumentError if some have one.
 */
function withRefs(companies: readonly { readonly ref?: string }[]): readonly object[] {
  const without = companies.findIndex(({ ref }) => ref === undefined);
  if (without === -1) return companies;
  if (companies.some(({ ref }) => ref !== undefined)) {
    const argument = `companies.${without}.ref`;
    throw new ArgumentError(`Missing argument ${argument}: all have a ref, or none.`, argument);
  }
  return companies.map((item, index) => ({ ...item, ref: `${index + 1}` }));
}

function shown({ Id, Type, Name, Website, Country, Score }: Company) {
  return { Id, Type, Name, Website, Country, Score };
}
