/** The table of endpoints: what each path reads, and how a call of it becomes a plan. */
import { PLANS, rateFor, ratesDocument } from '@vcds/metering';
import { DIMENSION_IDS, ENTITY_IDS, type EntityId } from '@vcds/venture-model';
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
import { type ParentScope, planCollection, planRecord } from './collections/plan.ts';
import {
  COLLECTION_PARAMETERS,
  parseCollectionQuery,
  parseRecordQuery,
  RECORD_PARAMETERS,
} from './collections/query.ts';
import { planNarrowing } from './narrowing/plan.ts';
import { parseNarrowing } from './narrowing/query.ts';
import type { Call, Endpoint } from './pipeline/endpoint.ts';
import { parseValueList } from './request/value-list.ts';
import { type Resource, resources } from './resources/index.ts';
import type { CompanyType } from './search/index.ts';
import { parseSearchRequest, SEARCHES } from './search/query.ts';
import { parseTagSearch, TAG_SEARCH_PARAMETERS } from './search/tags-query.ts';
import { signalTypesDocument } from './signals/index.ts';
import { planSignals } from './signals/plan.ts';
import { parseSignalsQuery, SIGNALS_PARAMETERS } from './signals/query.ts';

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

/** Every endpoint of the data API that is served. */
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
  categoryValues('/categories/:dimension'),
  ...ENTITY_IDS.map((entity) => byCategory(`/categories/:dimension/:value/${entity}`, entity)),
  byCategoryOfNothing('/categories/:dimension/:value/:entity'),
  signals('/signals'),
  fixed('/signals/types', signalTypesDocument()),
  fixed('/pricing', ratesDocument()),
];

function collection(path: string, resource: Resource, parent?: Parent): Endpoint {
  return {
    path,
    rate: rateOf(path),
    accepts:
      resource.relations.size > 0
        ? COLLECTION_PARAMETERS
        : COLLECTION_PARAMETERS.filter((name) => name !== '$expand'),
    resource,
    plan: ({ reader, path: { id = '' }, principal, today }) => {
      const scope = parent && { ...parent, id };
      const { name, topMax } = PLANS[principal.plan];
      const query = parseCollectionQuery(reader, { fields: resource.fields, today });
      return planCollection(query, resource, { plan: name, topMax }, today, scope);
    },
  };
}

function record(path: string, resource: Resource): Endpoint {
  return {
    path,
    rate: rateOf(path),
    accepts: RECORD_PARAMETERS,
    resource,
    plan: ({ reader, path: { id = '' } }) => planRecord(parseRecordQuery(reader), resource, id),
  };
}

function search(path: string, types: readonly CompanyType[]): Endpoint {
  const { accepts, top } = types.length > 1 ? SEARCHES.companies : SEARCHES.oneType;
  return {
    path,
    rate: rateOf(path),
    accepts,
    plan: ({ reader }) => ({ kind: 'search', request: parseSearchRequest(reader, types, top) }),
  };
}

function tagSearch(path: string): Endpoint {
  return {
    path,
    rate: rateOf(path),
    accepts: TAG_SEARCH_PARAMETERS,
    plan: ({ reader }) => parseTagSearch(reader),
  };
}

function signals(path: string): Endpoint {
  return {
    path,
    rate: rateOf(path),
    accepts: SIGNALS_PARAMETERS,
    plan: ({ reader, cursors, today }) => planSignals(parseSignalsQuery(reader, today), cursors),
  };
}

function fixed(path: string, document: object): Endpoint {
  const body = JSON.stringify(document);
  return { path, rate: rateOf(path), accepts: [], plan: () => ({ kind: 'fixed', body }) };
}

function categories(path: string): Endpoint {
  const bodies = new Map(ENTITY_IDS.map((id) => [id, categoriesBody(planEntity(id))]));
  return {
    path,
    rate: rateOf(path),
    accepts: CATEGORIES_PARAMETERS,
    plan: ({ reader }) => ({
      kind: 'fixed',
      body: bodies.get(planEntity(parseEntityParameter(reader)).id) ?? '',
    }),
  };
}

function facets(path: string): Endpoint {
  return {
    path,
    rate: rateOf(path),
    accepts: FACETS_PARAMETERS,
    plan: ({ reader }) => planFacets(parseFacetsQuery(reader)),
  };
}

function categoryValues(path: string): Endpoint {
  return {
    path,
    rate: rateOf(path),
    accepts: VALUES_PARAMETERS,
    plan: ({ reader, path: { dimension = '' } }) => planValues(parseValuesQuery(reader, dimension)),
  };
}

// The collection of the entity, narrowed; the value in the path and one of the same dimension in
// the query are both asked for (docs/spec/categories.md 8.6).
function byCategory(path: string, entity: EntityId): Endpoint {
  const resource = ENTITY_RESOURCES[entity];
  return {
    path,
    rate: rateOf(path),
    accepts: [...COLLECTION_PARAMETERS, ...DIMENSION_IDS],
    resource,
    plan: ({ reader, path: { dimension: name = '', value = '' }, principal, today }) => {
      const { id: dimension } = planDimension(name, 'dimension');
      const { name: plan, topMax } = PLANS[principal.plan];
      const query = parseCollectionQuery(reader, { fields: resource.fields, today });
      const written = { dimension, parameter: 'value', values: parseValueList('value', value) };
      const by = planNarrowing([written, ...parseNarrowing(reader)]);
      const planned = planCollection(query, resource, { plan, topMax }, today);
      return { ...planned, narrowed: { entity, by } };
    },
  };
}

function byCategoryOfNothing(path: string): Endpoint {
  const refuse = ({ path: { dimension = '', entity = '' } }: Call): never => {
    planDimension(dimension, 'dimension');
    planEntity(entity);
    throw new RangeError(`The entity ${entity} has a path of its own.`);
  };
  return {
    path,
    // What only says what is wrong is said to every key.
    rate: { ...rateOf('/categories/:dimension'), scope: null },
    listed: false,
    accepts: [...COLLECTION_PARAMETERS, ...DIMENSION_IDS],
    plan: refuse,
  };
}

function rateOf(path: string) {
  return rateFor(path.replace(/:(\w+)/g, '{$1}'));
}
