/** The entity sets of the OData service: one row each (docs/spec/odata.md 27.2). */
import type { RateCardEntry } from '@vcds/metering';
import { DATA_BASE_PATH } from '@vcds/service-kit';
import { type Relation, type Resource, resources } from '../resources/index.ts';
import { rateOf } from '../serve/endpoint.ts';

/** The path of the OData service below the root of the data host. */
export const ODATA_PATH = '/odata/v4';

/** The public root of the service. */
export function odataRoot(baseUrl: string): string {
  return `${baseUrl.slice(0, -DATA_BASE_PATH.length)}${ODATA_PATH}`;
}

/** A relation to records of another entity set. */
export type Navigation = Extract<Relation, { kind: 'records' }>;

/** An entity set with its entity type. */
export interface EntitySet {
  readonly name: string;
  readonly type: string;
  /** Its records, whose relations are the {@link Navigation}s. */
  readonly resource: Resource;
  /** The rate of the collection with the same records. */
  readonly rate: RateCardEntry;
}

export const ENTITY_SETS: readonly EntitySet[] = [
  entitySet('Startups', 'Startup', resources.startup, '/startups'),
  entitySet('Funds', 'Fund', resources.fund, '/funds'),
  entitySet('FundingRounds', 'FundingRound', resources.fundingRound, '/startups/fundingrounds'),
  entitySet('PostValuations', 'PostValuation', resources.postValuation, '/startups/postvaluations'),
  entitySet('Persons', 'Person', resources.person, '/persons'),
  entitySet('News', 'NewsItem', resources.news, '/news'),
];

/** The entity set of the records that a relation has. */
export function targetOf({ target }: Navigation): EntitySet {
  const found = ENTITY_SETS.find(({ resource }) => resource.name === target);
  if (found === undefined) throw new RangeError(`${target} has no entity set.`);
  return found;
}

/** The navigation properties of an entity set. */
export function navigationsOf({ resource }: EntitySet): readonly Navigation[] {
  return [...resource.relations.values()].filter(isNavigation);
}

function isNavigation(relation: Relation): relation is Navigation {
  return relation.kind === 'records';
}

function entitySet(name: string, type: string, resource: Resource, path: string): EntitySet {
  // An entity has the fields of its type: those of the relation itself, such as a title, are not among them.
  const navigations = [...resource.relations.values()].filter(isNavigation).map(withoutOwnFields);
  const relations = new Map(navigations.map((each) => [each.name, each]));
  return { name, type, resource: { ...resource, relations }, rate: rateOf(path) };
}

function withoutOwnFields({ extra: _, ...relation }: Navigation): Navigation {
  return relation;
}
