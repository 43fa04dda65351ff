import { ArgumentError } from '../arguments.ts';
import { answer, MAP, MAX_CREDITS, object, text } from '../schemas.ts';
import type { Tool } from './tool.ts';

/** Facts from the own site of a company. */
export const readSite: Tool = {
  name: 'read_site',
  title: "Read a company's site",
  description:
    "Facts that a company's own site states now: name, description, country, founding year, profiles, " +
    'each with its evidence, and our record as Match: 25 credits. For what the records lack; try ' +
    'find_company first. Example: {"website":"stripe.com"}.',
  input: object({
    website: text('Domain or URL of the site.', 2_000),
    name: text('Instead of website: a company in the records that has one.', 200),
    max_credits: MAX_CREDITS,
  }),
  output: answer({ site: MAP }),
  metered: true,
  readsWeb: true,
  argumentNames: { q: 'name' },
  call: ({ website, name }) => {
    if ((website === undefined) === (name === undefined)) {
      throw new ArgumentError('Give a website or a name.', 'website');
    }
    return { path: '/find', parameters: { website, q: name } };
  },
  answer: (_, { data }) => ({ site: data }),
};
