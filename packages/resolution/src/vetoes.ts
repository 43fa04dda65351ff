import type { Compiled } from './compile.ts';
import { compareLists, type Features } from './features.ts';

/** Why two statements are never one company, unless an operator says so. */
export type Veto =
  | 'same-source'
  | 'identifiers'
  | 'ordinals'
  | 'parts'
  | 'sites'
  | 'founded'
  | 'countries';

/** Names rarer than this, in units of the feature, are not taken for a coincidence. */
const RARE = 1;

/** Descriptions of which more than half of the words are the same. */
const TEXT_ALIKE = 1.6;

/** Schemes of which a company has one value: another value is another company. */
const UNIQUE_SCHEMES = new Set(['lei', 'wikidata', 'crunchbase', 'linkedin', 'registry']);

/** The veto of a pair, if there is one. Symmetric; `features` are those of the pair. */
export function vetoOf(a: Compiled, b: Compiled, features: Features): Veto | null {
  if (a.source === b.source) return 'same-source';
  if (features.identifierSame !== undefined) return null;
  if (contradicts(a, b)) return 'identifiers';
  if (ordinalOf(a) !== ordinalOf(b)) return 'ordinals';
  if (features.namePart !== undefined) return 'parts';
  if (isSiteKey(features)) return null;
  if (features.foundedOther !== undefined) return 'founded';
  const shared =
    features.roundsSame ?? features.linksSame ?? features.peopleSame ?? features.newsSame;
  if (shared !== undefined || (features.textSame ?? 0) >= TEXT_ALIKE) return null;
  const hasOtherSite = features.siteOther ?? features.siteOtherEnding;
  if (hasOtherSite !== undefined && (features.nameSameRarity ?? -1) < RARE) return 'sites';
  if (features.countryOther !== undefined && features.citySame === undefined) return 'countries';
  return null;
}

/**
 * Whether the same site decides: within no source two companies have it, and another name is not
 * also of another time or country, as of a company that was bought and whose site leads to the buyer.
 */
export function isSiteKey(features: Features): boolean {
  const { siteSame, siteShared, nameOther, foundedOther, countryOther } = features;
  if (siteSame === undefined || siteShared !== undefined) return false;
  return nameOther === undefined || (foundedOther === undefined && countryOther === undefined);
}

function ordinalOf({ entity, names }: Compiled): number {
  return entity === 2 ? (names[0]?.ordinal ?? 0) : 0;
}

/** Whether both have a value of a scheme that is unique, and no value in common. */
export function contradicts(a: Compiled, b: Compiled): boolean {
  return a.identifiers.some((identifier) => {
    const scheme = schemeOf(identifier);
    if (!UNIQUE_SCHEMES.has(scheme)) return false;
    const others = b.identifiers.filter((other) => schemeOf(other) === scheme);
    return compareLists([identifier], others) < 0;
  });
}

function schemeOf(identifier: string): string {
  const scheme = identifier.slice(0, identifier.indexOf(':'));
  // The registers of two countries may both have a company.
  return scheme === 'registry' ? identifier.slice(0, identifier.indexOf(':', 9)) : scheme;
}
