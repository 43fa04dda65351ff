/** Days as integers, counted from 1970-01-01 in UTC. */
export const DAY_MS = 86_400_000;

/** A day as `YYYY-MM-DD`. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** An instant of a day as ISO 8601 in UTC; `second` counts from midnight. */
export const instantOf = (day: number, second: number): string =>
  `${new Date(day * DAY_MS + second * 1000).toISOString().slice(0, 19)}Z`;

export const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();

/** The day of a date `YYYY-MM-DD`. Throws a RangeError for any other text. */
export function dayOf(date: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Engines may read 30 February as 2 March.
  if (Number.isNaN(ms) || dateOf(ms / DAY_MS) !== date) {
    throw new RangeError(`"${date}" is not a date of the form YYYY-MM-DD`);
  }
  return ms / DAY_MS;
}
