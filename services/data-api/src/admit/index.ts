export { AccountShares, type ShareLimits } from './account-shares.ts';
export { ErrorPacer } from './error-pacer.ts';
