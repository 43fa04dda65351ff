import type { JobKey } from './aggregate-job.ts';
import { withRoom } from './arrays.ts';
import { keyReader } from './group-keys.ts';
import type { GroupTable } from './group-table.ts';
import type { SegmentView } from './segment.ts';
import type { ValueReader } from './value-readers.ts';

/** Records of a segment with a group of each; a record is there once for each of its groups. */
export class GroupedRecords {
  records = new Uint16Array(1_024);
  groups = new Uint32Array(1_024);
  length = 0;
  readonly #keys: readonly JobKey[];
  readonly #table: GroupTable;
  #readers: readonly ValueReader[] = [];

  constructor(keys: readonly JobKey[], table: GroupTable) {
    this.#keys = keys;
    this.#table = table;
  }

  /** Groups the first `count` of some records of a segment. */
  read(segment: SegmentView, records: Uint16Array, count: number): void {
    this.length = 0;
    this.#readers = this.#keys.map((key) => keyReader(key, segment));
    for (let i = 0; i < count; i++) this.#add(records[i] as number, 0, 0);
  }

  /** Adds a record to each group that its values of the other keys make of a group by the first ones. */
  #add(record: number, level: number, group: number): void {
    const reader = this.#readers[level];
    if (reader === undefined) {
      this.records = withRoom(this.records, this.length + 1);
      this.groups = withRoom(this.groups, this.length + 1);
      this.records[this.length] = record;
      this.groups[this.length] = group;
      this.length += 1;
      return;
    }
    const count = reader.read(record);
    if (count === 0) this.#add(record, level + 1, this.#table.groupOf(level, group, 0));
    for (let i = 0; i < count; i++) {
      const number = 1 + (reader.values[i] as number);
      this.#add(record, level + 1, this.#table.groupOf(level, group, number));
    }
  }
}
