/** The table of endpoints: the path, the text, and the steps of each (docs/architecture.md). */
import { RATES_DOCUMENT } from '@vcds/metering';
import { ENTITY_IDS } from '@vcds/venture-model';
import { ACTIVITY_PARAMETERS, CURSOR, parseActivityQuery } from './activity/query.ts';
import {
  ACTIVITY_TABLE,
  type ActivityPlan,
  planActivity,
  readActivity,
} from './activity/read-activity.ts';
import { executeAggregates } from './aggregates/execute.ts';
import { aggregatesTable } from './aggregates/json.ts';
import { type AggregatesPlan, planAggregates } from './aggregates/plan.ts';
import { AGGREGATES_PARAMETERS, parseAggregatesQuery, SKIP } from './aggregates/query.ts';
import { executeFacets, executeValues } from './categories/execute.ts';
import { categoriesBody, DIMENSIONS_TABLE, FACETS_TABLE, valuesTable } from './categories/json.ts';
import {
  type FacetsPlan,
  planEntity,
  planFacets,
  planValues,
  type ValuesPlan,
} from './categories/plan.ts';
import {
  CATEGORIES_PARAMETERS,
  FACETS_PARAMETERS,
  parseEntityParameter,
  parseFacetsQuery,
  parseValuesQuery,
  VALUES_PARAMETERS,
} from './categories/query.ts';
import { FIND_TABLE } from './find/json.ts';
import { lookUp } from './find/look-up.ts';
import { FIND_ERRORS, FIND_PARAMETERS, parseFind } from './find/query.ts';
import { MATCH_ENDPOINT } from './match-endpoint.ts';
import { executeMatching } from './matching/execute.ts';
import { matchesTable as matchTable } from './matching/json.ts';
import { type MatchingPlan, planMatching } from './matching/plan.ts';
import { MATCHING_PARAMETERS, parseMatchingQuery } from './matching/query.ts';
import type { Answer } from './postgres/database.ts';
import { byCategory, byUnknownEntity, RECORD_ENDPOINTS } from './record-endpoints.ts';
import { REPLICA_ENDPOINTS } from './replica-endpoints.ts';
import { parseSearchRequest, SEARCHES } from './search/query.ts';
import { search as searchCompanies } from './search/search.ts';
import { type CompanyType, matchesTable } from './search/search-request.ts';
import {
  compileTagSearch,
  parseTagSearch,
  TAG_SEARCH_PARAMETERS,
  TAGS_TABLE,
} from './search/tag-search.ts';
import {
  ceilingOf,
  type Endpoint,
  type EndpointText,
  endpoint,
  narrows,
  narrowsEntity,
} from './serve/endpoint.ts';
import { SIGNAL_TYPES_TABLE, signalsTable } from './signals/json.ts';
import { planSignals, type SignalsPlan } from './signals/plan.ts';
import { parseSignalsQuery, SIGNALS_CURSOR, SIGNALS_PARAMETERS } from './signals/query.ts';
import { readSignals } from './signals/read-signals.ts';
import { signalTypesDocument } from './signals/signal-types.ts';
import { SIMILAR_ENDPOINTS } from './similar-endpoints.ts';

const CATEGORIES_BODIES = new Map(ENTITY_IDS.map((id) => [id, categoriesBody(planEntity(id))]));

