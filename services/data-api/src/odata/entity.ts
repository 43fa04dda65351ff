/** The rows of single entities and of their related ones. */

import { RELATED_MAX } from '../collections/json.ts';
import { planRecord, type RecordPlan } from '../collections/plan.ts';
import { readRecord } from '../collections/read-record.ts';
import type { Answer } from '../postgres/database.ts';
import { type Endpoint, endpoint } from '../serve/endpoint.ts';
import { notFound } from '../serve/request/record-id.ts';
import type { Sources } from '../serve/sources.ts';
import { isObject } from '../tables/csv.ts';
import {
  collectionBody,
  contextOf,
  entityBody,
  JSON_HEADERS,
  picked,
  selectedOf,
  withRelated,
} from './answer.ts';
import {
  ENTITY_PARAMETERS,
  type EntityQuery,
  parseEntityQuery,
  parseRelatedQuery,
  RELATED_PARAMETERS,
  type RelatedQuery,
} from './query.ts';
import { type EntitySet, type Navigation, navigationsOf, odataRoot, targetOf } from './sets.ts';

interface EntityPlan {
  readonly query: EntityQuery;
  readonly record: RecordPlan;
}

/** The entity with the key in the path. */
export function entityOf(set: EntitySet): Endpoint {
  return endpoint<EntityQuery, EntityPlan>(`/${set.name}/:id`, undefined, {
    ...{ rate: set.rate, resource: set.resource, accepts: ENTITY_PARAMETERS },
    parse: ({ reader }) => parseEntityQuery(reader, set),
    plan: (query, { path: { id = '' } }) => ({
      query,
      record: planRecord(query, set.resource, id),
    }),
    price: ({ record }) => ({ ceilingRecords: 1, expands: record.expands.length }),
    expands: ({ record }) => record.expands,
    read: async ({ query, record }, sources) => {
      const found = await readRecord(record, sources);
      if (found.body === null) return found;
      const origin = { set, root: odataRoot(sources.baseUrl) };
      const navigations = navigationsOf(set).filter(({ name }) =>
        record.expands.some((each) => each.name === name),
      );
      const text =
        navigations.length === 0
          ? found.body
          : withRelated(found.body, origin, navigations, query.nested);
      const selected = query.select && selectedOf(record.fields, record.expands, query.nested);
      return {
        ...found,
        body: entityBody(contextOf(origin, selected, true), text),
        headers: JSON_HEADERS,
      };
    },
  });
}

interface RelatedPlan {
  readonly query: RelatedQuery;
  readonly record: RecordPlan;
}

/** The entities of a navigation property: the price is that of the entity with this one expanded. */
export function relatedOf(set: EntitySet, navigation: Navigation): Endpoint {
  const target = targetOf(navigation);
  return endpoint<RelatedQuery, RelatedPlan>(`/${set.name}/:id/${navigation.name}`, undefined, {
    ...{ rate: set.rate, resource: set.resource, accepts: RELATED_PARAMETERS },
    parse: ({ reader }) => parseRelatedQuery(reader, target),
    plan: (query, { path: { id = '' } }) => {
      const { skip, top } = query;
      const size = Math.max(1, Math.min(top, RELATED_MAX));
      const expand = { ...navigation, skip, top: size, labels: true };
      const record = planRecord({ select: ONLY_ID, expand: undefined }, set.resource, id);
      return { query, record: { ...record, expands: [expand] } };
    },
    price: () => ({ ceilingRecords: 1, expands: 1 }),
    expands: ({ record }) => record.expands,
    read: (plan, sources) => readRelated(plan, { set, target, navigation, sources }),
  });
}

const ONLY_ID = { parameter: '$select', items: [{ name: 'Id', position: 0 }] } as const;

async function readRelated(
  { query, record }: RelatedPlan,
  of: {
    readonly set: EntitySet;
    readonly target: EntitySet;
    readonly navigation: Navigation;
    readonly sources: Sources;
  },
): Promise<Answer> {
  const { set, target, navigation, sources } = of;
  const found = await readRecord(record, sources);
  if (found.body === null) return found;
  const entity: unknown = JSON.parse(found.body);
  const related = isObject(entity) ? entity[navigation.name] : undefined;
  const root = odataRoot(sources.baseUrl);
  const context = contextOf({ root, set: target }, query.select, !navigation.many);
  const value = JSON.stringify(picked(related, query.select));
  const answer = { ...found, headers: JSON_HEADERS };
  if (!Array.isArray(related)) {
    if (!isObject(related)) throw notFound();
    return { ...answer, body: entityBody(context, value) };
  }
  const shown = query.top === 0 ? [] : related;
  const hasMore = isObject(entity) && `${navigation.name}@nextLink` in entity;
  const left = query.top - shown.length;
  const top = left === Number.POSITIVE_INFINITY ? '' : `&$top=${left}`;
  const select = query.select === undefined ? '' : `&$select=${query.select.join(',')}`;
  const nextLink = `${root}/${set.name}(${record.id})/${navigation.name}?$skip=${query.skip + shown.length}`;
  return {
    ...answer,
    body: collectionBody(context, query.top === 0 ? '[]' : value, {
      nextLink: hasMore && left > 0 ? `${nextLink}${top}${select}` : undefined,
    }),
  };
}
