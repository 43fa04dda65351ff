import type { FacetValue } from '@vcds/facet-engine';
import type { ClosedValue } from '@vcds/odata-query';
import { type Dimension, foldedValue, valuesMeantBy } from '@vcds/venture-model';
import type { RecordCounter } from '../collections/count.ts';
import { indexedNarrowing } from '../narrowing/indexed-narrowing.ts';
import { nearestOf } from '../narrowing/plan.ts';
import type { ValueResolver } from '../narrowing/resolve.ts';
import type { Answer } from '../postgres/database.ts';
import type { RecordGrouper } from './facet-chooser.ts';
import type { FacetCounts, FacetEngine, FacetRequest } from './facet-schema.ts';
import { categoryValue, narrowedBy } from './json.ts';
import type { FacetsPlan, ValuesPlan } from './plan.ts';

/** The most values that a text of a search is taken for. */
const MEANT_MAX = 6;
/** The most values that are listed for a text that none has. */
const ALIKE_MAX = 5;

/** The sources of category listings. */
export interface CategorySources {
  readonly values: ValueResolver;
  readonly facets: FacetEngine;
  /** Absent without an engine in memory. */
  readonly records?: RecordCounter;
  readonly groups?: RecordGrouper;
}

/**
 * Counts several dimensions.
 *
 * @throws ApiError `unavailable`.
 */
export async function executeFacets(plan: FacetsPlan, sources: CategorySources): Promise<Answer> {
  const { of, dimensions, top } = plan;
  const { total, facets: counts } = await sources.facets.count({
    entity: of.entity,
    ...indexedNarrowing(of.by, of.entity),
    facets: dimensions.map(({ id }) => ({ dimension: id, top, skip: 0, order: 'count' })),
  });
  const facets = await Promise.all(
    dimensions.map(async (dimension) => {
      const values = counts.get(dimension.id) ?? [];
      const names = await namesIn(dimension, values, sources);
      const listed = values.map(({ value, count }) =>
        categoryValue(dimension, value, count, names.get(value)),
      );
      return [dimension.id, listed] as const;
    }),
  );
  return answer({
    entity: of.entity,
    narrowedBy: narrowedBy(of.by),
    total,
    facets: Object.fromEntries(facets),
  });
}

/**
 * Lists the values of one dimension: those that occur, or all values of a closed dimension, which
 * are the valid ones of a request.
 *
 * @throws as {@link executeFacets}.
 */
export async function executeValues(plan: ValuesPlan, sources: CategorySources): Promise<Answer> {
  const { of, dimension, counts } = plan;
  const text = plan.search && (await sources.values.fold(plan.search.text));
  const search = plan.search && text ? { text, anywhere: plan.search.anywhere } : undefined;
  const request: FacetRequest = {
    dimension: dimension.id,
    top: plan.top,
    skip: plan.skip,
    order: counts ? 'count' : 'value',
    ...(search === undefined ? {} : { search }),
  };
  const count = (facet: FacetRequest) =>
    sources.facets.count({
      entity: of.entity,
      ...indexedNarrowing(of.by, of.entity),
      facets: [facet],
    });
  const isOpen = dimension.closed === undefined;
  const isText = isOpen && dimension.names === undefined;
  const meant = isText && search ? await valuesMeant(plan, search, count) : [];
  // Without counts the values of a closed dimension need no engine.
  const counted =
    isOpen || counts
      ? await count(isOpen ? after(request, meant) : everyValue(dimension))
      : undefined;
  const rest = counted?.facets.get(dimension.id) ?? [];
  const first = meant.slice(plan.skip, plan.skip + plan.top);
  const occurring = [...first, ...rest].slice(0, plan.top);
  const found = isOpen ? occurring : listClosed(dimension, request, occurring);
  const isNone = search !== undefined && found.length === 0 && plan.skip === 0;
  const values = isNone ? await valuesAlike(plan, sources.values, rest, count) : found;
  const names = await namesIn(dimension, values, sources);
  return answer({
    dimension: dimension.id,
    entity: of.entity,
    narrowedBy: narrowedBy(of.by),
    ...(counts && { total: counted?.total }),
    values: values.map((each) =>
      categoryValue(dimension, each.value, counts ? each.count : undefined, names.get(each.value)),
    ),
  });
}

