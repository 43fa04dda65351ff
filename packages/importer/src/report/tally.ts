import type { AppliedByType } from '../apply/apply-chunk.ts';
import type { Note } from '../errors/line-error.ts';
import type { RecordType } from '../records/kinds.ts';
import { Causes } from './causes.ts';
import {
  COUNT_NAMES,
  type Counts,
  type LongRow,
  type LongRows,
  type NoteCount,
  type SkipCount,
  type UnknownTexts,
} from './import-report.ts';

type MutableCounts = { -readonly [K in keyof Counts]: number };

const noCounts = () => Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as MutableCounts;

const LONG_ROWS_LISTED = 10;
const COUNTRIES_LISTED = 20;
/** Further texts are not counted. */
const COUNTRIES_MAX = 10_000;

/** Counts the outcomes of an import; its size does not depend on the number of lines. */
export class Tally {
  readonly #counts = new Map<RecordType | 'unreadable', MutableCounts>();
  readonly #notes = new Map<string, NoteCount & { lines: number }>();
  readonly #skipped = new Map<string, number>();
  readonly causes = new Causes();
  readonly #countries = new Map<string, number>();
  readonly #longRows: LongRow[] = [];
  #longRowsCount = 0;

  add(type: RecordType | 'unreadable', name: keyof Counts, lines = 1): void {
    this.#of(type)[name] += lines;
  }

  applied(byType: AppliedByType): void {
    for (const [type, { lines: _, ...outcomes }] of byType) {
      const counts = this.#of(type);
      for (const name of Object.keys(outcomes) as (keyof typeof outcomes)[]) {
        counts[name] += outcomes[name];
      }
    }
  }

  note(type: string, { field, kind, done }: Note, lines = 1): void {
    if (lines === 0) return;
    const key = `${type} ${field} ${kind} ${done}`;
    const counted = this.#notes.get(key);
    if (counted === undefined) this.#notes.set(key, { type, field, kind, done, lines });
    else counted.lines += lines;
  }

  /** Counts a text that names no country. */
  unknownCountry(text: string): void {
    const known = this.#countries.get(text);
    if (known !== undefined || this.#countries.size < COUNTRIES_MAX) {
      this.#countries.set(text, (known ?? 0) + 1);
    }
  }

  get unknownCountries(): UnknownTexts {
    const counted = [...this.#countries].map(([text, lines]) => ({ text, lines }));
    const first = counted.sort((a, b) => b.lines - a.lines).slice(0, COUNTRIES_LISTED);
    return { texts: counted.length, first };
  }

  skip(because: string): void {
    this.#skipped.set(because, (this.#skipped.get(because) ?? 0) + 1);
  }

  longRow({ file, line, lines, column, quoteLine }: LongRow): void {
    this.#longRowsCount += 1;
    if (this.#longRows.length === LONG_ROWS_LISTED) return;
    this.#longRows.push({ file, line, lines, column, quoteLine });
  }

  get longRows(): LongRows {
    return { rows: this.#longRowsCount, first: this.#longRows };
  }

  get byType(): ReadonlyMap<RecordType | 'unreadable', Counts> {
    return this.#counts;
  }

  get total(): Counts {
    const total = noCounts();
    for (const counts of this.#counts.values()) {
      for (const name of COUNT_NAMES) total[name] += counts[name];
    }
    return total;
  }

  /** The number of lines to apply: neither rejected nor known to change nothing. */
  get toApply(): number {
    return toApply(this.total);
  }

  /** The same of one type. */
  toApplyOf(type: RecordType): number {
    return toApply(this.#of(type));
  }

  get notes(): readonly NoteCount[] {
    return [...this.#notes.values()];
  }

  get skipped(): readonly SkipCount[] {
    return [...this.#skipped].map(([because, rows]) => ({ because, rows }));
  }

  #of(type: RecordType | 'unreadable'): MutableCounts {
    let counts = this.#counts.get(type);
    if (counts === undefined) {
      counts = noCounts();
      this.#counts.set(type, counts);
    }
    return counts;
  }
}

const toApply = ({ read, rejected, duplicate, unchanged }: Counts): number =>
  read - rejected - duplicate - unchanged;
