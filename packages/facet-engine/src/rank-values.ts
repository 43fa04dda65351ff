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

/** Quickselect: moves the `count` smallest to the front, unordered, and returns that part. */
function takeSmallest(keys: Float64Array, count: number): Float64Array {
  let low = 0;
  let high = keys.length - 1;
  while (low < high && count < keys.length) {
    const pivot = middleOf(keys, low, high);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((keys[left] as number) < pivot) left += 1;
      while ((keys[right] as number) > pivot) right -= 1;
      if (left <= right) {
        const moved = keys[left] as number;
        keys[left] = keys[right] as number;
        keys[right] = moved;
        left += 1;
        right -= 1;
      }
    }
    if (count - 1 <= right) high = right;
    else if (count - 1 >= left) low = left;
    else break;
  }
  return keys.subarray(0, count);
}

function middleOf(keys: Float64Array, low: number, high: number): number {
  const a = keys[low] as number;
  const b = keys[(low + high) >>> 1] as number;
  const c = keys[high] as number;
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
