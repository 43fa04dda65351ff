/** The schemas of responses that are not records. */
import { SCOPES } from '@vcds/credentials';
import { PLANS, PRICE_CLASS_IDS } from '@vcds/metering';
import {
  arrayOf,
  CREDITS_SCHEMA,
  DATE,
  INSTANT,
  nullable,
  object,
  QUOTE_SCHEMA,
  ref,
  type Schema,
  type SchemaObject,
  TEXT,
  URI,
  USD,
  UUID,
} from '@vcds/openapi';
import { DIMENSION_IDS, ENTITY_IDS } from '@vcds/venture-model';
import { CHANGE_COLLECTIONS } from '../src/replica/collections.ts';
import { SIGNAL_TYPES, signalTypesDocument } from '../src/signals/signal-types.ts';
import { AGGREGATES, HINTS } from './aggregates-body.ts';
import {
  COMPANY_MATCH,
  COMPANY_SITE,
  MATCH_RESULT,
  MATCHED,
  SIMILAR_COMPANY,
} from './company-bodies.ts';
import { VENTURE_MATCH } from './matching-body.ts';
import { CHANGE, SNAPSHOT_LIST } from './replica-bodies.ts';
import { enumOf, text } from './schema-parts.ts';

const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
const CREDITS: SchemaObject = { type: 'number', minimum: 0, 'x-unit': 'credit' };
const ENTITY = enumOf(ENTITY_IDS, 'The entity whose records are counted.');
const NARROWED_BY = {
  type: 'object',
  description: 'The labels of the narrowing values, by dimension.',
  properties: Object.fromEntries(DIMENSION_IDS.map((id) => [id, arrayOf(TEXT)])),
  additionalProperties: false,
} as const satisfies SchemaObject;

const TOTAL = { ...COUNT, description: 'The number of records under the narrowing.' } as const;

const VALUE = {
  value: {
    oneOf: [TEXT, { type: 'integer' }],
    description: 'A number for stages, headcount buckets and years, otherwise text.',
  },
  label: text('The value for people.'),
} as const satisfies Readonly<Record<string, Schema>>;
const CLOSED = {
  slug: text('The value in URLs. Only of closed dimensions.'),
  name: text('The member name. Only of closed dimensions.'),
} as const;
const RECORDS = { ...COUNT, description: 'The number of records. Absent without counts.' } as const;

const SIGNAL = object(
  {
    id: { ...UUID, description: 'Derives from the change: use it to remove duplicates.' },
    type: {
      ...enumOf(SIGNAL_TYPES.map(({ name }) => name)),
      'x-signal-types': signalTypesDocument().types,
    },
    detectedAt: {
      ...INSTANT,
      description: 'When the database recorded the change, in microseconds. The order of the feed.',
    },
    occurredAt: nullable({ ...INSTANT, description: 'The market date. Do not page by it.' }),
    subject: object(
      {
        type: enumOf(['startup', 'fund']),
        id: UUID,
        name: nullable(text('With `expand=subject`.')),
        domain: nullable(text('With `expand=subject`.')),
      },
      { description: 'The company that changed.', optional: ['name', 'domain'] },
    ),
    object: object(
      {
        type: enumOf(['round', 'valuation', 'startup', 'person', 'news']),
        id: UUID,
        name: nullable(text('With `expand=object`.')),
      },
      { description: 'The related record. Absent for types without one.', optional: ['name'] },
    ),
    amount: nullable({
      ...USD,
      description: 'Whole US dollars; null if undisclosed. Absent for types without an amount.',
    }),
    label: nullable(
      text('The series as the source wrote it, otherwise the stage. Only of types about a round.'),
    ),
  },
  { description: 'A change.', optional: ['object', 'amount', 'label'] },
);

const PRICE = {
  class: enumOf(PRICE_CLASS_IDS),
  base: { ...CREDITS, description: 'Credits before any record.' },
  perRecord: { ...CREDITS, description: 'Credits for each record.' },
  minimum: { ...CREDITS, description: 'The least that a call costs.' },
} as const;

