export { AccountShares, type ShareLimits } from './account-shares.ts';
