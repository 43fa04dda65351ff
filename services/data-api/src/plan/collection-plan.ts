import type { BoundFilter } from '@vcds/odata-query';
import type { Relation, Resource, ResourceField } from '../resources/index.ts';
import type { NarrowedEntity } from './category-plan.ts';

/** Which rows belong to the record in the path: those whose column holds its id. */
export interface ParentScope {
  /** The record that must exist, else 404. */
  readonly table: 'venture.startup' | 'venture.fund';
  readonly id: string;
  /** The column of the listed rows that holds its id. */
  readonly column: string;
}

export interface OrderKey {
  readonly field: ResourceField;
  readonly descending: boolean;
}

/** A page of a collection, every name resolved and every bound kept: nothing in it is invalid. */
export interface PagePlan {
  readonly kind: 'page';
  readonly resource: Resource;
  readonly parent: ParentScope | undefined;
  /** Dimensions that narrow the collection (spec §4.3 rule 4). */
  readonly narrowed?: NarrowedEntity;
  readonly filter: BoundFilter<ResourceField> | undefined;
  readonly orderBy: readonly OrderKey[];
  readonly fields: readonly ResourceField[];
  readonly expands: readonly Relation[];
  readonly top: number;
  readonly skip: number;
}

/** The number of matches instead of rows. */
export interface CountPlan {
  readonly kind: 'count';
  readonly resource: Resource;
  readonly parent: ParentScope | undefined;
  readonly narrowed?: NarrowedEntity;
  readonly filter: BoundFilter<ResourceField> | undefined;
}

/** One record by id. */
export interface RecordPlan {
  readonly kind: 'record';
  readonly resource: Resource;
  readonly id: string;
  readonly fields: readonly ResourceField[];
  readonly expands: readonly Relation[];
}

export type CollectionPlan = PagePlan | CountPlan | RecordPlan;
