/** Collect the numbers of the records of each group, segment by segment. */
import type { GroupedFigure, JobDistinct, JobFigure } from './aggregate-job.ts';
import { withRoom } from './arrays.ts';
import type { GroupedRecords } from './group-records.ts';
import { percentile } from './percentiles.ts';
import type { SegmentView } from './segment.ts';
import { dimensionReader, linkReader, type ValueReader } from './value-readers.ts';

/** Numbers with a group of each. */
class NumberPairs {
  length = 0;
  #groups = new Uint32Array(1_024);
  #numbers = new Float64Array(1_024);

  add(group: number, number: number): void {
    this.#groups = withRoom(this.#groups, this.length + 1);
    this.#numbers = withRoom(this.#numbers, this.length + 1);
    this.#groups[this.length] = group;
    this.#numbers[this.length] = number;
    this.length += 1;
  }

  /** The numbers of each group, of which there are `groups`. */
  byGroup(groups: number): readonly Float64Array[] {
    const ends = new Uint32Array(groups + 1);
    for (let i = 0; i < this.length; i++) {
      const next = (this.#groups[i] as number) + 1;
      ends[next] = (ends[next] as number) + 1;
    }
    for (let group = 0; group < groups; group++) {
      ends[group + 1] = (ends[group + 1] as number) + (ends[group] as number);
    }
    const starts = ends.slice();
    const sorted = new Float64Array(this.length);
    for (let i = 0; i < this.length; i++) {
      const group = this.#groups[i] as number;
      const at = starts[group] as number;
      sorted[at] = this.#numbers[i] as number;
      starts[group] = at + 1;
    }
    return Array.from({ length: groups }, (_, group) =>
      sorted.subarray(ends[group], ends[group + 1]),
    );
  }
}

/** Sums of the numbers of groups. */
class Sums {
  known = new Float64Array(1_024);
  sum = new Float64Array(1_024);
  min = new Float64Array(1_024).fill(Number.POSITIVE_INFINITY);
  max = new Float64Array(1_024).fill(Number.NEGATIVE_INFINITY);

  reserve(groups: number): void {
    const length = this.known.length;
    if (groups <= length) return;
    this.known = withRoom(this.known, groups);
    this.sum = withRoom(this.sum, groups);
    this.min = withRoom(this.min, groups).fill(Number.POSITIVE_INFINITY, length);
    this.max = withRoom(this.max, groups).fill(Number.NEGATIVE_INFINITY, length);
  }

  add(group: number, number: number): void {
    this.known[group] = (this.known[group] as number) + 1;
    this.sum[group] = (this.sum[group] as number) + number;
    if (number < (this.min[group] as number)) this.min[group] = number;
    if (number > (this.max[group] as number)) this.max[group] = number;
  }
}

/** The number of records of each group, and of all. */
export class RecordsOfGroups {
  #counts = new Float64Array(1_024);
  #all = 0;

  add(_: SegmentView, { groups, length }: GroupedRecords, size: number): void {
    this.#counts = withRoom(this.#counts, size);
    for (let i = 0; i < length; i++) {
      const group = groups[i] as number;
      this.#counts[group] = (this.#counts[group] as number) + 1;
    }
  }

  addAll(_: SegmentView, __: Uint16Array, count: number): void {
    this.#all += count;
  }

  /** Of so many groups, and last of all. */
  result(groups: number): Float64Array {
    return withLast(this.#counts, groups, Float64Array.of(this.#all));
  }
}

/** A figure of the records of each group, and of all records. */
export class FigureOfGroups {
  readonly #job: JobFigure;
  readonly #sums = new Sums();
  readonly #ofAll = new Sums();
  readonly #pairs = new NumberPairs();
  readonly #pairsOfAll = new NumberPairs();

  constructor(job: JobFigure) {
    this.#job = job;
  }

