export {
  confirmations,
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  personRoles,
  primarySources,
  stages,
} from './dimensions/closed-values.ts';
export * from './dimensions/index.ts';
export {
  IDENTIFIER_MAX,
  identifierOf,
  identifierParts,
  type ReadIdentifier,
  readIdentifier,
  SCHEME_NAMES,
  type Scheme,
  siteIdentifier,
} from './identifiers/identifiers.ts';
export { readDay, readInstant } from './instants.ts';
export {
  addObservation,
  CONDITIONS,
  type Condition,
  conditionOf,
  type InferredStatus,
  isRecentRound,
  type ObservationSummary,
  type OperatingStatus,
  observedStatus,
  operatingStatusOf,
  type SocialCondition,
  STATUS_THRESHOLDS,
  socialCondition,
} from './operating-status/decision.ts';
export {
  OBSERVED_KINDS,
  OBSERVED_STATES,
  type Observation,
  type ObservedKind,
  type ObservedState,
  observationAddress,
} from './operating-status/observation.ts';
export { type Recalculated, recalculateOperatingStatus } from './operating-status/recalculate.ts';
export { retryDeadlocks } from './operating-status/retry-deadlocks.ts';
export { parseUrl } from './sites/parse-url.ts';
export { hostsOfNetwork, SHARED_HOSTS } from './sites/shared-hosts.ts';
export {
  isWebAddress,
  looksLikeWebsite,
  unwrapped,
  type WebsiteForms,
  websiteForms,
  websiteHost,
  websiteHostname,
} from './sites/website-forms.ts';
export { stageOfSeries } from './stages/stage-of-series.ts';
export { FIELD_SYNONYMS, RELATION_SYNONYMS } from './synonyms/field-synonyms.ts';
export { DIMENSION_SYNONYMS, ENTITY_SYNONYMS } from './synonyms/name-synonyms.ts';
export { PARAMETER_SYNONYMS, PATH_SYNONYMS } from './synonyms/parameter-synonyms.ts';
export { CLOSED_VALUE_SYNONYMS, OPEN_VALUE_SYNONYMS } from './synonyms/value-synonyms.ts';
export { foldedValue, valuesMeantBy } from './synonyms/values-meant.ts';
