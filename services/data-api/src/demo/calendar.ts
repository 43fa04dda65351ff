/** Days as whole numbers, counted from 1970-01-01 in UTC, and how they are written. */

export const dayMs = 86_400_000;

/** The number of a day written `YYYY-MM-DD`. Throws a RangeError for anything else. */
export function dayOf(date: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // An engine may take the thirtieth of February for the second of March.
  if (Number.isNaN(ms) || dateText(ms / dayMs) !== date) {
    throw new RangeError(`"${date}" is no date of the form YYYY-MM-DD`);
  }
  return ms / dayMs;
}

/** A day as `YYYY-MM-DD`. */
export function dateText(day: number): string {
  const { year, month, dayOfMonth } = civil(day);
  return `${year}-${two(month)}-${two(dayOfMonth)}`;
}

/** An instant of a day as ISO 8601 in UTC. */
export function instantText(day: number, secondOfDay: number): string {
  const hours = Math.floor(secondOfDay / 3600);
  const minutes = Math.floor(secondOfDay / 60) % 60;
  return `${dateText(day)}T${two(hours)}:${two(minutes)}:${two(secondOfDay % 60)}Z`;
}

export function yearOf(day: number): number {
  return civil(day).year;
}

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** Years begin in March here, so that the leap day is the last (Howard Hinnant's `civil_from_days`). */
function civil(day: number): { year: number; month: number; dayOfMonth: number } {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}
