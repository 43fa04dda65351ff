export { rankedMatches, search } from './search.ts';
export {
  type CompanyType,
  type MatchedOn,
  type MatchField,
  matchFields,
  qLengthMax,
  type SearchAnswer,
  type SearchDatabase,
  type SearchRequest,
  searchTopMax,
  websiteLengthMax,
} from './search-request.ts';
