/** The verdict on an item (docs/spec/match.md 26.3). */
import {
  type Compiled,
  type Crowd,
  compile,
  contradicts,
  decide,
  type Features,
  nameCrowdKey,
  siteCrowdKey,
  type Veto,
} from '@vcds/resolution';
import type { FoundRow } from './lookup.ts';
import type { AskedItem } from './query.ts';

export type Verdict = 'match' | 'candidates' | 'none';

/** Why an item has its verdict, with the sentence of the result. */
export const EXPLANATIONS = {
  identifier: 'This record alone has the identifier.',
  website: 'This record alone has the website, and the name agrees or is not given.',
  'name-and-country': 'The name is rare and the same, and the country agrees.',
  tie: 'Several records fit about as well.',
  contradiction: 'What the item says belongs to different records, or contradicts this one.',
  'other-name': 'The website is that of a record with another name.',
  'other-website': 'The name is that of a record with another website.',
  'no-country': 'Only the name agrees: add the country, a website or an identifier.',
  'common-name':
    'The name is one that other companies may have too: add a website or an identifier.',
  similar: 'No record has the same name, website or identifier; these are similar.',
  'nothing-found': 'No record has a similar name, this website or this identifier.',
  'nothing-readable': 'The item has nothing by which a company can be found.',
} as const;
export type Explanation = keyof typeof EXPLANATIONS;

/** A record with its evidence. */
export interface Candidate {
  readonly row: FoundRow;
  readonly statement: Compiled;
  readonly features: Features;
  /** The logarithm of the odds that it is the company of the item. */
  readonly weight: number;
  readonly veto: Veto | null;
}

/** A weight that is this much less, in nats, is as good. */
const TIE = 1.5;
/** The rarity from which a name identifies a company, in units of the feature `nameSameRarity`. */
export const RARE_NAME = 1.15;

/** The records that an item may mean, best first. */
export function candidatesOf(
  item: AskedItem,
  rows: readonly FoundRow[],
  compiled: (row: FoundRow) => Compiled,
): readonly Candidate[] {
  const asked = rows.filter(({ type }) => item.types.includes(type));
  const statements = asked.map((row) => [row, compiled(row)] as const);
  return statements
    .map(([row, statement]): Candidate => {
      const { entity } = statement;
      const same = statements.flatMap(([, one]) => (one.entity === entity ? [one] : []));
      const crowd = crowdOf(same, row.size);
      return { row, statement, ...decide({ ...item.statement, entity }, statement, crowd) };
    })
    .filter(({ features }) => isAlike(features))
    .sort(
      (a, b) => b.weight - a.weight || b.row.deals - a.row.deals || (a.row.id < b.row.id ? -1 : 1),
    );
}

/** A record as it is compared. */
export function statementOf({ type, id, name, website, identifiers, countries }: FoundRow) {
  const entity = type === 'fund' ? 2 : 1;
  return compile({ id, entity, source: 'record', name, website, identifiers, countries });
}

function isAlike({ nameOther, siteSame, identifierSame }: Features): boolean {
  return nameOther === undefined || siteSame !== undefined || identifierSame !== undefined;
}

function crowdOf(statements: readonly Compiled[], size: number): Crowd {
  const counts = new Map<number, number>();
  for (const { names, sites } of statements) {
    const [name] = names;
    const keys = [...(name ? [nameCrowdKey(name.compact)] : []), ...sites.map(siteCrowdKey)];
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { statements: size, holders: (key) => counts.get(key) ?? 1 };
}

/** The verdict, with the reason for it. */
export function verdictOf(
  item: AskedItem,
  candidates: readonly Candidate[],
): { readonly verdict: Verdict; readonly explanation: Explanation } {
  const [best, ...others] = candidates;
  if (best === undefined) {
    const explanation = item.isAnswerable ? 'nothing-found' : 'nothing-readable';
    return { verdict: 'none', explanation };
  }
  const isContradicted = others.some(
    ({ features }) =>
      (features.identifierSame !== undefined && best.features.identifierSame === undefined) ||
      (features.siteSame !== undefined && best.features.siteSame === undefined),
  );
  const own = ownEvidence(item, best);
  if (isContradicted) return { verdict: 'candidates', explanation: 'contradiction' };
  if (own.verdict === 'match' && others.some(({ weight }) => best.weight - weight < TIE)) {
    return { verdict: 'candidates', explanation: 'tie' };
  }
  return own;
}

/** The verdict on the best record, as if it were the only one. */
function ownEvidence(item: AskedItem, { statement, features, veto }: Candidate) {
  const match = (explanation: Explanation) => ({ verdict: 'match', explanation }) as const;
  const unsure = (explanation: Explanation) => ({ verdict: 'candidates', explanation }) as const;
  const isNamed = item.statement.names.length > 0;
  const hasOtherName = isNamed && features.nameOther !== undefined;
  const isOther = hasOtherName && features.nameIsLabel === undefined;
  const hasOtherSite = (features.siteOther ?? features.siteOtherEnding) !== undefined;
  if (contradicts(item.statement, statement)) return unsure('contradiction');
  if (features.identifierSame !== undefined) {
    return isOther && hasOtherSite ? unsure('contradiction') : match('identifier');
  }
  // A veto on names: without one, an item is of no other fund than the record.
  if (isNamed && (veto === 'ordinals' || veto === 'parts')) return unsure('contradiction');
  if (features.siteSame !== undefined) {
    if (isOther) return unsure('other-name');
    // The site of a company that was bought may lead to the buyer.
    if (hasOtherName && features.countryOther !== undefined) return unsure('contradiction');
    const isOwn = features.siteShared === undefined || features.nameSame !== undefined;
    return isOwn ? match('website') : unsure('tie');
  }
  if (features.nameSame === undefined) return unsure('similar');
  if (hasOtherSite) return unsure('other-website');
  if (features.countryOther !== undefined) return unsure('contradiction');
  if (features.countrySame === undefined) return unsure('no-country');
  const isRare = (features.nameSameRarity ?? 0) >= RARE_NAME;
  return isRare ? match('name-and-country') : unsure('common-name');
}
