/** A client of the Venture Capital Data Service. */
export {
  type AccessClient,
  type AccessOptions,
  type Balance,
  createAccessClient,
  LOCAL_AUTH_URL,
  type Registered,
  type RegistrationStatus,
  type Verified,
} from './access.ts';
export type {
  AggregateEntity,
  AggregateKey,
  AggregateMeasure,
  AggregateOptions,
  Aggregates,
} from './aggregates.ts';
export {
  type Client,
  type ClientOptions,
  createClient,
  LOCAL_BASE_URL,
  type SpentCredits,
} from './client.ts';
export type { Collection, ListOptions, RecordCollection, RecordShape } from './endpoints.ts';
export {
  type ClientErrorCode,
  type ErrorAction,
  type ErrorCode,
  type ExhaustedCredits,
  type Quote,
  VcdsError,
} from './errors.ts';
export { escapeLike, Filter, type FilterValue, filter } from './filter.ts';
export {
  type Feed,
  type FeedPosition,
  type FeedStore,
  type FollowOptions,
  memoryStore,
  type Signal,
} from './follow.ts';
export type { Listing } from './listing.ts';
export type { MatchItem, MatchResult } from './match.ts';
export type { CollectionPath, Data, Parameters, Path, RecordOf } from './paths.ts';
export type {
  Change,
  OpenFile,
  ReplicaCollection,
  ReplicaPosition,
  ReplicaReport,
  ReplicaStore,
  ReplicateOptions,
  Snapshot,
} from './replicate.ts';
export type {
  ApiResponse,
  CallOptions,
  Credits,
  ResponseEvent,
  RetryOptions,
} from './transport.ts';
