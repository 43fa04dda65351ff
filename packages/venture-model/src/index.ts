export {
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  personRoles,
  primarySources,
  stages,
} from './dimensions/closed-values.ts';
export * from './dimensions/index.ts';
export { readDay, readInstant } from './instants.ts';
export { sweepOperatingStatus } from './operating-status.ts';
export { SHARED_HOSTS } from './sites/shared-hosts.ts';
export {
  isWebAddress,
  looksLikeWebsite,
  type WebsiteForms,
  websiteForms,
  websiteHost,
} from './sites/website-forms.ts';
export { FIELD_SYNONYMS, RELATION_SYNONYMS } from './synonyms/field-synonyms.ts';
export { DIMENSION_SYNONYMS, ENTITY_SYNONYMS } from './synonyms/name-synonyms.ts';
export { PARAMETER_SYNONYMS, PATH_SYNONYMS } from './synonyms/parameter-synonyms.ts';
export { CLOSED_VALUE_SYNONYMS, OPEN_VALUE_SYNONYMS } from './synonyms/value-synonyms.ts';
