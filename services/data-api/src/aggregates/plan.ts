import {
  type BoundFilter,
  bindFilter,
  echo,
  namesMeant,
  nearest,
  oneOf,
  withHint,
} from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import {
  type Dimension,
  ENTITY_SYNONYMS,
  type EntityId,
  type EntityRelation,
} from '@vcds/venture-model';
import { ENTITY_DEFAULT } from '../categories/query.ts';
import { relationOf } from '../narrowing/groups.ts';
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import type { Resource, ResourceField } from '../resources/index.ts';
import {
  AGGREGATE_ENTITIES,
  AGGREGATE_ENTITY_IDS,
  type AggregateEntityId,
  ofValuation,
} from './entities.ts';
import { type GroupKey, type Measure, planKey, planMeasure, withoutBlanks } from './measures.ts';
import { type AggregatesQuery, KEYS_MAX, MEASURES_MAX } from './query.ts';

/** Groups of one call (docs/spec/limits.md 12.2). */
export const GROUPS_MAX = 100_000;

export interface Order {
  /** Index in the measures or in the keys. */
  readonly measure?: number;
  readonly key?: number;
  readonly descending: boolean;
}

/** Figures by group (docs/spec/aggregates.md 22.1). It is valid: names are resolved and bounds are checked. */
export interface AggregatesPlan {
  readonly entity: AggregateEntityId;
  readonly resource: Resource;
  readonly narrowing: readonly PlannedNarrowing[];
  readonly filter: BoundFilter<ResourceField> | undefined;
  /** Those of the answer, and then those that only the order needs. */
  readonly measures: readonly Measure[];
  readonly shown: number;
  readonly by: readonly GroupKey[];
  readonly order: readonly Order[];
  readonly top: number;
  readonly skip: number;
}

/**
 * Resolves a call of `/aggregates`.
 *
 * @throws ApiError `unknown_entity`, `unknown_dimension`, `bad_parameter`, `unknown_field`; QueryError of the filter
 *   and of values.
 */
export function planAggregates(query: AggregatesQuery, today: string): AggregatesPlan {
  const entity = planAggregateEntity(query.entity);
  const resource = AGGREGATE_ENTITIES[entity];
  assertFew('measures', query.measures, MEASURES_MAX);
  assertFew('by', query.by, KEYS_MAX);
  const written = query.measures.length === 0 ? ['count'] : query.measures;
  const shown = named(written.map((text) => planMeasure(text, resource)));
  const by = named(query.by.map((text) => planKey(text, resource)));
  const narrowing = planNarrowing(query.narrowing);
  assertOneRecord(by, narrowing, entity);
  const { order, measures } = orderOf(query.orderBy, shown, by);
  const { top, skip, filterText: source } = query;
  return {
    ...{ entity, resource, narrowing, by, order, measures, top, skip },
    shown: shown.length,
    filter: query.filter && bindFilter(query.filter, resource.fields, { source, today }),
  };
}

function planAggregateEntity(name: string = ENTITY_DEFAULT): AggregateEntityId {
  if (Object.hasOwn(AGGREGATE_ENTITIES, name)) return name as AggregateEntityId;
  const known = AGGREGATE_ENTITY_IDS.map((id) => ({ name: id, synonyms: SYNONYMS[id] }));
  const [suggestion] = namesMeant(name, known);
  const message = withHint(
    `Unknown entity '${echo(name)}'. Use ${oneOf(AGGREGATE_ENTITY_IDS)}.`,
    suggestion,
  );
  throw new ApiError('unknown_entity', message, {
    ...{ parameter: 'entity', value: name, allowed: AGGREGATE_ENTITY_IDS, suggestion },
  });
}

const SYNONYMS = {
  ...ENTITY_SYNONYMS,
  valuations: ['postvaluations', 'post_valuations', 'post_money', 'valuation'],
};

/** Each name once: its spelling may differ in case. */
function named<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

