/** The row of `POST /companies/match`. */
import { MATCH_TABLE } from './company-match/json.ts';
import { matchCompanies } from './company-match/match.ts';
import { type Item, MATCH_BODY, readItem } from './company-match/query.ts';
import { endpoint } from './serve/endpoint.ts';

export const MATCH_ENDPOINT = endpoint(
  '/companies/match',
  {
    ...{ id: 'matchCompanies', tag: 'search', summary: 'The records of a list of companies' },
    description:
      'For each item of the body, which has 1 to 100: the record that it means, if that is certain; else the records that it may mean, best first; each with the evidence for and against it.',
    body: ['CompanyMatchResult'],
    errors: ['bad_json', 'body_too_large', 'unsupported_media_type'],
  },
  {
    accepts: [],
    body: MATCH_BODY,
    table: () => MATCH_TABLE,
    parse: ({ body }) => body as readonly Item[],
    plan: (items) => items.map(readItem),
    price: (items) => ({ ceilingRecords: items.length }),
    read: (items, { database }) => matchCompanies(items, database),
  },
);
