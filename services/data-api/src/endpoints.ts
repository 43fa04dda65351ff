/** The table of endpoints: the path, the parameters, and the parse and plan steps of each. */
import type { Principal } from '@vcds/credentials';
import { PLANS, RATES_DOCUMENT, rateFor } from '@vcds/metering';
import { ENTITY_IDS, type EntityId } from '@vcds/venture-model';
import { ACTIVITY_PARAMETERS, parseActivityQuery } from './activity/query.ts';
import { planActivity } from './activity/read-activity.ts';
import { planAggregates } from './aggregates/plan.ts';
import { AGGREGATES_PARAMETERS, parseAggregatesQuery } from './aggregates/query.ts';
import { categoriesBody } from './categories/json.ts';
import { planDimension, planEntity, planFacets, planValues } from './categories/plan.ts';
import {
  CATEGORIES_PARAMETERS,
  FACETS_PARAMETERS,
  parseEntityParameter,
  parseFacetsQuery,
  parseValuesQuery,
  VALUES_PARAMETERS,
} from './categories/query.ts';
import {
  type CollectionScope,
  type ParentScope,
  planCollection,
  planRecord,
} from './collections/plan.ts';
import {
  COLLECTION_PARAMETERS,
  type CollectionQuery,
  EXPAND,
  parseCollectionQuery,
  parseRecordQuery,
  RECORD_PARAMETERS,
} from './collections/query.ts';
import { FIND_PARAMETERS, parseFind } from './find/query.ts';
import { planMatching } from './matching/plan.ts';
import { MATCHING_PARAMETERS, parseMatchingQuery } from './matching/query.ts';
import { planNarrowing } from './narrowing/plan.ts';
import { NARROWING_PARAMETERS, parseNarrowing } from './narrowing/query.ts';
import { type Resource, resources } from './resources/index.ts';
import { parseSearchRequest, SEARCHES } from './search/query.ts';
import type { CompanyType } from './search/search-request.ts';
import { parseTagSearch, TAG_SEARCH_PARAMETERS } from './search/tag-search.ts';
import type { Endpoint, PlanContext } from './serve/endpoint.ts';
import { CALL_PARAMETERS } from './serve/parse.ts';
import type { PageCeiling } from './serve/request/parameter-reader.ts';
import { parseValueList } from './serve/request/value-list.ts';
import { planSignals } from './signals/plan.ts';
import { parseSignalsQuery, SIGNALS_PARAMETERS } from './signals/query.ts';
import { signalTypesDocument } from './signals/signal-types.ts';

type Parent = Omit<ParentScope, 'id'>;

const STARTUP = { table: 'venture.startup', column: 'startup_id' } as const;
const FUND = { table: 'venture.fund', column: 'fund_id' } as const;
const AT_STARTUP = { table: 'venture.startup', column: 'company_id' } as const;
const AT_FUND = { table: 'venture.fund', column: 'company_id' } as const;

const ENTITY_RESOURCES: Readonly<Record<EntityId, Resource>> = {
  startups: resources.startup,
  funds: resources.fund,
  rounds: resources.fundingRound,
};

/** Every endpoint of the data API. */
export const endpoints: readonly Endpoint[] = [
  collection('/funds', resources.fund),
  search('/funds/search', ['fund']),
  record('/funds/:id', resources.fund),
  collection('/funds/:id/portfolio', resources.holding, FUND),
  collection('/funds/:id/persons', resources.fundPerson, AT_FUND),
  collection('/startups', resources.startup),
  search('/startups/search', ['startup']),
  tagSearch('/startups/tags/search'),
  collection('/startups/fundingrounds', resources.fundingRound),
  collection('/startups/postvaluations', resources.postValuation),
  record('/startups/:id', resources.startup),
  collection('/startups/:id/fundingrounds', resources.fundingRound, STARTUP),
  collection('/startups/:id/postvaluations', resources.postValuation, STARTUP),
  collection('/startups/:id/persons', resources.startupPerson, AT_STARTUP),
  collection('/startups/:id/references', resources.reference, STARTUP),
  collection('/persons', resources.person),
  record('/persons/:id', resources.person),
  collection('/news', resources.news),
  search('/companies/search', ['startup', 'fund']),
  categories('/categories'),
  facets('/categories/facets'),
  aggregates('/aggregates'),
  categoryValues('/categories/:dimension'),
  ...ENTITY_IDS.map((entity) => byCategory(`/categories/:dimension/:value/${entity}`, entity)),
  byUnknownEntity('/categories/:dimension/:value/:entity'),
  signals('/signals'),
  find('/find'),
  fixed('/signals/types', signalTypesDocument()),
  activity('/activityfeed'),
  matching('/venturematching'),
  fixed('/pricing', RATES_DOCUMENT),
];

/** The records of a resource, or those of the record in the path. */
export function collection(
  path: string,
  resource: Resource,
  parent?: Parent,
  rate?: Endpoint['rate'],
): Endpoint {
  const accepts =
    resource.relations.size > 0
      ? COLLECTION_PARAMETERS
      : COLLECTION_PARAMETERS.filter((parameter) => parameter !== EXPAND);
  return endpoint(path, {
    ...(rate && { rate }),
    accepts,
    resource,
    parse: pageOf(resource),
    plan: (query, { path: { id = '' }, ...context }) =>
      planCollection(query, scopeOf(resource, context, parent && { ...parent, id })),
  });
}

function record(path: string, resource: Resource): Endpoint {
  return endpoint(path, {
    accepts: RECORD_PARAMETERS,
    resource,
    parse: ({ reader }) => parseRecordQuery(reader),
    plan: (query, { path: { id = '' } }) => planRecord(query, resource, id),
  });
}

