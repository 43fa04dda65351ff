import { configOf } from './config-of.mjs';

/** The parts that need no store. */
export default configOf('metering', {
  mutate: ['packages/metering/src/{access,answer,price}/*.ts'],
});
