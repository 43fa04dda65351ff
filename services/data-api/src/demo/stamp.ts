import { instantText } from './calendar.ts';

/** Who says so, and when it happened. */
export interface Stamp {
  readonly source: string;
  readonly occurredAt: string;
}

/** The source of every line of a demonstration world. */
export const demonstrationSource = 'demonstration';

/** A stamp of a day; `second` is any whole number, from which the time of day is taken. */
export function stampOf(day: number, second: number): Stamp {
  return {
    source: demonstrationSource,
    occurredAt: instantText(day, 21_600 + (second % 57_600)),
  };
}

/** Keys by which the source knows its records. */
export const startupKey = (index: number): string => `startup-${index}`;
export const fundKey = (index: number): string => `fund-${index}`;
export const roundKey = (startup: number, number: number): string => `round-${startup}-${number}`;
