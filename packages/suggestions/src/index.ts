export type { SuggestedResource } from './suggest-condition.ts';
export { type InvalidCall, type Parameters, unknownParameter } from './suggest-parameter.ts';
export { ACCESS_PATHS, type KnownPaths, suggestPath } from './suggest-path.ts';
