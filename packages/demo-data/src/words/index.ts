/** Words of invented companies and people, for other generators. */
export { familyName, givenName } from '../names.ts';
export { FUND_STEMS, STARTUP_STEMS } from './stems.ts';
export {
  DESCRIPTORS,
  FOUNDER_TITLES,
  FUND_TITLES,
  FUND_TYPES,
  GROUPS,
  PUBLISHERS,
  profileOf,
  RAISED_SPREAD,
  SECTORS,
  STREETS,
} from './tables.ts';