/**
 * The values that a text means (`AI`, `Muenchen`) and that the search does not find: they come before
 * those that it finds.
 */
async function valuesMeant(
  { dimension, search }: ValuesPlan,
  { text, anywhere }: NonNullable<FacetRequest['search']>,
  count: (facet: FacetRequest) => Promise<FacetCounts>,
): Promise<readonly FacetValue[]> {
  const meant: FacetValue[] = [];
  for (const value of valuesMeantBy(search?.text ?? '').slice(0, MEANT_MAX)) {
    const folded = foldedValue(value);
    if (anywhere ? folded.includes(text) : folded.startsWith(text)) continue;
    const request = { dimension: dimension.id, top: MEANT_MAX, skip: 0, order: 'value' } as const;
    const { facets } = await count({ ...request, search: { text: folded, anywhere: false } });
    meant.push(...(facets.get(dimension.id) ?? []).filter((each) => each.value === value));
  }
  return meant;
}

/** The values that a text without a match is a misspelling of, or resembles, among those that are counted. */
async function valuesAlike(
  { dimension, search, top }: ValuesPlan,
  resolver: ValueResolver,
  counted: readonly FacetValue[],
  count: (facet: FacetRequest) => Promise<FacetCounts>,
): Promise<readonly FacetValue[]> {
  const text = search?.text ?? '';
  if (dimension.closed !== undefined) {
    const label = nearestOf(dimension, text);
    const meant = dimension.closed.filter((each) => each.label === label);
    return meant.map(
      ({ value }) => counted.find((each) => each.value === value) ?? { value, count: 0 },
    );
  }
  const alike: FacetValue[] = [];
  for (const { stored, value } of (await resolver.alike(dimension, text)).slice(0, ALIKE_MAX)) {
    const of = { text: foldedValue(value), anywhere: false };
    const request = { dimension: dimension.id, top: MEANT_MAX, skip: 0, order: 'value' } as const;
    const { facets } = await count({ ...request, search: of });
    const values = facets.get(dimension.id) ?? [];
    alike.push(...values.filter((each) => String(each.value) === stored));
  }
  return alike.slice(0, top);
}

function namesIn(
  dimension: Dimension,
  counted: readonly FacetValue[],
  { values }: CategorySources,
) {
  return values.names(
    dimension,
    counted.map(({ value }) => value),
  );
}

/** The part of a page that follows the values that a text means. */
function after(request: FacetRequest, { length }: readonly FacetValue[]): FacetRequest {
  return { ...request, skip: Math.max(0, request.skip - length) };
}

function everyValue({ id, closed = [] }: Dimension): FacetRequest {
  return { dimension: id, top: closed.length, skip: 0, order: 'count' };
}

// With counts: values that occur, then the others by label. Without counts: all by label, or in
// the order of the list if the dimension is ordinal.
function listClosed(
  { closed = [], isOrdinal }: Dimension,
  { search, top, skip, order }: FacetRequest,
  counted: readonly FacetValue[],
): readonly FacetValue[] {
  const isCounted = new Set(counted.map(({ value }) => value));
  const listed = order === 'value' && isOrdinal ? closed : byLabel(closed);
  const others = listed
    .filter(({ value }) => !isCounted.has(value))
    .map(({ value }): FacetValue => ({ value, count: 0 }));
  const labels = new Map(closed.map(({ value, label }) => [value, foldLabel(label)]));
  const matches = ({ value }: FacetValue): boolean => {
    const label = labels.get(value) ?? '';
    if (search === undefined) return true;
    return search.anywhere ? label.includes(search.text) : label.startsWith(search.text);
  };
  return [...counted, ...others].filter(matches).slice(skip, skip + top);
}

function byLabel(closed: readonly ClosedValue[]): readonly ClosedValue[] {
  return [...closed].sort((a, b) => (foldLabel(a.label) < foldLabel(b.label) ? -1 : 1));
}

/** The same as `venture.fold` for the labels of closed values; a test compares them. */
export function foldLabel(label: string): string {
  return label.toLowerCase().replaceAll('–', '-');
}

function answer(body: object): Answer {
  return { body: JSON.stringify(body), records: 0, more: false };
}
