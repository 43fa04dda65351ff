import type { SearchRequest } from '../search/index.ts';

/** Companies by name or website, best first (spec §4.2). */
export interface SearchPlan {
  readonly kind: 'search';
  readonly request: SearchRequest;
}
