/** @file Requests to addresses that callers give: public addresses only, within fixed bounds. */

export {
  assertPublicUrl,
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
} from './outbound-client.ts';
export { OutboundError, type OutboundReason } from './outbound-error.ts';
export type { FetchOptions, Page, ResponseHead, ResponseHeaders } from './page.ts';
export { isPublicAddress } from './public-address.ts';
export { createDnsResolve, type Resolve } from './resolve.ts';
export { type TestAddress, testAddressOf } from './test-address.ts';
