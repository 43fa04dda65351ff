/** The keys by which records are grouped: dimensions, and units of time. */
import type { JobKey, TimeUnit } from './aggregate-job.ts';
import type { SegmentView } from './segment.ts';
import { dimensionReader, ValueReader } from './value-readers.ts';

const DAY_MS = 86_400_000;
const UNITS_OF_YEAR: Readonly<Record<TimeUnit, number>> = { year: 1, quarter: 4, month: 12 };
const YEAR_MAX = 9_999;
/** Of the days that a table has. */
const FIRST_DAY = Date.UTC(1900, 0, 1) / DAY_MS;
const LAST_DAY = Date.UTC(2100, 0, 1) / DAY_MS;

/** Above the highest number of a unit. */
export function timeSize(unit: TimeUnit): number {
  return YEAR_MAX * UNITS_OF_YEAR[unit];
}

/** The values of a key of the records of a segment. */
export function keyReader(key: JobKey, segment: SegmentView): ValueReader {
  if (key.kind === 'dimension') return dimensionReader(segment, key.dimension);
  return new TimeReader(segment.figures[key.figure] ?? new Float64Array(0), key.unit);
}

/** A unit of time as text: `2024`, `2024-Q1`, `2024-03`. */
export function timeText(number: number, unit: TimeUnit): string {
  const units = UNITS_OF_YEAR[unit];
  const year = String(Math.floor(number / units) + 1).padStart(4, '0');
  const part = (number % units) + 1;
  if (unit === 'year') return year;
  return unit === 'quarter' ? `${year}-Q${part}` : `${year}-${String(part).padStart(2, '0')}`;
}

class TimeReader extends ValueReader {
  readonly #days: Float64Array;
  readonly #unit: TimeUnit;
  readonly #table: Uint32Array;

  constructor(days: Float64Array, unit: TimeUnit) {
    super();
    this.#days = days;
    this.#unit = unit;
    tables[unit] ??= tableOf(unit);
    this.#table = tables[unit];
  }

  read(record: number): number {
    const day = this.#days[record] ?? Number.NaN;
    if (day >= FIRST_DAY && day < LAST_DAY) {
      this.values[0] = this.#table[day - FIRST_DAY] as number;
      return 1;
    }
    const number = numberOf(day, this.#unit);
    if (number === undefined) return 0;
    this.values[0] = number;
    return 1;
  }
}

const tables: Partial<Record<TimeUnit, Uint32Array>> = {};

function tableOf(unit: TimeUnit): Uint32Array {
  const days = { length: LAST_DAY - FIRST_DAY };
  return Uint32Array.from(days, (_, i) => numberOf(FIRST_DAY + i, unit) ?? 0);
}

/** The units of time from the first of year 1 to a day; undefined outside the years 1 to 9999. */
function numberOf(day: number, unit: TimeUnit): number | undefined {
  const date = new Date(day * DAY_MS);
  const year = date.getUTCFullYear();
  if (!(year >= 1 && year <= YEAR_MAX)) return undefined;
  const units = UNITS_OF_YEAR[unit];
  return (year - 1) * units + Math.floor((date.getUTCMonth() * units) / 12);
}
