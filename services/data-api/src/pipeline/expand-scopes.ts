import type { Scope } from '@vcds/credentials';
import type { ResourceName } from '../resources/index.ts';
import type { Plan } from './plan.ts';

/** The scope that opens the records of each resource: that of its collection. */
export const RESOURCE_SCOPES: Readonly<Record<ResourceName, Scope>> = Object.freeze({
  fund: 'companies',
  startup: 'companies',
  fundingRound: 'rounds',
  postValuation: 'rounds',
  person: 'people',
  news: 'news',
  holding: 'companies',
  startupPerson: 'people',
  fundPerson: 'people',
  reference: 'companies',
});

/** A relation a call expands, and the scope that the records it brings along belong to. */
export interface ExpandScope {
  readonly relation: string;
  readonly scope: Scope;
}

/**
 * What the expands of a plan need beside the endpoint's own scope: the records they bring along
 * are no less records of their resource than those of its collection (docs/spec/plans.md 13.2).
 */
export function expandScopes(plan: Plan): readonly ExpandScope[] {
  if (plan.kind !== 'page' && plan.kind !== 'record') return [];
  return plan.expands.flatMap((relation) =>
    relation.kind === 'records'
      ? [{ relation: relation.name, scope: RESOURCE_SCOPES[relation.target] }]
      : [],
  );
}
