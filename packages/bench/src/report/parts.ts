import { collections, facets, feed } from './http-parts.ts';
import { imports } from './import-part.ts';
import type { Part } from './part.ts';
import { processes } from './process-part.ts';

/** The parts of the report in its order. */
export const PARTS: Readonly<Record<string, Part>> = {
  collections,
  facets,
  feed,
  import: imports,
  processes,
};
