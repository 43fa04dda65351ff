/** The rows of the endpoints for companies that are alike. */
import { type Endpoint, type EndpointText, endpoint, narrows } from './serve/endpoint.ts';
import {
  parseSimilarQuery,
  planSimilar,
  SIMILAR_PARAMETERS,
  type SimilarPlan,
} from './similar/plan.ts';
import { readSimilar } from './similar/read-similar.ts';
import type { Kind } from './similar/score.ts';
import { members, type Table, texts } from './tables/csv.ts';

const SIMILAR_TABLE: Table = {
  columns: [
    ...members('Id', 'Type', 'Name', 'Website', 'Domain', 'Location', 'Country', 'Description'),
    ...members('Tags', 'LogoUrl', 'Score'),
    texts('Reasons', 'Text'),
  ],
};

export const SIMILAR_ENDPOINTS: readonly Endpoint[] = [
  similar('startup', {
    ...{ id: 'listSimilarStartups', tag: 'search', summary: 'Startups that are like a startup' },
    description:
      'The startups that are most alike the one with this id, best first, each with the reasons: by tags, the words of the profile, investors, place, stage and size.',
    example: '?top=2',
  }),
  similar('fund', {
    ...{ id: 'listSimilarFunds', tag: 'search', summary: 'Funds that are like a fund' },
    description:
      'The funds that are most alike the one with this id, best first, each with the reasons: by common portfolio companies, tags, the words of the profile, mandate, place and size.',
    example: '?top=2',
  }),
];

function similar(kind: Kind, text: EndpointText): Endpoint {
  return endpoint(
    `/${kind}s/:id/similar`,
    { ...text, body: ['SimilarCompany'] },
    {
      accepts: SIMILAR_PARAMETERS,
      table: () => SIMILAR_TABLE,
      parse: ({ reader }) => parseSimilarQuery(reader),
      plan: (query, { path: { id = '' } }) => planSimilar(kind, query, id),
      price: ({ top }) => ({ ceilingRecords: top }),
      ...narrows<SimilarPlan>(),
      read: readSimilar,
    },
  );
}
