import type { Period } from '@vcds/metering';
import { type Html, html } from './html.ts';

const COUNT = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const TIME = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** As in "10,000". */
export function countText(count: number): string {
  return COUNT.format(count);
}

/** As in "1 credit" or "10,000 credits". */
export function creditsText(count: number): string {
  return count === 1 ? '1 credit' : `${countText(count)} credits`;
}

/** As in "1 Dec 2026", in UTC. */
export function day(instant: Date): Html {
  return html`<time datetime="${instant.toISOString()}">${DAY.format(instant)}</time>`;
}

/** As in "21 Nov 2026, 10:13:07 UTC". */
export function moment(instant: Date): Html {
  const text = `${DAY.format(instant)}, ${TIME.format(instant)} UTC`;
  return html`<time datetime="${instant.toISOString()}">${text}</time>`;
}

/** As in "November 2026". */
export function monthText(period: Period): string {
  return MONTH.format(new Date(Date.UTC(Math.trunc(period / 100), (period % 100) - 1, 1)));
}

/** As in "2026-11": a month in an address. */
export function monthParameter(period: Period): string {
  return `${Math.trunc(period / 100)}-${String(period % 100).padStart(2, '0')}`;
}

/** The month of an address, or undefined when it is none. */
export function parseMonth(text: string | undefined): Period | undefined {
  const [, year, month] = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/.exec(text ?? '') ?? [];
  return year === undefined ? undefined : Number(year) * 100 + Number(month);
}
