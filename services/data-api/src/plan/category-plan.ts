import type { Dimension, EntityId } from '../dimensions/index.ts';

/** One value that narrows, and its label for `narrowedBy`. */
export interface NarrowingValue {
  /** As records hold it. */
  readonly value: string | number;
  readonly label: string;
}

/**
 * Records that have any of these values. Values of closed dimensions are valid; those of others
 * are well-formed, and whether they occur is looked up before anything is read.
 */
export interface PlannedNarrowing {
  readonly dimension: Dimension;
  /** Where they were written. */
  readonly parameter: string;
  readonly values: readonly NarrowingValue[];
}

/** Which records of an entity: all of the narrowings. */
export interface NarrowedEntity {
  readonly entity: EntityId;
  readonly by: readonly PlannedNarrowing[];
}

/** Several dimensions counted at once (spec §4.3). */
export interface FacetsPlan {
  readonly kind: 'facets';
  readonly of: NarrowedEntity;
  /** The entity's own, each once. */
  readonly dimensions: readonly Dimension[];
  readonly top: number;
}

/** The values of one dimension (spec §4.3). */
export interface ValuesPlan {
  readonly kind: 'values';
  readonly of: NarrowedEntity;
  /** One of the entity's own. */
  readonly dimension: Dimension;
  readonly search: { readonly text: string; readonly anywhere: boolean } | undefined;
  readonly top: number;
  readonly skip: number;
  readonly counts: boolean;
}
