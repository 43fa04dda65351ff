import { resources } from '../../../src/resources/index.ts';

/** The collections of all records, with their resources. */
export const COLLECTIONS = [
  ['/startups', resources.startup],
  ['/startups/fundingrounds', resources.fundingRound],
  ['/startups/postvaluations', resources.postValuation],
  ['/funds', resources.fund],
  ['/persons', resources.person],
  ['/news', resources.news],
] as const;
