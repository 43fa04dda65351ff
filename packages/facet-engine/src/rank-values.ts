import { placeAt } from './percentiles.ts';
import type { FacetRequest } from './port.ts';
import type { ValueList } from './value-list.ts';

/** The part of a dimension's values to return, and its order. */
export type Page = Pick<FacetRequest, 'top' | 'skip' | 'order' | 'search'>;

/**
 * The ordinals of a page of values that have a count. The count of a value and its rank are encoded
 * as one number, smaller for values that come first; only the numbers up to the page's end are
 * sorted.
 *
 * @param counts by ordinal; values beyond its end have none
 */
export function rankValues(counts: Uint32Array, values: ValueList, page: Page): number[] {
  const { top, skip, order, search } = page;
  const candidates = search === undefined ? values.order() : values.matching(search);
  const end = skip + top;
  if (order === 'value') {
    const found: number[] = [];
    for (const ordinal of candidates) {
      if (found.length === end) break;
      if ((counts[ordinal] ?? 0) > 0) found.push(ordinal);
    }
    return found.slice(skip);
  }
  const ranks = values.ranks();
  const width = values.size;
  const keys = new Float64Array(candidates.length);
  let length = 0;
  for (const ordinal of candidates) {
    const count = counts[ordinal] ?? 0;
    if (count > 0) keys[length++] = (ranks[ordinal] as number) - count * width;
  }
  const smallest = takeSmallest(keys.subarray(0, length), end).sort();
  const inOrder = values.order();
  return Array.from(smallest.subarray(skip), (key) => {
    const rank = ((key % width) + width) % width;
    return inOrder[rank] as number;
  });
}

/** Moves the `count` smallest to the front, unordered, and returns that part. */
function takeSmallest(keys: Float64Array, count: number): Float64Array {
  if (count > 0 && count < keys.length) placeAt(keys, count - 1);
  return keys.subarray(0, count);
}
