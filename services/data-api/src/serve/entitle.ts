import type { Scope } from '@vcds/credentials';
import { entitled } from '@vcds/metering';
import { ApiError, type ErrorDetails } from '@vcds/service-kit';
import { resources } from '../resources/index.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';

/** @throws ApiError `not_entitled` if the plan or the key lacks the scope of the endpoint. */
export function entitle(call: Call, { rate }: Endpoint): void {
  assertEntitled(call, rate.scope);
}

/**
 * Checks the scope of the records that each expand adds: a key that is restricted to companies
 * cannot read people.
 *
 * @throws ApiError `not_entitled`.
 */
export function entitleExpands(call: Call, endpoint: Endpoint, plan: unknown): void {
  for (const relation of endpoint.expands?.(plan) ?? []) {
    if (relation.kind !== 'records') continue;
    const { scope } = resources[relation.target];
    assertEntitled(call, scope, { parameter: '$expand', value: relation.name, see: '/pricing' });
  }
  for (const { scope, ...details } of endpoint.parts?.(plan) ?? []) {
    assertEntitled(call, scope, { ...details, see: '/pricing' });
  }
}

function assertEntitled({ principal }: Call, scope: Scope | null, details?: ErrorDetails): void {
  const entitlement = entitled(principal.plan, principal.scopes, scope);
  if (!entitlement.allowed) throw new ApiError('not_entitled', entitlement.message, details);
}
