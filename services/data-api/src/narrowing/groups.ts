import type { Dimension, EntityId, EntityRelation, Reading } from '@vcds/venture-model';
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
  const all = by.map(({ dimension }) => dimension);
  const groups: { through: EntityRelation | undefined; isAlone: boolean; by: By[] }[] = [];
  for (const [index, each] of by.entries()) {
    const isRepeated = all.lastIndexOf(each.dimension) > index;
    const through = relationOf(each.dimension, isRepeated ? [] : all, entity);
    const isAlone = isRepeated && through?.many === true;
    const group = groups.find((one) => one.through === through && !one.isAlone);
    if (group === undefined || isAlone) groups.push({ through, isAlone, by: [each] });
    else group.by.push(each);
  }
  return groups;
}

/**
 * The relation to the record that has to meet a dimension beside others; undefined for the record itself. The
 * investor of a startup is a holder of it, but beside another dimension of rounds a participant of that round.
 */
export function relationOf(
  dimension: Dimension,
  all: readonly Dimension[],
  entity: EntityId,
): EntityRelation | undefined {
  const { through } = dimension.readings[entity];
  if (through !== undefined || dimension.names === undefined || dimension.names === entity) {
    return through;
  }
  const relations = all.map(({ readings }) => readings[entity].through);
  return relations.find((each) => each?.many && dimension.entities.includes(each.to));
}

/** How a dimension is read from the record of a group, under the alias `related` if it is a related one. */
export function readingIn(
  dimension: Dimension,
  through: EntityRelation | undefined,
  entity: EntityId,
): Reading {
  const own = dimension.readings[entity];
  return through === undefined || own.through === through ? own : dimension.readings[through.to];
}
