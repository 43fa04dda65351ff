/**
 * What a refusal is made of, `@vcds/service-kit/refusals`: the part of this package that loads
 * neither web framework nor store, for the pure steps of a service.
 */
export { ApiError, type ErrorDetails } from './errors.ts';
export { nearestPath } from './nearest-path.ts';
export { seeUrl } from './see-url.ts';
