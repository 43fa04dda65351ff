export { AccountShares, type AccountSharesOptions, type Slot } from './account-shares.ts';
export type { Caller, ShareLimits } from './steady-share.ts';
