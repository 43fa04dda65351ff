import type { EntityId, EntityRelation } from '@vcds/venture-model';
import type { Narrowed } from './sql.ts';

/** Narrowings that one record has to meet as a whole: the record itself, or one that is related to it. */
export interface NarrowingGroup<By extends Narrowed = Narrowed> {
  /** The relation to that record; undefined for the record itself. */
  readonly through: EntityRelation | undefined;
  /** At least one. */
  readonly by: readonly By[];
}

/**
 * The narrowings of an entity by the record that has to meet them (docs/spec/categories.md 8.7): those
 * through one relation have to be met by one related record. Of two narrowings by one dimension, that of
 * the path and that of a parameter, the first has a group of its own, because a record may have but one of
 * the values.
 */
export function groupedNarrowing<By extends Narrowed>(
  by: readonly By[],
  entity: EntityId,
): readonly NarrowingGroup<By>[] {
  const groups: { through: EntityRelation | undefined; isAlone: boolean; by: By[] }[] = [];
  for (const [index, each] of by.entries()) {
    const { through } = each.dimension.readings[entity];
    const isRepeated = by.slice(index + 1).some(({ dimension }) => dimension === each.dimension);
    const isAlone = isRepeated && through?.many === true;
    const group = groups.find((one) => one.through === through && !one.isAlone);
    if (group === undefined || isAlone) groups.push({ through, isAlone, by: [each] });
    else group.by.push(each);
  }
  return groups;
}
