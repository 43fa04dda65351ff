import type { Criteria, Query, Startup } from './data.ts';
import { type Situation, situationBefore, situationValues, type Timeline } from './timeline.ts';
import { FAMILIES, type Family, fold, placeAndTagValues, placeOf, roundValues } from './values.ts';

/** A query with the numbers of its values, as of a day. */
export interface ResolvedQuery {
  /** Values by index of `FAMILIES`; values that no company ever had are left out. */
  readonly values: readonly (readonly number[])[];
  readonly situation: Situation;
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
  const { vocabulary, data } = timeline;
  const company = companyOf(data.startups[query.startup ?? -1], query);
  const situation =
    query.startup === undefined ? NEW_COMPANY : situationBefore(timeline, query.startup, before);
  const values: number[][] = FAMILIES.map(() => []);
  const find = (family: Family, key: string) => {
    const value = vocabulary.find(family, key);
    if (value !== undefined) values[FAMILIES.indexOf(family)]?.push(value);
    return undefined;
  };
  if (company === data.startups[query.startup ?? -1]) addStatics(timeline, query.startup, values);
  else placeAndTagValues(company, find);
  situationValues(vocabulary, { ...situation, investors: [] }, company, before, find);
  roundValues(company, query.stage ?? 0, query.amountUsd ?? 0, find);
  for (const j of situation.investors) {
    values[FAMILIES.indexOf('earlierInvestor')]?.push(vocabulary.earlierInvestor(j));
    values[FAMILIES.indexOf('sameRound')]?.push(vocabulary.sameRound(j));
  }
  return {
    values,
    situation,
    isWarm: situation.investors.length > 0,
    isByCriteria: query.startup === undefined || Boolean(query.stage || query.amountUsd),
    place: placeOf(company),
    tags: new Set((company.tags ?? []).map(fold)),
    stage: query.stage ?? 0,
  };
}

/** Adds the place and tag values of a startup, which are known. */
function addStatics(timeline: Timeline, startup = 0, values: number[][]): void {
  const { staticStart, staticValues, vocabulary } = timeline;
  for (const value of staticValues.subarray(staticStart[startup], staticStart[startup + 1])) {
    const family = vocabulary.familyOf(value);
    if (family !== undefined) values[FAMILIES.indexOf(family)]?.push(value);
  }
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
