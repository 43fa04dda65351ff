/** Counts rejected lines by cause: those with one reason but for the values in it. */
import { cutText } from '@vcds/service-kit/cut-text';
import type { Rejection } from './rejections.ts';

/** Lines that are rejected for one cause. */
export interface RejectionCause {
  /** The type of their records, if known. */
  readonly type: string | undefined;
  /** The reason of the first of them. */
  readonly reason: string;
  readonly file: string;
  readonly line: number;
  readonly lines: number;
  /** Whether they refer to records of other rejected lines, so that these are the cause. */
  readonly follows: boolean;
}

/** Further causes are counted as the last one. */
const CAUSES_MAX = 1000;
const REASON_LENGTH_MAX = 300;

/** The causes of an import; their number is bounded. */
export class Causes {
  readonly #byForm = new Map<string, RejectionCause & { lines: number }>();

  add(file: string, { line, type, field, reason }: Rejection, follows: boolean): void {
    const key = JSON.stringify([type, field, formOf(reason)]);
    const form = this.#byForm.size < CAUSES_MAX || this.#byForm.has(key) ? key : 'others';
    const counted = this.#byForm.get(form);
    if (counted !== undefined) counted.lines += 1;
    else {
      const first = cutText(reason, REASON_LENGTH_MAX);
      this.#byForm.set(form, { type, reason: first, file, line, lines: 1, follows });
    }
  }

  /** The most frequent first, those that follow from others last. */
  get list(): readonly RejectionCause[] {
    return [...this.#byForm.values()].sort(
      (a, b) => Number(a.follows) - Number(b.follows) || b.lines - a.lines,
    );
  }
}

/** A reason without its values: quoted texts and numbers. */
function formOf(reason: string): string {
  return reason.replace(/"(?:[^"\\]|\\.)*"?|\d+/gu, '…');
}
