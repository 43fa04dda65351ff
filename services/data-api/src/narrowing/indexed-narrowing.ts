import type * as engine from '@vcds/facet-engine';
import type { DimensionId, EntityId } from '@vcds/venture-model';
import { groupedNarrowing } from './groups.ts';
import type { PlannedNarrowing } from './plan.ts';

type Narrowing = engine.Narrowing<DimensionId>;
type RelatedNarrowing = engine.RelatedNarrowing<DimensionId>;

/**
 * Narrowings in the form of the facet index. A record has the values of its related records too, so
 * one condition on a related record is one on the record; several on one of many need its links.
 */
export function indexedNarrowing(
  by: readonly PlannedNarrowing[],
  entity: EntityId,
): { readonly narrowing: readonly Narrowing[]; readonly related: readonly RelatedNarrowing[] } {
  const narrowing: Narrowing[] = [];
  const related: RelatedNarrowing[] = [];
  for (const { through, by: all } of groupedNarrowing(by, entity)) {
    const values = all.map(valuesOf);
    if (through?.many !== true || all.length === 1) narrowing.push(...values);
    else related.push({ relation: through.id, narrowing: values });
  }
  return { narrowing, related };
}

function valuesOf({ dimension, values }: PlannedNarrowing): Narrowing {
  return { dimension: dimension.id, values: values.map(({ value }) => value) };
}
