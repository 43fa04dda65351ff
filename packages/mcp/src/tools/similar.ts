import { cutText } from '../cut-text.ts';
import { answer, integer, MAX_CREDITS, NARROW, object, oneOf, RECORDS, uuid } from '../schemas.ts';
import type { Tool } from './tool.ts';

const DESCRIPTION_LENGTH_MAX = 160;

interface Similar {
  readonly Id: string;
  readonly Name: string;
  readonly Website: string | null;
  readonly Location: string | null;
  readonly Country: readonly string[];
  readonly Tags: readonly string[];
  readonly Description: string | null;
  readonly Score: number;
  readonly Reasons: readonly { readonly Text: string }[];
}

/** Companies that are like one. */
export const findSimilar: Tool = {
  name: 'find_similar',
  title: 'Find similar companies',
  description:
    'Startups like a startup, or funds like a fund: peers, competitors, co-investors. Best first, with a score from 0 to 1 ' +
    'and reasons (industries, words of the profile, common investors or portfolio, place, stage, size): 1 credit. ' +
    'Get the id from find_company. Example: {"type":"startups","id":"…","top":5,"narrow":{"country":"Germany"}}.',
  input: object(
    {
      type: oneOf('The type of the company and of those like it.', ['startups', 'funds']),
      id: uuid('The company.'),
      narrow: NARROW,
      top: { ...integer('Companies to return.', 1, 25), default: 10 },
      max_credits: MAX_CREDITS,
    },
    ['type', 'id'],
  ),
  output: answer({ companies: RECORDS }),
  metered: true,
  recordsIn: 'companies',
  call: ({ type, id, top = 10, narrow }) => ({
    path: `/${String(type)}/{id}/similar`,
    parameters: { ...(narrow as object | undefined), id, top },
  }),
  answer: (_, { data }) => ({
    companies: (data as readonly Similar[]).map(
      ({ Id, Name, Website, Location, Country, Tags, Description, Score, Reasons }) => ({
        ...{ Id, Name, Website, Location, Country, Tags, Score },
        Reasons: Reasons.map(({ Text }) => Text),
        Description: Description === null ? null : cutText(Description, DESCRIPTION_LENGTH_MAX),
      }),
    ),
  }),
};
