/**
 * The calls from data-api to the facet process: `POST` with JSON bodies and a service token. Both
 * sides validate what they receive.
 */
import { createHash } from 'node:crypto';
import { DIMENSION_IDS, ENTITY_IDS, type EntityId } from '@vcds/venture-model';
import { Ajv } from 'ajv';
import {
  FACET_SCHEMA,
  type FacetCounts,
  type FacetQuery,
  type FirstRecords,
  type FirstRecordsQuery,
  type RecordCount,
  type RecordQuery,
} from '../facet-schema.ts';

/** Changes when a call or the meaning of a count changes. */
const PROTOCOL_VERSION = 4;

export const FACETS_PARTIES = Object.freeze({ issuer: 'data-api', audience: 'facets' });
export const FACETS_STATE_PATH = '/internal/v1/facets/state';
export const FACETS_COUNT_PATH = '/internal/v1/facets/count';
export const FACETS_RECORDS_PATH = '/internal/v1/facets/records';
export const FACETS_FIRST_PATH = '/internal/v1/facets/first';

/** Two builds exchange counts only if their digests are equal. */
export const FACET_SCHEMA_DIGEST = createHash('sha256')
  .update(JSON.stringify([PROTOCOL_VERSION, FACET_SCHEMA]))
  .digest('hex');

export interface EngineRequest<Query> {
  /** The caller's {@link FACET_SCHEMA_DIGEST}. */
  readonly schema: string;
  readonly query: Query;
}

/** The state of the engine in the facet process when it responded. */
export interface FacetProcessState {
  /** Its {@link FACET_SCHEMA_DIGEST}. */
  readonly schema: string;
  readonly ready: boolean;
  readonly rows: Readonly<Record<EntityId, number>>;
  readonly loadMs: number | null;
  readonly lagMs: number | null;
}

/** The most records that a call may ask for. */
export const FIRST_RECORDS_MAX = 20_000;

/** {@link FirstRecordsQuery} with null for what is absent. */
interface FirstRecordsBody extends Omit<FirstRecordsQuery, 'ids' | 'from' | 'matchesMax'> {
  readonly matchesMax: number | null;
  readonly ids: FirstRecordsQuery['ids'] | null;
  readonly from: { readonly values: readonly (number | null)[]; readonly id: string | null } | null;
}

/** {@link FirstRecords} with null for what is absent. */
interface FirstBody extends Omit<FirstRecords, 'ids' | 'start'> {
  readonly ids: readonly string[] | null;
  readonly start: (Omit<RecordStart, 'id'> & { readonly id: string | null }) | null;
}

type RecordStart = NonNullable<FirstRecords['start']>;

interface CountsBody {
  readonly total: number;
  readonly facets: readonly (readonly [string, readonly (readonly [string | number, number])[]])[];
}

const VALUE = { type: ['string', 'number'] };
const NATURAL = { type: 'integer', minimum: 0 };
const MILLISECONDS = { type: ['number', 'null'] };
const DIMENSION = { enum: DIMENSION_IDS };
const INDEXED = { enum: FACET_SCHEMA.dimensions.map(({ id }) => id) };
const BOUND = { type: ['integer', 'null'] };

const ajv = new Ajv({ allowUnionTypes: true });
const isCountRequest = ajv.compile<EngineRequest<FacetQuery>>(
  record({
    schema: { type: 'string' },
    query: record({
      entity: { enum: ENTITY_IDS },
      narrowing: list(record({ dimension: DIMENSION, values: { ...list(VALUE), minItems: 1 } })),
      facets: list(
        record(
          {
            dimension: DIMENSION,
            top: NATURAL,
            skip: NATURAL,
            order: { enum: ['count', 'value'] },
          },
          { search: record({ text: { type: 'string' }, anywhere: { type: 'boolean' } }) },
        ),
      ),
    }),
  }),
);
const WHERE = { $ref: '#/definitions/where' };
const DEFINITIONS = {
  where: {
    anyOf: [
      record({ kind: { enum: ['and', 'or'] }, of: list(WHERE) }),
      record({ kind: { const: 'not' }, of: WHERE }),
      record({ kind: { const: 'values' }, dimension: INDEXED, values: list(VALUE) }),
      record({ kind: { const: 'range' }, dimension: INDEXED, least: BOUND, most: BOUND }),
      record({ kind: { const: 'any' }, dimension: INDEXED }),
    ],
  },
};
const RECORDS = { entity: { enum: ENTITY_IDS }, where: WHERE, version: NATURAL };
const isRecordsRequest = ajv.compile<EngineRequest<RecordQuery>>({
  ...record({ schema: { type: 'string' }, query: record(RECORDS) }),
  definitions: DEFINITIONS,
});
const RECORDS_MAX = { type: 'integer', minimum: 1, maximum: FIRST_RECORDS_MAX };
const KEY = record({
  dimension: { enum: FACET_SCHEMA.dimensions.flatMap((each) => (each.isNumeric ? [each.id] : [])) },
  descending: { type: 'boolean' },
  exactBelow: { type: ['integer', 'null'] },
});
const ID = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
const ID_OR_NULL = { anyOf: [ID, { type: 'null' }] };
const isFirstRequest = ajv.compile<EngineRequest<FirstRecordsBody>>({
  ...record({
    schema: { type: 'string' },
    query: record({
      ...RECORDS,
      order: list(KEY),
      ids: { enum: ['ascending', 'descending', null] },
      from: { anyOf: [record({ values: list(BOUND), id: ID_OR_NULL }), { type: 'null' }] },
      skip: NATURAL,
      count: RECORDS_MAX,
      countMax: RECORDS_MAX,
      matchesMax: { type: ['integer', 'null'], minimum: 0 },
    }),
  }),
  definitions: DEFINITIONS,
});
const isFirst = ajv.compile<FirstBody>(
  record({
    ids: { anyOf: [list(ID), { type: 'null' }] },
    isAll: { type: 'boolean' },
    start: {
      anyOf: [
        record({ values: list(BOUND), id: ID_OR_NULL, before: NATURAL, equal: NATURAL }),
        { type: 'null' },
      ],
    },
    version: NATURAL,
  }),
);
const isRecordCount = ajv.compile<RecordCount>(record({ count: NATURAL, version: NATURAL }));
const isState = ajv.compile<FacetProcessState>(
  record({
    schema: { type: 'string' },
    ready: { type: 'boolean' },
    rows: record(Object.fromEntries(ENTITY_IDS.map((id) => [id, NATURAL]))),
    loadMs: MILLISECONDS,
    lagMs: MILLISECONDS,
  }),
);
const isCounts = ajv.compile<CountsBody>(
  record({ total: NATURAL, facets: list(pair(DIMENSION, list(pair(VALUE, NATURAL)))) }),
);

