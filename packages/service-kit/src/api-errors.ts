/**
 * `@vcds/service-kit/api-errors`: API errors, their suggestions and links, and the path of the API. This part of the package
 * loads neither Express nor Redis, for the steps of a service without input and output.
 */
export { DATA_BASE_PATH } from './base-paths.ts';
export { ERROR_MEANINGS, ERRORS, type ErrorCode } from './error-table.ts';
export { ApiError, type ErrorDetails } from './errors.ts';
export { isKeyParameter, misnamedKey } from './key-parameter.ts';
export { nearestPath } from './nearest-path.ts';
export { seeUrl } from './see-url.ts';