/** Schemas of the components. */
export const BODY_SCHEMAS: Readonly<Record<string, Schema>> = {
  Count: object(
    { count: COUNT, hints: HINTS },
    { description: 'The number of matches, with `$count=true`.', optional: ['hints'] },
  ),
  QuoteResponse: object(
    { quote: QUOTE_SCHEMA, credits: CREDITS_SCHEMA },
    { description: 'The price of the call and the balance, with `quote=true`.' },
  ),
  CompanyMatch: COMPANY_MATCH,
  CompanyMatchResult: MATCH_RESULT,
  MatchedCompany: MATCHED,
  CompanySite: COMPANY_SITE,
  SimilarCompany: SIMILAR_COMPANY,
  TagCount: object(
    { value: TEXT, label: TEXT, count: COUNT },
    { description: 'A tag of startups.' },
  ),
  CategoryValue: object(
    { ...VALUE, ...CLOSED, count: RECORDS },
    { description: 'A value of a dimension.', optional: ['slug', 'name', 'count'] },
  ),
  Dimension: object(
    {
      id: enumOf(DIMENSION_IDS),
      title: TEXT,
      description: TEXT,
      kind: enumOf(
        ['open', 'closed', 'bucketed'],
        'Values of the data, a fixed list, or a number.',
      ),
      entities: arrayOf(enumOf(ENTITY_IDS)),
      filterField: text('The field of `$filter` with the same values.'),
      values: arrayOf(object({ ...VALUE, ...CLOSED }), {
        description: 'The complete list of a closed dimension.',
      }),
    },
    { description: 'A property that groups and narrows records.', optional: ['values'] },
  ),
  Dimensions: object(
    { entities: arrayOf(enumOf(ENTITY_IDS)), dimensions: arrayOf(ref('Dimension')) },
    { description: 'The dimensions of an entity.' },
  ),
  Facets: object(
    {
      entity: ENTITY,
      narrowedBy: NARROWED_BY,
      total: TOTAL,
      facets: {
        type: 'object',
        description: 'The values of each dimension, by its id.',
        properties: Object.fromEntries(
          DIMENSION_IDS.map((id) => [id, arrayOf(ref('CategoryValue'))]),
        ),
        additionalProperties: false,
      },
    },
    { description: 'Counts of several dimensions.' },
  ),
  DimensionValues: object(
    {
      dimension: enumOf(DIMENSION_IDS),
      entity: ENTITY,
      narrowedBy: NARROWED_BY,
      total: { ...TOTAL, description: `${TOTAL.description} Absent without counts.` },
      values: arrayOf(ref('CategoryValue')),
    },
    { description: 'The values of a dimension.', optional: ['total'] },
  ),
  Aggregates: AGGREGATES,
  VentureMatch: VENTURE_MATCH,
  Signal: SIGNAL,
  SignalPage: object(
    {
      signals: arrayOf(ref('Signal')),
      nextCursor: text('The position that the scan reached: `cursor` of the next call.'),
      hasMore: { type: 'boolean', description: 'Whether more signals follow.' },
      order: enumOf(['asc', 'desc']),
    },
    { description: 'A page of the change feed.' },
  ),
  Change: CHANGE,
  ChangePage: object(
    {
      changes: arrayOf(ref('Change')),
      nextCursor: text('The position after the page: `cursor` of the next call.'),
      hasMore: { type: 'boolean', description: 'Whether more changes follow.' },
    },
    { description: 'A page of the changes of records.' },
  ),
  SnapshotList: SNAPSHOT_LIST,
  SignalTypes: object(
    {
      clock: object({ orderedBy: enumOf([signalTypesDocument().clock.orderedBy]), note: TEXT }),
      amount: object({ currency: enumOf([signalTypesDocument().amount.currency]), note: TEXT }),
      types: arrayOf(
        object({
          type: enumOf(SIGNAL_TYPES.map(({ name }) => name)),
          subject: nullable(enumOf(['startup', 'fund'], 'Null if it can be either.')),
          subjects: arrayOf(enumOf(['startup', 'fund']), {
            description: 'What `subject.type` of a signal can be.',
          }),
          object: nullable(enumOf(['round', 'valuation', 'startup', 'person', 'news'])),
          carriesAmount: { type: 'boolean' },
          description: TEXT,
        }),
      ),
    },
    { description: 'The types of signal.' },
  ),
  ActivityEntry: object(
    {
      Id: { ...UUID, description: 'The id of its signal in `/signals`.' },
      Date: {
        ...DATE,
        description: 'The market date: the UTC day of `occurredAt` of its signal.',
      },
      Type: {
        ...enumOf(SIGNAL_TYPES.map(({ name }) => name)),
        'x-activity-types': SIGNAL_TYPES.map(({ name, description }) => ({
          type: name,
          description,
        })),
      },
      Title: text('One line, such as `Lichenbench raised a $3.9M Seed`.'),
      Subject: object(
        { Type: enumOf(['startup', 'fund']), Id: UUID, Name: TEXT },
        { description: 'The company of the event.' },
      ),
      Amount: nullable({ ...USD, description: 'Whole US dollars; of rounds and valuations.' }),
      Url: nullable({
        ...URI,
        description: 'The article or the source, otherwise the website of the company.',
      }),
    },
    { description: 'A signal with a market date, as a line for readers.' },
  ),
  RateCard: object(
    {
      version: TEXT,
      unit: enumOf(['credit']),
      money: text('The currency of amounts in records, which are no prices.'),
      formula: TEXT,
      errors: { ...CREDITS, description: 'The price of an error.' },
      plans: arrayOf(
        object({
          id: enumOf(Object.values(PLANS).map(({ id }) => id)),
          name: TEXT,
          creditsPerMonth: COUNT,
          topMax: { ...COUNT, description: 'The ceiling of `$top`.' },
          entitlements: arrayOf(enumOf(SCOPES)),
        }),
      ),
      classes: arrayOf(object({ ...PRICE, title: TEXT })),
      endpoints: arrayOf(
        object({
          ...PRICE,
          method: enumOf(['GET', 'POST']),
          path: TEXT,
          expands: arrayOf(TEXT, {
            description: 'What adds 25 % to the price of a record; `*`: every relation.',
          }),
          note: TEXT,
        }),
      ),
      checks: arrayOf(
        object(
          {
            path: TEXT,
            records: COUNT,
            expands: COUNT,
            count: { type: 'boolean' },
            credits: CREDITS,
          },
          { description: 'A worked example.' },
        ),
      ),
    },
    { description: 'The prices of the data API.' },
  ),
  Coverage: object(
    {
      collections: arrayOf(
        object({
          name: enumOf(CHANGE_COLLECTIONS.map(({ name }) => name)),
          records: COUNT,
          updatedAt: nullable({ ...INSTANT, description: 'Of the newest change of a record.' }),
        }),
      ),
      newestRound: nullable({ ...DATE, description: 'The greatest date of a funding round.' }),
      countedAt: { ...INSTANT, description: 'At most ten minutes ago.' },
    },
    { description: 'What the data has, and how new it is.' },
  ),
  Root: object(
    {
      service: enumOf(['data-api']),
      version: enumOf(['v2']),
      base_url: URI,
      auth_url: { ...URI, description: 'The root of the access API.' },
      get_key: arrayOf(
        object({
          method: enumOf(['POST']),
          url: URI,
          body: { type: 'object', additionalProperties: TEXT },
          next: text('What to do with the response.'),
        }),
        { description: 'The calls that get a key.' },
      ),
      pricing: URI,
      coverage: { ...URI, description: 'What the data has, and how new it is.' },
      documentation: URI,
      description: { ...URI, description: 'The OpenAPI description of the data API.' },
      access_description: { ...URI, description: 'The OpenAPI description of the access API.' },
      llms: { ...URI, description: 'An overview for assistants.' },
      llms_full: { ...URI, description: 'Everything that an assistant needs.' },
      mcp: { ...URI, description: 'The MCP server.' },
      plans: arrayOf(
        object({
          id: enumOf(Object.values(PLANS).map(({ id }) => id)),
          creditsPerMonth: COUNT,
          topMax: { ...COUNT, description: 'The ceiling of `$top`.' },
          addedScopes: arrayOf(enumOf(SCOPES)),
          addedPaths: arrayOf(TEXT, { description: 'Endpoints that smaller plans do not have.' }),
        }),
      ),
      paths: arrayOf(TEXT),
      endpoints: arrayOf(
        object(
          {
            path: TEXT,
            method: enumOf(['POST'], 'Absent for GET.'),
            parameters: arrayOf(TEXT),
            fields: arrayOf(TEXT),
            relations: arrayOf(TEXT),
          },
          { optional: ['method', 'fields', 'relations'] },
        ),
      ),
    },
    { description: 'The endpoints of the data API, how to get a key, and what describes it.' },
  ),
};
