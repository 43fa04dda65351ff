/** The rows of endpoints that return records. */
import type { QuoteInput, RateCardEntry } from '@vcds/metering';
import type { EntityId } from '@vcds/venture-model';
import { planDimension, planEntity } from './categories/plan.ts';
import { readCount } from './collections/count.ts';
import {
  type CountPlan,
  type PagePlan,
  type ParentScope,
  planCollection,
  planRecord,
  type RecordPlan,
} from './collections/plan.ts';
import {
  COLLECTION_PARAMETERS,
  EXPAND,
  parseCollectionQuery,
  parseRecordQuery,
  RECORD_PARAMETERS,
  SKIP_TOKEN,
} from './collections/query.ts';
import { readPage } from './collections/read-page.ts';
import { readRecord } from './collections/read-record.ts';
import { pageTable, recordTable } from './collections/table.ts';
import { planNarrowing } from './narrowing/plan.ts';
import { NARROWING_PARAMETERS, parseNarrowing } from './narrowing/query.ts';
import { type Resource, resources } from './resources/index.ts';
import {
  ceilingOf,
  type Endpoint,
  type EndpointText,
  endpoint,
  type Input,
  type PlanContext,
  rateOf,
  type Written,
} from './serve/endpoint.ts';
import { parseValueList } from './serve/request/value-list.ts';
import type { Sources } from './serve/sources.ts';

/** The record in the path, whose rows a collection has. */
export type Parent = Omit<ParentScope, 'id'>;
type Listed = PagePlan | CountPlan;

const ENTITY_RESOURCES: Readonly<Record<EntityId, Resource>> = {
  startups: resources.startup,
  funds: resources.fund,
  rounds: resources.fundingRound,
};

const STARTUP = { table: 'venture.startup', column: 'startup_id' } as const;
const FUND = { table: 'venture.fund', column: 'fund_id' } as const;
const AT_STARTUP = { table: 'venture.startup', column: 'company_id' } as const;
const AT_FUND = { table: 'venture.fund', column: 'company_id' } as const;

/** The steps of a call that lists records, after its plan. */
const LISTS = {
  cursor: SKIP_TOKEN,
  price: (plan: Listed): Partial<QuoteInput> =>
    plan.kind === 'count'
      ? { countOnly: true }
      : { ceilingRecords: plan.top, expands: plan.expands.length },
  table: pageTable,
  expands: (plan: Listed) => (plan.kind === 'page' ? plan.expands : []),
  written: ({ narrowed, filter }: Listed): Written => ({ by: narrowed?.by ?? [], filter }),
  withWritten: (plan: Listed, { by, filter }: Written): Listed => ({
    ...plan,
    filter,
    ...(plan.narrowed && { narrowed: { ...plan.narrowed, by } }),
  }),
  read: (plan: Listed, sources: Sources) =>
    plan.kind === 'page' ? readPage(plan, sources) : readCount(plan, sources),
};

/** The records of a resource, or those of the record in the path. */
export function collection(
  path: string,
  resource: Resource,
  text: EndpointText,
  { parent, rate }: { readonly parent?: Parent; readonly rate?: RateCardEntry } = {},
): Endpoint {
  const accepts =
    resource.relations.size > 0
      ? COLLECTION_PARAMETERS
      : COLLECTION_PARAMETERS.filter((parameter) => parameter !== EXPAND);
  return endpoint(path, text, {
    ...(rate && { rate }),
    ...{ accepts, resource, ...LISTS },
    parse: (input) => parsePage(resource, input),
    plan: (query, { path: { id = '' }, ...context }): Listed =>
      planCollection(query, scopeOf(resource, context, parent && { ...parent, id })),
  });
}

export function record(path: string, resource: Resource, text: EndpointText): Endpoint {
  return endpoint(path, text, {
    ...{ accepts: RECORD_PARAMETERS, resource },
    parse: ({ reader }) => parseRecordQuery(reader),
    plan: (query, { path: { id = '' } }): RecordPlan => planRecord(query, resource, id),
    price: ({ expands }) => ({ ceilingRecords: 1, expands: expands.length }),
    table: recordTable,
    expands: (plan) => plan.expands,
    read: readRecord,
  });
}

/** The collection of the entity, narrowed by the value in the path and by those in the query. */
export function byCategory(entity: EntityId, text: EndpointText): Endpoint {
  const resource = ENTITY_RESOURCES[entity];
  return endpoint(`/categories/:dimension/:value/${entity}`, text, {
    accepts: [...COLLECTION_PARAMETERS, ...NARROWING_PARAMETERS],
    ...{ resource, ...LISTS },
    parse: (input) => ({
      page: parsePage(resource, input),
      values: parseValueList('value', input.path.value ?? ''),
      narrowing: parseNarrowing(input.reader),
    }),
    plan: ({ page, values, narrowing }, { path: { dimension = '' }, ...context }): Listed => {
      const { id } = planDimension(dimension, 'dimension');
      const inPath = { dimension: id, parameter: 'value', values };
      const planned = planCollection(page, scopeOf(resource, context));
      return { ...planned, narrowed: { entity, by: planNarrowing([inPath, ...narrowing]) } };
    },
  });
}

