import type { MarkJob } from './count-job.ts';
import { listWhere } from './count-where.ts';
import type { Segments, SegmentView } from './segment.ts';
import { Selector } from './select.ts';
import { type SegmentShare, shareSegments } from './share-segments.ts';

/** Marks for the segments of the slots that it takes; the number is that of the matches. */
export function markSegments(segments: Segments, job: MarkJob, take: () => number): SegmentShare {
  return shareSegments(segments, take, () => {
    const selector = new Selector(job);
    const all = job.groups.map((_, group) => group);
    let matches = 0;
    const add = (segment: SegmentView) => {
      selector.enter(segment);
      const count =
        all.length > 0
          ? selector.select(all)
          : listWhere(segment, undefined, selector, selector.records);
      matches += count;
      markRecords(segment, job, selector.records, count);
    };
    return { add, numbers: () => Uint32Array.of(matches) };
  });
}

function markRecords(
  { numbers, links }: SegmentView,
  { links: index, tags: accepts, marked }: MarkJob,
  records: Uint16Array,
  count: number,
): void {
  if (index === undefined) {
    if (numbers === undefined) return;
    for (let i = 0; i < count; i++) marked[numbers[records[i] as number] as number] = 1;
    return;
  }
  const column = links[index];
  if (column === undefined) return;
  const { offsets, targets, tags } = column;
  for (let i = 0; i < count; i++) {
    const record = records[i] as number;
    const end = offsets[record + 1] as number;
    for (let link = offsets[record] as number; link < end; link++) {
      if (accepts === undefined || accepts[tags?.[link] ?? 0] === 1) {
        marked[targets[link] as number] = 1;
      }
    }
  }
}