  /** @param groups that there are by now. */
  add(segment: SegmentView, grouped: GroupedRecords, groups: number): void {
    const figures = segment.figures[this.#job.figure];
    if (figures === undefined) return;
    this.#sums.reserve(groups);
    const isRanked = this.#job.percentiles.length > 0;
    for (let i = 0; i < grouped.length; i++) {
      const figure = figures[grouped.records[i] as number] as number;
      if (Number.isNaN(figure)) continue;
      const group = grouped.groups[i] as number;
      this.#sums.add(group, figure);
      if (isRanked) this.#pairs.add(group, figure);
    }
  }

  /** Adds the first `count` of some records to those of all. */
  addAll(segment: SegmentView, records: Uint16Array, count: number): void {
    const figures = segment.figures[this.#job.figure];
    if (figures === undefined) return;
    const isRanked = this.#job.percentiles.length > 0;
    for (let i = 0; i < count; i++) {
      const figure = figures[records[i] as number] as number;
      if (Number.isNaN(figure)) continue;
      this.#ofAll.add(0, figure);
      if (isRanked) this.#pairsOfAll.add(0, figure);
    }
  }

  /** Of so many groups, and last of all. */
  result(groups: number): GroupedFigure {
    this.#sums.reserve(groups);
    const of = (pick: (sums: Sums) => Float64Array) =>
      withLast(pick(this.#sums), groups, pick(this.#ofAll));
    const numbers = [...this.#pairs.byGroup(groups), ...this.#pairsOfAll.byGroup(1)];
    const known = of((sums) => sums.known);
    const orNone = (each: Float64Array) =>
      each.map((one, group) => (known[group] === 0 ? NaN : one));
    return {
      known,
      sum: orNone(of((sums) => sums.sum)),
      min: orNone(of((sums) => sums.min)),
      max: orNone(of((sums) => sums.max)),
      percentiles: this.#job.percentiles.map((share) =>
        Float64Array.from(numbers, (each) => percentile(each, share)),
      ),
    };
  }
}

/** The number of different numbers of a figure. */
export class DistinctFigures {
  readonly #figure: number;
  readonly #pairs = new NumberPairs();
  readonly #pairsOfAll = new NumberPairs();

  constructor(figure: number) {
    this.#figure = figure;
  }

  add(segment: SegmentView, { records, groups, length }: GroupedRecords): void {
    const figures = segment.figures[this.#figure];
    for (let i = 0; i < length; i++) {
      const figure = figures?.[records[i] as number] ?? Number.NaN;
      if (!Number.isNaN(figure)) this.#pairs.add(groups[i] as number, figure);
    }
  }

  addAll(segment: SegmentView, records: Uint16Array, count: number): void {
    const figures = segment.figures[this.#figure];
    for (let i = 0; i < count; i++) {
      const figure = figures?.[records[i] as number] ?? Number.NaN;
      if (!Number.isNaN(figure)) this.#pairsOfAll.add(0, figure);
    }
  }

  /** Of so many groups, and last of all. */
  result(groups: number): Float64Array {
    const lists = [...this.#pairs.byGroup(groups), ...this.#pairsOfAll.byGroup(1)];
    return Float64Array.from(lists, (numbers) => {
      const sorted = numbers.sort();
      return sorted.reduce((count, each, at) => count + Number(each !== sorted[at - 1]), 0);
    });
  }
}

/** The number of different values of a dimension, or of different targets of links. */
export class DistinctValues {
  readonly #job: Exclude<JobDistinct, { kind: 'figure' }>;
  readonly #pairs = new NumberPairs();
  readonly #seen: Uint32Array;
  #all = 0;

  constructor(job: Exclude<JobDistinct, { kind: 'figure' }>) {
    this.#job = job;
    this.#seen = new Uint32Array(job.size + 1);
  }

  add(segment: SegmentView, grouped: GroupedRecords): void {
    const reader = this.#reader(segment);
    for (let i = 0; i < grouped.length; i++) {
      const count = reader.read(grouped.records[i] as number);
      const group = grouped.groups[i] as number;
      for (let v = 0; v < count; v++) this.#pairs.add(group, reader.values[v] as number);
    }
  }

  addAll(segment: SegmentView, records: Uint16Array, count: number): void {
    const reader = this.#reader(segment);
    for (let i = 0; i < count; i++) {
      const values = reader.read(records[i] as number);
      for (let v = 0; v < values; v++) this.#addToAll(reader.values[v] as number);
    }
  }

  /** Of so many groups, and last of all. */
  result(groups: number): Float64Array {
    const seen = this.#seen.fill(0);
    const counts = Float64Array.from(this.#pairs.byGroup(groups), (values, group) => {
      let distinct = 0;
      for (const value of values) {
        if (seen[value] === group + 1) continue;
        seen[value] = group + 1;
        distinct += 1;
      }
      return distinct;
    });
    return withLast(counts, groups, Float64Array.of(this.#all));
  }

  #reader(segment: SegmentView): ValueReader {
    const job = this.#job;
    if (job.kind === 'links') return linkReader(segment, job.links);
    return dimensionReader(segment, job.dimension);
  }

  #addToAll(value: number): void {
    if (this.#seen[value] === 1) return;
    this.#seen[value] = 1;
    this.#all += 1;
  }
}

/** The first `length` numbers, and the first of others. */
function withLast(numbers: Float64Array, length: number, [last = 0]: Float64Array): Float64Array {
  const all = new Float64Array(length + 1);
  all.set(numbers.subarray(0, length));
  all[length] = last;
  return all;
}
