/**
 * Reorders numbers so that the one at `index` is where sorting would place it, with none above it before and none
 * below it after.
 */
export function placeAt(numbers: Float64Array, index: number): void {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const pivot = middleOf(numbers, low, high);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((numbers[left] as number) < pivot) left += 1;
      while ((numbers[right] as number) > pivot) right -= 1;
      if (left <= right) {
        const moved = numbers[left] as number;
        numbers[left] = numbers[right] as number;
        numbers[right] = moved;
        left += 1;
        right -= 1;
      }
    }
    if (index <= right) high = right;
    else if (index >= left) low = left;
    else return;
  }
}

/**
 * The number below which a share of the numbers is, interpolated between the two nearest as
 * spreadsheets do (inclusive). Reorders the numbers; NaN of none.
 */
export function percentile(numbers: Float64Array, share: number): number {
  if (numbers.length === 0) return Number.NaN;
  const position = share * (numbers.length - 1);
  const index = Math.floor(position);
  placeAt(numbers, index);
  const lower = numbers[index] as number;
  if (index === position) return lower;
  let upper = Number.POSITIVE_INFINITY;
  for (let i = index + 1; i < numbers.length; i++) {
    if ((numbers[i] as number) < upper) upper = numbers[i] as number;
  }
  return lower + (upper - lower) * (position - index);
}

function middleOf(numbers: Float64Array, low: number, high: number): number {
  const a = numbers[low] as number;
  const b = numbers[(low + high) >>> 1] as number;
  const c = numbers[high] as number;
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
