import type { Query, Startup } from './data.ts';
import { type Situation, situationBefore, situationValues, type Timeline } from './timeline.ts';
import { amountBucket, FAMILIES, type Family, fold, placeAndTagValues, placeOf } from './values.ts';

/** A query with the numbers of its values, as of a day. */
export interface ResolvedQuery {
  /** Values by index of `FAMILIES`; values that no company ever had are left out. */
  readonly values: readonly (readonly number[])[];
  readonly situation: Situation;
  /** Whether investors of the company are known. */
  readonly isWarm: boolean;
  readonly place: readonly [country: string, region: string, city: string];
  readonly tags: ReadonlySet<string>;
  /** Stage code sought, 0 when unknown. */
  readonly stage: number;
}

const UNKNOWN_COMPANY: Startup = {
  ...{ id: '', tags: [], country: '', region: '', city: '', founded: 0 },
};

/** Resolves a query; of a startup's investments only those before the day `before` count. */
export function resolveQuery(timeline: Timeline, query: Query, before: number): ResolvedQuery {
  const { vocabulary, data } = timeline;
  const company = companyOf(data.startups[query.startup ?? -1] ?? UNKNOWN_COMPANY, query);
  const situation =
    query.startup === undefined
      ? { depth: 0, lastStage: 0, lastDay: 0, investors: [] }
      : situationBefore(timeline, query.startup, before);
  const values: number[][] = FAMILIES.map(() => []);
  const find = (family: Family, key: string) => {
    const value = vocabulary.find(family, key);
    if (value !== undefined) values[FAMILIES.indexOf(family)]?.push(value);
    return undefined;
  };
  placeAndTagValues(company, find);
  situationValues(vocabulary, { ...situation, investors: [] }, company.founded, before, find);
  if (query.stage) find('stage', String(query.stage));
  find('amount', amountBucket(query.amountUsd ?? 0));
  for (const j of situation.investors) {
    values[FAMILIES.indexOf('earlierInvestor')]?.push(vocabulary.earlierInvestor(j));
    values[FAMILIES.indexOf('sameRound')]?.push(vocabulary.sameRound(j));
  }
  return {
    values,
    situation,
    isWarm: situation.investors.length > 0,
    place: placeOf(company),
    tags: new Set(company.tags.map(fold)),
    stage: query.stage ?? 0,
  };
}

function companyOf(startup: Startup, query: Query): Startup {
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
