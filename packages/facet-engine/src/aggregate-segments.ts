import type { AggregateJob, AggregateResult } from './aggregate-job.ts';
import { listWhere } from './count-where.ts';
import {
  DistinctFigures,
  DistinctValues,
  FigureOfGroups,
  RecordsOfGroups,
} from './group-collectors.ts';
import { GroupedRecords } from './group-records.ts';
import { GroupTable } from './group-table.ts';
import type { Segments } from './segment.ts';
import { Selector } from './select.ts';

/** A share of a job that one thread has as a whole. */
export interface AggregateShare {
  /** Number of slots taken, including empty ones. */
  readonly segments: number;
  readonly result: AggregateResult;
}

/**
 * Groups the records of the segments of the slots that it takes. One thread has a job alone: medians
 * and numbers of different values of a group cannot be added up.
 *
 * @param take returns the next slot; `segments.length` or more at the end, and if the job is given up
 */
export function aggregateSegments(
  segments: Segments,
  job: AggregateJob,
  take: () => number,
): AggregateShare {
  const selector = new Selector(job);
  const table = new GroupTable(job.keys.map(({ size }) => size));
  const grouped = new GroupedRecords(job.keys, table);
  const counts = new RecordsOfGroups();
  const figures = job.figures.map((figure) => new FigureOfGroups(figure));
  const distincts = job.distincts.map((distinct) =>
    distinct.kind === 'figure'
      ? new DistinctFigures(distinct.figure)
      : new DistinctValues(distinct),
  );
  const collectors = [counts, ...figures, ...distincts];
  let taken = 0;
  for (let slot = take(); slot < segments.length; slot = take()) {
    taken += 1;
    const segment = segments[slot];
    if (segment === undefined || table.size > job.groupsMax) continue;
    selector.enter(segment);
    const selected = listWhere(segment, job.where, selector, selector.records);
    grouped.read(segment, selector.records, selected);
    for (const collector of collectors) {
      collector.add(segment, grouped, table.size);
      collector.addAll(segment, selector.records, selected);
    }
  }
  const { size: groups } = table;
  const isTooMany = groups > job.groupsMax;
  const kept = isTooMany ? 0 : groups;
  return {
    segments: taken,
    result: {
      groups,
      keys: isTooMany ? [] : table.keys(),
      counts: counts.result(kept),
      figures: isTooMany ? [] : figures.map((each) => each.result(kept)),
      distincts: isTooMany ? [] : distincts.map((each) => each.result(kept)),
    },
  };
}
