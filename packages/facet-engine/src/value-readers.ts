/** Read the values of the records of a segment one by one. */
import { withRoom } from './arrays.ts';
import {
  FIRST_SET,
  FREE_SLOTS,
  type SegmentView,
  type SetColumn,
  type SlotColumn,
} from './segment.ts';

/** The values of one record at a time. */
export abstract class ValueReader {
  /** Those of the last record read. */
  values = new Uint32Array(16);

  /** Reads a record; returns the number of its values. */
  abstract read(record: number): number;

  protected copy(from: Uint32Array, offsets: Uint32Array, list: number): number {
    const start = offsets[list] as number;
    const count = (offsets[list + 1] as number) - start;
    this.values = withRoom(this.values, count);
    for (let i = 0; i < count; i++) this.values[i] = from[start + i] as number;
    return count;
  }
}

/** The ordinals of a dimension. */
export function dimensionReader({ columns }: SegmentView, dimension: number): ValueReader {
  const column = columns[dimension];
  if (column === undefined) return new NoValues();
  return column.kind === 'slots' ? new SlotReader(column) : new SetReader(column);
}

/** The numbers of the targets of links. */
export function linkReader({ links }: SegmentView, index: number): ValueReader {
  const column = links[index];
  return column === undefined ? new NoValues() : new ListReader(column);
}

class NoValues extends ValueReader {
  read(): number {
    return 0;
  }
}

class SetReader extends ValueReader {
  readonly #column: SetColumn;

  constructor(column: SetColumn) {
    super();
    this.#column = column;
  }

  read(record: number): number {
    const { sets, offsets, values } = this.#column;
    return this.copy(values, offsets, sets[record] as number);
  }
}

class SlotReader extends ValueReader {
  readonly #column: SlotColumn;

  constructor(column: SlotColumn) {
    super();
    this.#column = column;
  }

  read(record: number): number {
    const { slots, width, offsets, values } = this.#column;
    const at = record * width;
    const set = (slots[at] as number) - FIRST_SET;
    if (set >= 0) return this.copy(values, offsets, set);
    let count = 0;
    for (; count < width && (slots[at + count] as number) >= FREE_SLOTS; count++) {
      this.values[count] = (slots[at + count] as number) - FREE_SLOTS;
    }
    return count;
  }
}

class ListReader extends ValueReader {
  readonly #column: { readonly offsets: Uint32Array; readonly targets: Uint32Array };

  constructor(column: { readonly offsets: Uint32Array; readonly targets: Uint32Array }) {
    super();
    this.#column = column;
  }

  read(record: number): number {
    return this.copy(this.#column.targets, this.#column.offsets, record);
  }
}
