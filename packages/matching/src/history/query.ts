import type { Criteria, Query, Startup } from './data.ts';
import { listOf } from './lists.ts';
import { situationBefore, type Timeline } from './timeline.ts';
import {
  FAMILIES,
  type Family,
  fold,
  placeAndTagValues,
  placeOf,
  roundValues,
  type Situation,
  situationValues,
} from './values.ts';

/** A query with the numbers of its values, as of a day. */
export interface ResolvedQuery {
  /** Values by family; values that no company ever had are left out. */
  readonly values: Readonly<Record<Family, readonly number[]>>;
  /** Whether investors of the company are known. */
  readonly isWarm: boolean;
  /** Whether the round sought or a company without a record is described. */
  readonly isByCriteria: boolean;
  readonly place: readonly [country: string, region: string, city: string];
  readonly tags: ReadonlySet<string>;
  /** Stage code sought, 0 when unknown. */
  readonly stage: number;
}

const NEW_COMPANY: Situation = {
  ...{ depth: 0, lastStage: 0, lastAmount: Number.NaN, lastDay: 0, investors: [] },
};

const PROPERTIES = ['tags', 'country', 'region', 'city', 'founded'] as const;

/** Resolves a query; of a startup's investments only those before the day `before` count. */
export function resolveQuery(timeline: Timeline, query: Query, before: number): ResolvedQuery {
  const { vocabulary, data, statics } = timeline;
  const startup = data.startups[query.startup ?? -1];
  const company = companyOf(startup, query);
  const situation =
    query.startup === undefined ? NEW_COMPANY : situationBefore(timeline, query.startup, before);
  const values = Object.fromEntries(FAMILIES.map((family) => [family, [] as number[]]));
  const find = (family: Family, key: string) => {
    const value = vocabulary.find(family, key);
    if (value !== undefined) values[family]?.push(value);
    return undefined;
  };
  if (company === startup) {
    // They are known: a query for each of many startups must be fast.
    for (const value of listOf(statics, query.startup ?? 0)) {
      values[vocabulary.familyOf(value)]?.push(value);
    }
  } else placeAndTagValues(company, find);
  situationValues(situation, company, before, find);
  roundValues(company, query.stage ?? 0, query.amountUsd ?? 0, find);
  values.partner = [...situation.investors];
  return {
    values: values as Record<Family, number[]>,
    isWarm: situation.investors.length > 0,
    isByCriteria: query.startup === undefined || Boolean(query.stage || query.amountUsd),
    place: placeOf(company),
    tags: new Set((company.tags ?? []).map(fold)),
    stage: query.stage ?? 0,
  };
}

/** A startup with the criteria in place of its own properties. */
function companyOf(startup: Startup | undefined, query: Query): Startup | Criteria {
  if (startup === undefined) return query;
  if (PROPERTIES.every((property) => query[property] === undefined)) return startup;
  const hasPlace = [query.country, query.region, query.city].some(Boolean);
  const place = hasPlace ? query : startup;
  return {
    id: startup.id,
    tags: query.tags ?? startup.tags,
    country: place.country ?? '',
    region: place.region ?? '',
    city: place.city ?? '',
    founded: query.founded ?? startup.founded,
  };
}
