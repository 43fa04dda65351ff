export { AccountShares } from './account-shares.ts';
export { ErrorPacer } from './error-pacer.ts';
export type { Caller, ShareLimits } from './steady-share.ts';
