export { rankedMatches, search } from './search.ts';
export {
  type CompanyType,
  MATCH_FIELDS,
  type MatchedOn,
  type MatchField,
  Q_LENGTH_MAX,
  SEARCH_TOP_MAX,
  type SearchAnswer,
  type SearchDatabase,
  type SearchRequest,
  WEBSITE_LENGTH_MAX,
} from './search-request.ts';
