import { isDay, toUtc } from '@vcds/odata-query';

/** An instant as exports of other programs write it. */
const EXPORTED =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?:(:\d{2})(?:[.,](\d{1,12}))?)?(?:[Zz]|([+-]\d{2}):?(\d{2})?)?$/u;
const SECOND_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;

/**
 * A date or an instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`, cut to milliseconds; undefined for any other
 * text. Accepts what filters accept (`toUtc`) and, as exports write it, a space for the `T`, a comma
 * in the seconds, more than six decimals, and offsets such as `+0130` and `+01`.
 */
export function readInstant(text: string): string | undefined {
  const [, day, time, second = '', decimals = '0', hours, minutes = '00'] =
    EXPORTED.exec(text) ?? [];
  const fraction = second === '' ? '' : `.${decimals.slice(0, 3)}`;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const utc = toUtc(day === undefined ? text : `${day}T${time}${second}${fraction}${zone}`);
  if (utc === undefined) return undefined;
  const milliseconds = utc.slice(SECOND_LENGTH + 1, -1).padEnd(3, '0');
  return `${utc.slice(0, SECOND_LENGTH)}.${milliseconds}Z`;
}

/** A day, or the UTC day of an instant. */
export function readDay(text: string): string | undefined {
  return isDay(text) ? text : readInstant(text)?.slice(0, 10);
}
