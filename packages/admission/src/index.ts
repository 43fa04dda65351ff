export { AccountShares, type AccountSharesOptions, type Slot } from './account-shares.ts';
export { ErrorPacer, type ErrorPacerOptions, type PaceLimits } from './error-pacer.ts';
export type { Caller, ShareLimits } from './steady-share.ts';