function search(path: string, types: readonly CompanyType[]): Endpoint {
  const { accepts, top } = types.length > 1 ? SEARCHES.companies : SEARCHES.oneType;
  return endpoint(path, {
    accepts,
    parse: ({ reader }) => parseSearchRequest(reader, types, top),
    plan: (request) => ({ kind: 'search', request }),
  });
}

function tagSearch(path: string): Endpoint {
  return endpoint(path, {
    accepts: TAG_SEARCH_PARAMETERS,
    parse: ({ reader }) => parseTagSearch(reader),
    plan: (query) => query,
  });
}

function signals(path: string): Endpoint {
  return endpoint(path, {
    accepts: SIGNALS_PARAMETERS,
    parse: ({ reader, today }) => parseSignalsQuery(reader, today),
    plan: (query, { cursors }) => planSignals(query, cursors.signals),
  });
}

function activity(path: string): Endpoint {
  return endpoint(path, {
    accepts: ACTIVITY_PARAMETERS,
    parse: ({ reader, today, principal }) =>
      parseActivityQuery(reader, today, ceilingOf(principal)),
    plan: (query, { cursors, principal }) =>
      planActivity(query, cursors.activity, ceilingOf(principal)),
  });
}

function find(path: string): Endpoint {
  return endpoint(path, {
    accepts: FIND_PARAMETERS,
    parse: ({ reader }) => parseFind(reader),
    plan: (query) => query,
  });
}

function matching(path: string): Endpoint {
  return endpoint(path, {
    accepts: MATCHING_PARAMETERS,
    parse: ({ reader }) => parseMatchingQuery(reader),
    plan: planMatching,
  });
}

function fixed(path: string, document: object): Endpoint {
  const body = JSON.stringify(document);
  return endpoint(path, {
    accepts: [],
    parse: () => undefined,
    plan: () => ({ kind: 'fixed', body }),
  });
}

function categories(path: string): Endpoint {
  const bodies = new Map(ENTITY_IDS.map((id) => [id, categoriesBody(planEntity(id))]));
  return endpoint(path, {
    accepts: CATEGORIES_PARAMETERS,
    parse: ({ reader }) => parseEntityParameter(reader),
    plan: (entity) => ({ kind: 'fixed', body: bodies.get(planEntity(entity).id) ?? '' }),
  });
}

function facets(path: string): Endpoint {
  return endpoint(path, {
    accepts: FACETS_PARAMETERS,
    parse: ({ reader }) => parseFacetsQuery(reader),
    plan: planFacets,
  });
}

function aggregates(path: string): Endpoint {
  return endpoint(path, {
    accepts: AGGREGATES_PARAMETERS,
    parse: ({ reader }) => parseAggregatesQuery(reader),
    plan: (query, { today }) => planAggregates(query, today),
  });
}

function categoryValues(path: string): Endpoint {
  return endpoint(path, {
    accepts: VALUES_PARAMETERS,
    parse: ({ reader, path: { dimension = '' } }) => parseValuesQuery(reader, dimension),
    plan: planValues,
  });
}

/** The collection of the entity, narrowed by the value in the path and by those in the query. */
function byCategory(path: string, entity: EntityId): Endpoint {
  const resource = ENTITY_RESOURCES[entity];
  return endpoint(path, {
    accepts: [...COLLECTION_PARAMETERS, ...NARROWING_PARAMETERS],
    resource,
    parse: (call) => ({
      page: pageOf(resource)(call),
      values: parseValueList('value', call.path.value ?? ''),
      narrowing: parseNarrowing(call.reader),
    }),
    plan: ({ page, values, narrowing }, { path: { dimension = '' }, ...context }) => {
      const { id } = planDimension(dimension, 'dimension');
      const inPath = { dimension: id, parameter: 'value', values };
      const planned = planCollection(page, scopeOf(resource, context));
      return { ...planned, narrowed: { entity, by: planNarrowing([inPath, ...narrowing]) } };
    },
  });
}

/** Matches a path whose entity is unknown; its error names the entities. */
function byUnknownEntity(path: string): Endpoint {
  return endpoint(path, {
    // The error does not depend on the scope of the key.
    rate: { ...rateOf('/categories/:dimension'), scope: null },
    listed: false,
    accepts: [...COLLECTION_PARAMETERS, ...NARROWING_PARAMETERS],
    parse: () => undefined,
    plan: (_, { path: { dimension = '', entity = '' } }) => {
      planDimension(dimension, 'dimension');
      planEntity(entity);
      throw new RangeError(`The entity ${entity} has a path of its own.`);
    },
  });
}

function endpoint<Query>(
  path: string,
  row: Omit<Endpoint<Query>, 'path' | 'rate'> & Partial<Pick<Endpoint, 'rate'>>,
): Endpoint {
  const { rate = rateOf(path), accepts } = row;
  return { ...row, path, rate, accepts: [...accepts, ...CALL_PARAMETERS] };
}

/** Reads the parameters of a page of the resource. */
function pageOf({ name, fields }: Resource): Endpoint<CollectionQuery>['parse'] {
  return ({ reader, today, principal, path }) => {
    const collection = [name, ...Object.entries(path).flat()];
    return parseCollectionQuery(reader, {
      ...{ collection, fields, today },
      ceiling: ceilingOf(principal),
    });
  };
}

function scopeOf(
  resource: Resource,
  { principal, today, cursors }: Omit<PlanContext, 'path'>,
  parent?: ParentScope,
): CollectionScope {
  return { resource, ceiling: ceilingOf(principal), today, cursors: cursors.pages, parent };
}

function ceilingOf({ plan }: Principal): PageCeiling {
  const { name, topMax } = PLANS[plan];
  return { plan: name, topMax };
}

function rateOf(path: string) {
  return rateFor(path.replace(/:(\w+)/g, '{$1}'));
}
