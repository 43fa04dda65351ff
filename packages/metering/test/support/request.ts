import { randomUUID } from 'node:crypto';
import type { ReserveRequest } from '@vcds/metering';

/** A new call that holds 25 credits on the free plan, unless `changes` say otherwise. */
export function requestOf(account: string, changes: Partial<ReserveRequest> = {}): ReserveRequest {
  const call = { op: randomUUID(), keyId: 'key-1', endpoint: '/startups', requestId: 'request-1' };
  return { account, ...call, max: 25, limit: 500, ...changes };
}
