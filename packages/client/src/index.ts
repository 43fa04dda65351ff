/** A client of the Venture Capital Data Service. */
export { type Client, type ClientOptions, createClient, LOCAL_BASE_URL } from './client.ts';
export { type ClientErrorCode, type ErrorAction, type ErrorCode, VcdsError } from './errors.ts';
export { escapeLike, Filter, type FilterValue, filter } from './filter.ts';
export type { Data, Parameters, Path, RecordOf } from './paths.ts';
export type {
  ApiResponse,
  CallOptions,
  Credits,
  ResponseEvent,
  RetryOptions,
} from './transport.ts';
