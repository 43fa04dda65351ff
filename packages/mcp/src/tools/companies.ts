import { ArgumentError } from '../arguments.ts';
import { cutText } from '../cut-text.ts';
import { answer, integer, MAX_CREDITS, object, oneOf, RECORDS, text } from '../schemas.ts';
import type { Tool } from './tool.ts';

const DESCRIPTION_LENGTH_MAX = 160;
const PATHS: Readonly<Record<string, string>> = {
  startup: '/startups/search',
  fund: '/funds/search',
  any: '/companies/search',
};

interface Match {
  readonly Id: string;
  readonly Type: string;
  readonly Name: string | null;
  readonly Website: string | null;
  readonly Location: string | null;
  readonly Country: readonly string[];
  readonly Description: string | null;
  readonly Score: number;
}

/** Finds the id of a company. */
export const findCompany: Tool = {
  name: 'find_company',
  title: 'Find a company',
  description:
    'The id of a startup or fund by its name or website, best match first: 1 credit. Tolerates typos. ' +
    'A Score of 1 is the same name or website. Example: {"name":"Stripe","type":"startup"}.',
  input: object({
    name: text('Name of the company.', 200),
    website: text('Domain or URL, such as stripe.com; more precise than a name.', 2_000),
    type: { ...oneOf('Which companies.', Object.keys(PATHS)), default: 'any' },
    top: { ...integer('Matches to return.', 1, 20), default: 5 },
    max_credits: MAX_CREDITS,
  }),
  output: answer({ matches: RECORDS }),
  metered: true,
  recordsIn: 'matches',
  argumentNames: { q: 'name' },
  call: ({ name, website, type = 'any', top = 5 }) => {
    if (name === undefined && website === undefined) {
      throw new ArgumentError('Give a name, a website or both.', 'name');
    }
    return { path: PATHS[String(type)] ?? '', parameters: { q: name, website, top } };
  },
  answer: (_, { data }) => ({
    matches: (data as readonly Match[]).map(
      ({ Id, Type, Name, Website, Location, Country, Description, Score }) => ({
        ...{ Id, Type, Name, Website, Location, Country, Score },
        Description: Description === null ? null : cutText(Description, DESCRIPTION_LENGTH_MAX),
      }),
    ),
  }),
};
