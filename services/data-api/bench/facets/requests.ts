import { Random } from '@vcds/demo-data/random';
import type { FacetQuery, FacetRequest, Narrowing } from '@vcds/facet-engine';
import { type DimensionId, dimensionById, dimensionsOf, valueOfText } from '@vcds/venture-model';
import type { GeneratedDictionary } from './dictionary.ts';
import { rank } from './rank.ts';

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
  const [first, second] = [
    ranked(random, dictionary, 'industry'),
    ranked(random, dictionary, 'industry'),
  ];
  const country = narrowing(
    'country',
    nameOf(dictionary, 'country', rank(random, dictionary.country.length, 2)),
  );
  return facets(allOwn(), [country, narrowing('industry', ...new Set([first, second]))]);
}

function selective(dictionary: GeneratedDictionary, random: Random): BenchRequest {
  const rare = (id: DimensionId) => {
    const rank = RARE_RANK + random.below(dictionary[id].length - RARE_RANK);
    return narrowing(id, nameOf(dictionary, id, rank));
  };
  return facets(allOwn(), [rare('city'), rare('industry')]);
}

function cityPrefix(dictionary: GeneratedDictionary, random: Random): BenchRequest {
  const country = narrowing(
    'country',
    nameOf(dictionary, 'country', rank(random, dictionary.country.length, 2)),
  );
  const city = nameOf(dictionary, 'city', random.below(dictionary.city.length));
  const text = city.slice(0, 2).toLowerCase();
  return values({ ...facet('city'), search: { text, anywhere: false } }, country);
}

function industryByStage(dictionary: GeneratedDictionary, random: Random): BenchRequest {
  return values(
    facet('industry'),
    narrowing('stage', nameOf(dictionary, 'stage', rank(random, dictionary.stage.length))),
  );
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

function allOwn(): readonly DimensionId[] {
  return OWN.map(({ id }) => id);
}

function facet(dimension: DimensionId): FacetRequest {
  return { dimension, top: TOP, skip: 0, order: 'count' };
}

function narrowing(dimension: DimensionId, ...texts: readonly string[]): Narrowing {
  const by = dimensionById(dimension);
  return { dimension, values: texts.map((text) => valueOfText(by, text)) };
}

function ranked(random: Random, dictionary: GeneratedDictionary, id: DimensionId): string {
  return nameOf(dictionary, id, rank(random, dictionary[id].length));
}

function nameOf(dictionary: GeneratedDictionary, id: DimensionId, rank: number): string {
  return dictionary[id][rank]?.value ?? '';
}
