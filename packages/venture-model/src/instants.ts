/** Days and instants in ISO 8601, checked against the calendar. */

const DAY_FORM = /^(\d{4})-(\d{2})-(\d{2})$/u;
const INSTANT_FORM =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/u;

/** `YYYY-MM-DD` of a day that exists, from the year 1. */
export function isDay(text: string): boolean {
  const parts = DAY_FORM.exec(text);
  if (parts === null) return false;
  const [, year = '', month = '', day = ''] = parts;
  return Number(year) >= 1 && dayExists(Number(year), Number(month), Number(day));
}

/** Whether the proleptic Gregorian calendar has the day. */
export function dayExists(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year % 400 || 400, month, 0)).getUTCDate();
}

/**
 * An instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`; without a zone it is UTC, a bare day is its first
 * moment. Fractions are cut to milliseconds. Undefined for anything else.
 */
export function readInstant(text: string): string | undefined {
  if (isDay(text)) return `${text}T00:00:00.000Z`;
  const parts = INSTANT_FORM.exec(text);
  if (parts === null) return undefined;
  const [, day = '', hour = '', minute = '', second = '00', fraction = '', zone = 'Z'] = parts;
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined;
  }
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zoneOffset(zone);
  if (offset === undefined) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const instant = new Date(`${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  const iso = instant.toISOString();
  return DAY_FORM.test(iso.slice(0, 10)) && iso >= '0001' ? iso : undefined;
}

/** A day, or the UTC day of an instant. */
export function readDay(text: string): string | undefined {
  return isDay(text) ? text : readInstant(text)?.slice(0, 10);
}

function zoneOffset(zone: string): string | undefined {
  const hours = zone.slice(1, 3);
  const minutes = zone.slice(3).replace(':', '') || '00';
  return Number(hours) > 18 || Number(minutes) > 59 ? undefined : `${zone[0]}${hours}:${minutes}`;
}
