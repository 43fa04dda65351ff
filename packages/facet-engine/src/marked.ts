import type { Marks } from './count-job.ts';
import type { SegmentView } from './segment.ts';

/** Sets the bits of the marked records, and clears those of the others. */
export function markedBits(segment: SegmentView, marks: Marks, bits: Uint32Array): void {
  const { records } = segment;
  for (let start = 0; start < records; start += 32) {
    const end = Math.min(start + 32, records);
    let word = 0;
    for (let r = start; r < end; r++) word |= (isMarked(segment, marks, r) ? 1 : 0) << (r & 31);
    bits[start >>> 5] = word;
  }
}

/** Keeps the listed records that are marked; returns how many there are. */
export function keepMarked(
  records: Uint16Array,
  count: number,
  segment: SegmentView,
  marks: Marks,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const record = records[i] as number;
    if (isMarked(segment, marks, record)) records[kept++] = record;
  }
  return kept;
}

function isMarked({ numbers, links }: SegmentView, marks: Marks, record: number): boolean {
  const { marked, links: index } = marks;
  if (index === undefined) return marked[numbers?.[record] as number] === 1;
  const column = links[index];
  if (column === undefined) return false;
  const { offsets, targets } = column;
  const end = offsets[record + 1] as number;
  for (let link = offsets[record] as number; link < end; link++) {
    if (marked[targets[link] as number] === 1) return true;
  }
  return false;
}