function assertFew(parameter: string, names: readonly string[], max: number): void {
  if (names.length <= max) return;
  throw new ApiError('bad_parameter', `${parameter} takes at most ${max} names.`, { parameter });
}

/**
 * Of several related records, one has to have all that is asked of them (docs/spec/categories.md 8.7), but a record
 * is grouped by the values of all of them. So a key of several related records excludes others of the same records.
 */
function assertOneRecord(
  by: readonly GroupKey[],
  narrowing: readonly PlannedNarrowing[],
  entity: AggregateEntityId,
): void {
  const keys = by.flatMap((key) => (key.kind === 'dimension' ? [key.dimension] : []));
  const all = [...keys, ...narrowing.map(({ dimension }) => dimension)];
  const through = (each: Dimension): EntityRelation | undefined =>
    entity === 'valuations' ? ofValuation(each).reading.through : relationOf(each, all, entity);
  const isInvestor = (each: Dimension) =>
    each.names === 'funds' && entity !== 'funds' && through(each) === undefined;
  for (const key of keys) {
    const relation = through(key);
    if (!isInvestor(key) && !relation?.many) continue;
    const other = all.find((each) => {
      if (each.id === key.id) return false;
      if (isInvestor(key)) return through(each)?.to === 'funds';
      return through(each) === relation || (relation?.to === 'funds' && isInvestor(each));
    });
    if (other === undefined) continue;
    const ofFunds = isInvestor(key) || isInvestor(other);
    const [shared = entity] = key.entities.filter((id) => other.entities.includes(id));
    const of = ofFunds ? 'funds' : shared;
    const also =
      of === 'rounds' ? ', with countdistinct(StartupId) for the number of startups' : '';
    throw new ApiError(
      'bad_parameter',
      `${key.id} and ${other.id} are of the ${of} of ${entity}, of which each has several: groups by one and ` +
        `by the other would not be of the same record. Group ${of} instead${also}.`,
      // Records of another entity are another question: no suggestion, which programs apply.
      { parameter: 'entity', value: entity, allowed: [of] },
    );
  }
}

function orderOf(
  written: readonly string[],
  shown: readonly Measure[],
  by: readonly GroupKey[],
): Pick<AggregatesPlan, 'order' | 'measures'> {
  if (written.length > 0) {
    return { measures: shown, order: written.map((text) => planOrder(text, shown, by)) };
  }
  if (by[0]?.kind === 'time') return { measures: shown, order: [{ key: 0, descending: false }] };
  const count = shown.findIndex(({ kind }) => kind === 'count');
  if (count >= 0) return { measures: shown, order: [{ measure: count, descending: true }] };
  const measures: readonly Measure[] = [...shown, { name: 'count', kind: 'count' }];
  return { measures, order: [{ measure: shown.length, descending: true }] };
}

function planOrder(text: string, measures: readonly Measure[], by: readonly GroupKey[]): Order {
  const words = text.trim().split(/\s+/);
  const last = words.at(-1)?.toLowerCase();
  const descending = last === 'desc';
  const hasDirection = words.length > 1 && (descending || last === 'asc');
  const written = withoutBlanks(words.slice(0, hasDirection ? -1 : undefined).join(''));
  const isNamed = ({ name }: { readonly name: string }) =>
    name.toLowerCase() === written.toLowerCase();
  const measure = measures.findIndex(isNamed);
  if (measure >= 0) return { measure, descending };
  const key = by.findIndex(isNamed);
  if (key >= 0) return { key, descending };
  const allowed = [...measures, ...by].map(({ name }) => name);
  const meant = nearest(written, allowed);
  const suggestion = meant && (descending ? `${meant} desc` : meant);
  throw new ApiError(
    'bad_parameter',
    withHint(`'${echo(written)}' is neither a measure nor a key of this call.`, suggestion),
    { parameter: 'orderby', value: text, allowed, suggestion },
  );
}

/** The entity of dimensions, if the records of the plan are of one. */
export function indexedEntity({ entity }: AggregatesPlan): EntityId | undefined {
  return entity === 'valuations' ? undefined : entity;
}
