import { configOf } from './config-of.mjs';

export default configOf('odata-query', {
  mutate: ['packages/odata-query/src/**/*.ts'],
  // Tables that are read once, when a module is loaded: each mutant loads all modules again.
  ignoreStatic: true,
});