/** Matches a path whose entity is unknown; its error names the entities. */
export function byUnknownEntity(path: string): Endpoint {
  return endpoint(path, undefined, {
    // The error does not depend on the scope of the key.
    rate: { ...rateOf('/categories/:dimension'), scope: null },
    accepts: [...COLLECTION_PARAMETERS, ...NARROWING_PARAMETERS],
    parse: () => undefined,
    plan: (_, { path: { dimension = '', entity = '' } }): never => {
      planDimension(dimension, 'dimension');
      planEntity(entity);
      throw new RangeError(`The entity ${entity} has a path of its own.`);
    },
  });
}

function parsePage({ name, fields }: Resource, { reader, today, principal, path }: Input) {
  const collection = [name, ...Object.entries(path).flat()];
  const ceiling = ceilingOf(principal);
  return parseCollectionQuery(reader, { collection, fields, today, ceiling });
}

function scopeOf(
  resource: Resource,
  { principal, today, cursors }: Omit<PlanContext, 'path'>,
  parent?: ParentScope,
) {
  return { resource, ceiling: ceilingOf(principal), today, cursors: cursors.pages, parent };
}

/** The collections and records of the data API. */
export const RECORD_ENDPOINTS: readonly Endpoint[] = [
  collection('/funds', resources.fund, {
    ...{ id: 'listFunds', tag: 'funds', summary: 'Funds' },
    description:
      'Investors: venture funds, accelerators, private equity, funds of funds and others.',
    example: "?$filter=Country eq 'France'&$orderby=InvestmentsCount desc&$top=2",
  }),
  record('/funds/:id', resources.fund, {
    ...{ id: 'getFund', tag: 'funds', summary: 'One fund' },
    description: 'The fund with this id.',
    example: '?$expand=Groups',
  }),
  collection(
    '/funds/:id/portfolio',
    resources.holding,
    {
      ...{ id: 'listFundPortfolio', tag: 'funds', summary: 'The portfolio of a fund' },
      description:
        'The holdings of a fund: each startup with the status and the dates of the investment.',
      example: '?$top=2',
    },
    { parent: FUND },
  ),
  collection(
    '/funds/:id/persons',
    resources.fundPerson,
    {
      ...{ id: 'listFundPersons', tag: 'persons', summary: 'The team of a fund' },
      description: 'The people of a fund, with their title there and since when.',
      example: '?$top=2',
    },
    { parent: AT_FUND },
  ),
  collection('/startups', resources.startup, {
    ...{ id: 'listStartups', tag: 'startups', summary: 'Startups' },
    description: 'Companies, with their location, industry, stage, funding and size.',
    example:
      "?$filter=Country eq 'United Kingdom' and TotalRaised ge 5000000&$orderby=TotalRaised desc&$top=2",
  }),
  collection('/startups/fundingrounds', resources.fundingRound, {
    ...{ id: 'listFundingRounds', tag: 'rounds', summary: 'Funding rounds of all startups' },
    description:
      'Confirmed and unconfirmed rounds. Totals of startups include only confirmed ones.',
    example:
      '?$filter=Confirmed eq true and Amount ge 1000000&$orderby=Date desc&$top=2&$expand=Startup',
  }),
  collection('/startups/postvaluations', resources.postValuation, {
    ...{
      id: 'listPostValuations',
      tag: 'rounds',
      summary: 'Post-money valuations of all startups',
    },
    description: 'Valuations after a round, stated or estimated.',
    example: '?$orderby=Date desc&$top=2',
  }),
  record('/startups/:id', resources.startup, {
    ...{ id: 'getStartup', tag: 'startups', summary: 'One startup' },
    description: 'The startup with this id.',
    example: '?$expand=Addresses',
  }),
  collection(
    '/startups/:id/fundingrounds',
    resources.fundingRound,
    {
      ...{
        id: 'listStartupFundingRounds',
        tag: 'rounds',
        summary: 'The funding rounds of a startup',
      },
      description: 'Confirmed and unconfirmed rounds of one startup.',
      example: '?$orderby=Date desc&$top=2&$expand=Investors',
    },
    { parent: STARTUP },
  ),
  collection(
    '/startups/:id/postvaluations',
    resources.postValuation,
    {
      ...{ id: 'listStartupPostValuations', tag: 'rounds', summary: 'The valuations of a startup' },
      description: 'Post-money valuations of one startup.',
      example: '?$top=2',
    },
    { parent: STARTUP },
  ),
  collection(
    '/startups/:id/persons',
    resources.startupPerson,
    {
      ...{ id: 'listStartupPersons', tag: 'persons', summary: 'The people of a startup' },
      description: 'The people of a startup, with their title there and since when.',
      example: '?$top=2',
    },
    { parent: AT_STARTUP },
  ),
  collection(
    '/startups/:id/references',
    resources.reference,
    {
      ...{ id: 'listStartupReferences', tag: 'startups', summary: 'The sources of a startup' },
      description:
        'What each source says about a startup, which of it the record has, and articles that mention it.',
      example: '?$top=2',
    },
    { parent: STARTUP },
  ),
  collection('/persons', resources.person, {
    ...{ id: 'listPersons', tag: 'persons', summary: 'People' },
    description: 'Founders and investors.',
    example: "?$filter=Role eq 'founder'&$top=2",
  }),
  record('/persons/:id', resources.person, {
    ...{ id: 'getPerson', tag: 'persons', summary: 'One person' },
    description: 'The person with this id.',
    example: '?$expand=Startups',
  }),
  collection('/news', resources.news, {
    ...{ id: 'listNews', tag: 'news', summary: 'News items' },
    description: 'Articles about startups and funds.',
    example: '?$orderby=Date desc&$top=2',
  }),
];