/** Every endpoint of the data API. */
export const endpoints: readonly Endpoint[] = [
  ...RECORD_ENDPOINTS,
  search('/funds/search', ['fund'], {
    ...{ id: 'searchFunds', tag: 'search', summary: 'Funds by name or website' },
    description: 'The most similar funds, best first. Needs `q`, `website` or both.',
    example: '?q={fund}&top=2',
  }),
  search('/startups/search', ['startup'], {
    ...{ id: 'searchStartups', tag: 'search', summary: 'Startups by name or website' },
    description: 'The most similar startups, best first. Needs `q`, `website` or both.',
    example: '?q={startup}&top=2',
  }),
  endpoint(
    '/startups/tags/search',
    {
      ...{ id: 'searchTags', tag: 'search', summary: 'Industry tags of startups' },
      description:
        'Tags that begin with `q`, then tags that contain it, each group by descending count.',
      example: '?q=fin&top=3',
      body: ['TagCount'],
    },
    {
      accepts: TAG_SEARCH_PARAMETERS,
      table: () => TAGS_TABLE,
      parse: ({ reader }) => parseTagSearch(reader),
      plan: (query) => query,
      price: ({ top }) => ({ ceilingRecords: top }),
      read: (plan, { database }) => database.answer(compileTagSearch(plan)),
    },
  ),
  search('/companies/search', ['startup', 'fund'], {
    ...{ id: 'searchCompanies', tag: 'search', summary: 'Startups and funds by name or website' },
    description:
      'The most similar companies of both types, best first. Needs `q`, `website` or both.',
    example: '?q={startup}&top=2&fields=Name,Website,Score,MatchedOn',
  }),
  MATCH_ENDPOINT,
  ...SIMILAR_ENDPOINTS,
  endpoint(
    '/categories',
    {
      ...{ id: 'listDimensions', tag: 'categories', summary: 'The dimensions of an entity' },
      description:
        'The dimensions that group and narrow records. Closed dimensions have their complete list of values.',
      example: '?entity=rounds',
      body: 'Dimensions',
    },
    {
      accepts: CATEGORIES_PARAMETERS,
      table: () => DIMENSIONS_TABLE,
      parse: ({ reader }) => parseEntityParameter(reader),
      plan: (entity) => planEntity(entity).id,
      run: async (entity) => constant(CATEGORIES_BODIES.get(entity) ?? ''),
    },
  ),
  endpoint(
    '/categories/facets',
    {
      ...{ id: 'countFacets', tag: 'categories', summary: 'Counts of several dimensions' },
      description: 'The values that occur under the narrowing with their number of records.',
      example: '?dimensions=stage,team_size&country=France&top=3',
      body: 'Facets',
    },
    {
      accepts: FACETS_PARAMETERS,
      table: () => FACETS_TABLE,
      parse: ({ reader }) => parseFacetsQuery(reader),
      plan: planFacets,
      ...narrowsEntity<FacetsPlan>(),
      read: (plan, { categories }) => executeFacets(plan, categories),
    },
  ),
  endpoint(
    '/categories/:dimension',
    {
      ...{ id: 'listDimensionValues', tag: 'categories', summary: 'The values of a dimension' },
      description:
        'The values with their number of records under the narrowing, most records first.',
      example: '?country=France&top=3',
      body: 'DimensionValues',
    },
    {
      accepts: VALUES_PARAMETERS,
      table: valuesTable,
      parse: ({ reader, path: { dimension = '' } }) => parseValuesQuery(reader, dimension),
      plan: planValues,
      ...narrowsEntity<ValuesPlan>(),
      read: (plan, { categories }) => executeValues(plan, categories),
    },
  ),
  byCategory('startups', {
    ...{ id: 'listStartupsByCategory', tag: 'categories', summary: 'Startups of a category' },
    description:
      'The startups that have the value, and every value of other dimensions in the query.',
    example: '?$select=Name,TotalRaised&$top=2',
  }),
  byCategory('funds', {
    ...{ id: 'listFundsByCategory', tag: 'categories', summary: 'Funds of a category' },
    description: 'The funds that have the value, and every value of other dimensions in the query.',
    example: '?$select=Name,InvestmentsCount&$top=2',
  }),
  byCategory('rounds', {
    ...{ id: 'listRoundsByCategory', tag: 'categories', summary: 'Funding rounds of a category' },
    description:
      'The rounds that have the value, and every value of other dimensions in the query.',
    example: '?$select=Date,Amount&$top=2',
  }),
  byUnknownEntity('/categories/:dimension/:value/:entity'),
  endpoint(
    '/aggregates',
    {
      ...{ id: 'aggregate', tag: 'categories', summary: 'Figures of groups of records' },
      description:
        'Numbers, sums, averages, extremes and percentiles of records by dimensions and units of time.',
      example:
        '?entity=rounds&measures=count,sum(Amount),median(Amount)&by=round_stage&country=Germany&top=3',
      body: 'Aggregates',
      errors: ['unknown_field', 'unknown_dimension', 'too_many_groups'],
    },
    {
      accepts: AGGREGATES_PARAMETERS,
      cursor: SKIP,
      table: aggregatesTable,
      parse: ({ reader }) => parseAggregatesQuery(reader),
      plan: (query, { today }) => planAggregates(query, today),
      ...narrows<AggregatesPlan>(),
      read: executeAggregates,
    },
  ),
  endpoint(
    '/signals',
    {
      ...{ id: 'listSignals', tag: 'signals', summary: 'The change feed' },
      description:
        'Every change once, in the order of `detectedAt`. To follow it, start with `order=asc` and `since`, store `nextCursor`, and send it as `cursor` with the next call.',
      example: '?types=round.recorded,news.mention&limit=2&expand=subject',
      body: 'SignalPage',
    },
    {
      accepts: SIGNALS_PARAMETERS,
      cursor: SIGNALS_CURSOR,
      table: signalsTable,
      parse: ({ reader, today }) => parseSignalsQuery(reader, today),
      plan: (query, { cursors }) => planSignals(query, cursors.signals),
      price: ({ limit, expands }) => ({ ceilingRecords: limit, expands: expands.length }),
      ...narrows<SignalsPlan>(),
      read: readSignals,
    },
  ),
  ...REPLICA_ENDPOINTS,
  endpoint(
    '/find',
    {
      ...{ id: 'findCompany', tag: 'search', summary: 'Facts from the site of a company' },
      description:
        'Reads the page of a site now, or returns the one of the last hour with its age in the header `Age`. Needs `website` or `q`. Each fact has its evidence; a call whose site cannot be read is free. Takes at most 10 seconds.',
      example: '?website=rundanfynn.example',
      body: 'CompanySite',
      headers: ['Age'],
      errors: FIND_ERRORS,
    },
    {
      accepts: FIND_PARAMETERS,
      table: () => FIND_TABLE,
      parse: ({ reader }) => parseFind(reader),
      plan: (query) => query,
      run: lookUp,
    },
  ),
  endpoint(
    '/signals/types',
    {
      ...{ id: 'listSignalTypes', tag: 'signals', summary: 'The types of signal' },
      description: 'Every type with its subject, its object and whether it has an amount.',
      body: 'SignalTypes',
    },
    { ...fixed(signalTypesDocument()), table: () => SIGNAL_TYPES_TABLE },
  ),
  endpoint(
    '/activityfeed',
    {
      ...{ id: 'listActivity', tag: 'signals', summary: 'The activity feed' },
      description:
        'News for readers: the signals that have a market date, newest market date first, with a name, a title and a link, without those of deleted records. Follow the `Link` header for the next page. Programs that synchronize data use `/signals`.',
      example: '?types=round.recorded,portfolio.exit_recorded&$top=2',
      body: ['ActivityEntry'],
    },
    {
      accepts: ACTIVITY_PARAMETERS,
      cursor: CURSOR,
      table: () => ACTIVITY_TABLE,
      parse: ({ reader, today, principal }) =>
        parseActivityQuery(reader, today, ceilingOf(principal)),
      plan: (query, { cursors, principal }) =>
        planActivity(query, cursors.activity, ceilingOf(principal)),
      price: ({ top }) => ({ ceilingRecords: top }),
      ...narrows<ActivityPlan>(),
      read: readActivity,
    },
  ),
  endpoint(
    '/venturematching',
    {
      ...{
        id: 'listMatches',
        tag: 'matching',
        summary: 'Investors for a startup, or startups for a fund',
      },
      description:
        'The funds that are most likely to invest in a company, or the startups in which a fund is most likely to invest, best first, each with the reasons. Needs `startup`, `fund`, or criteria that describe a company (`tags`, `country`, `stage`, `amount`).',
      example: '?startup={startups}&top=2',
      body: ['VentureMatch'],
      headers: ['X-Model-Version'],
    },
    {
      accepts: MATCHING_PARAMETERS,
      table: matchTable,
      parse: ({ reader }) => parseMatchingQuery(reader),
      plan: planMatching,
      price: ({ top }) => ({ ceilingRecords: top }),
      ...narrows<MatchingPlan>(),
      read: executeMatching,
    },
  ),
  endpoint(
    '/pricing',
    {
      ...{ id: 'getPricing', tag: 'service', summary: 'The rate card' },
      description:
        'Plans, prices of every endpoint, and worked examples. Works without remaining credits.',
      body: 'RateCard',
    },
    fixed(RATES_DOCUMENT),
  ),
];

function search(path: string, types: readonly CompanyType[], text: EndpointText): Endpoint {
  const { accepts, top } = types.length > 1 ? SEARCHES.companies : SEARCHES.oneType;
  return endpoint(
    path,
    { ...text, body: ['CompanyMatch'] },
    {
      accepts,
      parse: ({ reader }) => parseSearchRequest(reader, types, top),
      plan: (request) => request,
      price: (request) => ({ ceilingRecords: request.top }),
      table: matchesTable,
      read: async (request, { database }) => ({
        ...(await searchCompanies(database, request)),
        more: false,
      }),
    },
  );
}

function fixed(document: object) {
  const answer = constant(JSON.stringify(document));
  return { accepts: [], parse: () => undefined, plan: () => undefined, run: async () => answer };
}

function constant(body: string): Answer {
  return { body, records: 0, more: false };
}
