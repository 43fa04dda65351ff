import type { Catalogue } from './catalogue.ts';
import type { Group } from './count-job.ts';
import type { Narrowing } from './port.ts';

/** A narrowing in numbers. */
export function groupOf({ dimension, values }: Narrowing, catalogue: Catalogue): Group {
  const { number } = catalogue.dimensionOf(dimension);
  const list = catalogue.valuesOf(number);
  const ordinals = values.flatMap((value) => list.ordinalOf(String(value)) ?? []);
  const distinct = Uint32Array.from(new Set(ordinals)).sort();
  return { dimension: number, ordinals: distinct, size: list.size };
}
