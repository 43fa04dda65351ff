import { Random } from '@vcds/demo-data/random';
import { type DimensionId, dimensionById, dimensionsOf, valueOfText } from '@vcds/venture-model';
import type { FacetQuery, FacetRequest, Narrowing } from '../../src/categories/facet-schema.ts';
import { type GeneratedDictionary, rank } from './dictionary.ts';

/** One request, as engines and as the API are asked. */
export interface BenchRequest {
  readonly query: FacetQuery;
  /** Below the base path. */
  readonly path: string;
}

/** Kinds of requests, and how one is drawn. */
export const KINDS = {
  'un-narrowed closed dimensions': closed,
  'country + two industries, ten dimensions': broad,
  'rare city + rare industry, ten dimensions': selective,
  'city prefix within a country': cityPrefix,
  'industry by stage': industryByStage,
} as const satisfies Record<string, Draw>;

export type Kind = keyof typeof KINDS;

type Draw = (dictionary: GeneratedDictionary, random: Random) => BenchRequest;

const TOP = 25;
/** A value of this rank or a later one is rare. */
const RARE_RANK = 200;
const OWN = dimensionsOf('startups');
const ALL_OWN = OWN.map(({ id }) => id);

/** Requests of one kind. Narrowing values are as frequent among them as among startups. */
export function drawRequests(
  kind: Kind,
  dictionary: GeneratedDictionary,
  count: number,
): readonly BenchRequest[] {
  const random = new Random(count + kind.length);
  return Array.from({ length: count }, () => KINDS[kind](dictionary, random));
}

function closed(): BenchRequest {
  const ids = OWN.filter(({ kind }) => kind === 'closed').map(({ id }) => id);
  return facets(ids, []);
}

function broad(dictionary: GeneratedDictionary, random: Random): BenchRequest {
  const industries = [0, 1].map(() => ranked(random, dictionary, 'industry'));
  const country = narrowing('country', ranked(random, dictionary, 'country', 2));
  return facets(ALL_OWN, [country, narrowing('industry', ...new Set(industries))]);
}

function selective(dictionary: GeneratedDictionary, random: Random): BenchRequest {
  const rare = (id: DimensionId) => {
    const rank = RARE_RANK + random.below(dictionary[id].length - RARE_RANK);
    return narrowing(id, nameOf(dictionary, id, rank));
  };
  return facets(ALL_OWN, [rare('city'), rare('industry')]);
}

function cityPrefix(dictionary: GeneratedDictionary, random: Random): BenchRequest {
  const country = narrowing('country', ranked(random, dictionary, 'country', 2));
  const city = nameOf(dictionary, 'city', random.below(dictionary.city.length));
  const text = city.slice(0, 2).toLowerCase();
  return values({ ...facet('city'), search: { text, anywhere: false } }, country);
}

function industryByStage(dictionary: GeneratedDictionary, random: Random): BenchRequest {
  return values(facet('industry'), narrowing('stage', ranked(random, dictionary, 'stage')));
}

function facets(ids: readonly DimensionId[], narrowings: readonly Narrowing[]): BenchRequest {
  const parameters = new URLSearchParams({ dimensions: ids.join() });
  for (const { dimension, values: given } of narrowings) parameters.set(dimension, given.join());
  return {
    query: { entity: 'startups', narrowing: narrowings, facets: ids.map(facet) },
    path: `/categories/facets?${parameters}`,
  };
}

function values(request: FacetRequest, narrowed: Narrowing): BenchRequest {
  const parameters = new URLSearchParams({ top: String(request.top) });
  parameters.set(narrowed.dimension, narrowed.values.join());
  if (request.search !== undefined) parameters.set('q', request.search.text);
  return {
    query: { entity: 'startups', narrowing: [narrowed], facets: [request] },
    path: `/categories/${request.dimension}?${parameters}`,
  };
}

function facet(dimension: DimensionId): FacetRequest {
  return { dimension, top: TOP, skip: 0, order: 'count' };
}

function narrowing(dimension: DimensionId, ...texts: readonly string[]): Narrowing {
  const by = dimensionById(dimension);
  return { dimension, values: texts.map((text) => valueOfText(by, text)) };
}

function ranked(random: Random, from: GeneratedDictionary, id: DimensionId, skew = 1): string {
  return nameOf(from, id, rank(random, from[id].length, skew));
}

function nameOf(dictionary: GeneratedDictionary, id: DimensionId, rank: number): string {
  return dictionary[id][rank]?.value ?? '';
}