/** The request of a count; undefined if the body is not one. */
export function decodeCountRequest(body: unknown): EngineRequest<FacetQuery> | undefined {
  return isCountRequest(body) ? body : undefined;
}

/** The request of a count of records; undefined if the body is not one. */
export function decodeRecordsRequest(body: unknown): EngineRequest<RecordQuery> | undefined {
  return isRecordsRequest(body) ? body : undefined;
}

/** The request of the first records of an order; undefined if the body is not one. */
export function decodeFirstRequest(body: unknown): EngineRequest<FirstRecordsQuery> | undefined {
  if (!isFirstRequest(body) || body.query.count > body.query.countMax) return undefined;
  const { schema, query } = body;
  const { ids, from, matchesMax } = query;
  const position = from === null ? undefined : { values: from.values, id: from.id ?? undefined };
  const optional = { ids: ids ?? undefined, from: position, matchesMax: matchesMax ?? undefined };
  return { schema, query: { ...query, ...optional } };
}

export function encodeFirstQuery(query: FirstRecordsQuery): FirstRecordsBody {
  const { ids, from, matchesMax } = query;
  const position = from === undefined ? null : { values: from.values, id: from.id ?? null };
  return { ...query, ids: ids ?? null, from: position, matchesMax: matchesMax ?? null };
}

export function encodeFirst({ ids, start, ...found }: FirstRecords): FirstBody {
  return { ...found, ids: ids ?? null, start: start ? { ...start, id: start.id ?? null } : null };
}

/** @throws Error if the body is not that of {@link encodeFirst}. */
export function decodeFirst(text: string): FirstRecords {
  const body: unknown = JSON.parse(text);
  if (!isFirst(body)) throw new Error('The facet process responded with invalid records.');
  const { ids, start } = body;
  const position = start === null ? undefined : { ...start, id: start.id ?? undefined };
  return { ...body, ids: ids ?? undefined, start: position };
}

/** @throws Error if the body is not a count of records. */
export function decodeRecordCount(text: string): RecordCount {
  const body: unknown = JSON.parse(text);
  if (!isRecordCount(body)) throw new Error('The facet process responded with an invalid count.');
  return body;
}

/** @throws Error if the body is not a state. */
export function decodeState(text: string): FacetProcessState {
  const body: unknown = JSON.parse(text);
  if (!isState(body)) throw new Error('The facet process responded with an invalid state.');
  return body;
}

export function encodeCounts({ total, facets }: FacetCounts): string {
  const body: CountsBody = {
    total,
    facets: [...facets].map(([id, values]) => [
      id,
      values.map(({ value, count }) => [value, count]),
    ]),
  };
  return JSON.stringify(body);
}

/** @throws Error if the body is not the counts of the query's facets. */
export function decodeCounts(text: string, query: FacetQuery): FacetCounts {
  const body: unknown = JSON.parse(text);
  if (!isCounts(body)) throw new Error('The facet process responded with invalid counts.');
  const counted = new Map(body.facets);
  const facets = query.facets.map(({ dimension }) => {
    const values = counted.get(dimension);
    if (values === undefined) throw new Error(`The facet process did not count ${dimension}.`);
    return [dimension, values.map(([value, count]) => ({ value, count }))] as const;
  });
  return { total: body.total, facets: new Map(facets) };
}

function record(required: object, optional: object = {}): object {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

function list(items: object) {
  return { type: 'array', items };
}

function pair(first: object, second: object): object {
  return { type: 'array', items: [first, second], minItems: 2, maxItems: 2 };
}
