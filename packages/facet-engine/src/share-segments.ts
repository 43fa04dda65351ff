import type { Segments, SegmentView } from './segment.ts';

/** The numbers of some of an entity's segments. */
export interface SegmentShare {
  /** Number of slots taken, including empty ones. */
  readonly segments: number;
  /** Undefined if no segment was left. */
  readonly counts: Uint32Array<ArrayBuffer> | undefined;
}

/** Collects numbers of segments. */
interface Collector {
  readonly add: (segment: SegmentView) => void;
  readonly numbers: () => Uint32Array<ArrayBuffer>;
}

/**
 * Takes one slot after another until none is left, and collects the numbers of their segments.
 *
 * @param take returns the next slot, or `segments.length` and more if none is left
 * @param open called if a slot is left
 */
export function shareSegments(
  segments: Segments,
  take: () => number,
  open: () => Collector,
): SegmentShare {
  let slot = take();
  if (slot >= segments.length) return { segments: 0, counts: undefined };
  const { add, numbers } = open();
  let taken = 0;
  for (; slot < segments.length; slot = take()) {
    taken += 1;
    const segment = segments[slot];
    if (segment !== undefined) add(segment);
  }
  return { segments: taken, counts: numbers() };
}
