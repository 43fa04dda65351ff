import type { Period } from '@vcds/metering';
import type { DaySum } from '../credits/usage-sums.ts';
import { countText, creditsText } from './format.ts';
import { type Html, html } from './html.ts';

/** Endpoints with their own color; the others share one. The stylesheet has the colors. */
export const SERIES_MAX = 6;
/**
 * Above this multiple of the highest column, a line for the allowance would flatten the columns.
 */
const SCALE_FACTOR_MAX = 3;
const HEIGHT = 100;
const GAP = 0.14;

export interface UsageChartInput {
  readonly period: Period;
  readonly days: readonly DaySum[];
  /** Credits a month. */
  readonly allowance: number;
}

/** One color of the chart: an endpoint, or all endpoints without their own. */
interface Series {
  readonly className: string;
  readonly name: string;
  readonly charged: number;
}

/**
 * A picture of a month: credits by day as columns, stacked by endpoint, and a line where even use
 * of the allowance lies. The tables below it hold the same numbers, for those who do not see it.
 */
export function usageChart({ period, days, allowance }: UsageChartInput): Html {
  const dayCount = daysOf(period);
  const series = seriesOf(days);
  const columns = stack(days, series, dayCount);
  const highest = Math.max(...columns.map(({ total }) => total));
  const pace = allowance / dayCount;
  const showsPace = pace <= highest * SCALE_FACTOR_MAX;
  const top = niceCeiling(showsPace ? Math.max(highest, pace) : highest);
  const y = (credits: number): number => round(HEIGHT - (credits / top) * HEIGHT);
  const paceText = `${creditsText(Math.floor(pace))} a day`;
  const summary =
    `Credits by day. Highest day: ${countText(highest)}. ` +
    `The allowance, used evenly: ${paceText}.`;
  return html`<figure class="chart">
<figcaption>Credits by day, UTC</figcaption>
<p class="scale" aria-hidden="true">${countText(top)}</p>
<svg viewBox="0 0 ${dayCount} ${HEIGHT}" preserveAspectRatio="none" role="img"
aria-label="${summary}">
${columns.flatMap(({ parts }) => parts.map((part) => rectangle(part, y)))}
${showsPace ? paceLine(y(pace), dayCount) : undefined}
</svg>
<p class="days d${dayCount}" aria-hidden="true">${[1, 8, 15, 22, 29]
    .filter((day) => day <= dayCount)
    .map((day) => html`<span>${day}</span>`)}</p>
<ul class="legend">
${series.map(({ className, name }) => html`<li><span class="swatch ${className}"></span>${name}</li>`)}
<li>${showsPace ? html`<span class="swatch pace"></span>` : undefined}Allowance, used evenly:
${paceText}${showsPace ? undefined : ' (above this scale)'}</li>
</ul>
</figure>`;
}

/** Endpoints, highest sum first; from the last color on, one series for the rest. */
function seriesOf(days: readonly DaySum[]): Series[] {
  const byEndpoint = new Map<string, number>();
  for (const { endpoint, charged } of days) {
    byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + charged);
  }
  const sorted = [...byEndpoint].sort(([, a], [, b]) => b - a);
  const own = sorted.length > SERIES_MAX ? sorted.slice(0, SERIES_MAX - 1) : sorted;
  const rest = sorted.slice(own.length);
  const named = own.map(([name, charged], i) => ({ className: `series-${i}`, name, charged }));
  if (rest.length === 0) return named;
  const charged = rest.reduce((sum, [, credits]) => sum + credits, 0);
  const name = `${rest.length} other endpoints`;
  return [...named, { className: `series-${SERIES_MAX - 1}`, name, charged }];
}

interface Part {
  readonly day: number;
  readonly className: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface DayColumn {
  readonly total: number;
  readonly parts: readonly Part[];
}

function stack(
  days: readonly DaySum[],
  series: readonly Series[],
  dayCount: number,
): readonly DayColumn[] {
  const rest = series.at(-1);
  const seriesOfEndpoint = new Map(series.map((one) => [one.name, one]));
  return Array.from({ length: dayCount }, (_, index) => {
    const credits = new Map<Series, number>();
    for (const { day, endpoint, charged } of days) {
      const one = seriesOfEndpoint.get(endpoint) ?? rest;
      if (day !== index + 1 || one === undefined) continue;
      credits.set(one, (credits.get(one) ?? 0) + charged);
    }
    let total = 0;
    const parts = series.flatMap((one) => {
      const charged = credits.get(one) ?? 0;
      const from = total;
      total += charged;
      const { className, name } = one;
      return charged === 0 ? [] : [{ day: index + 1, className, name, from, to: total }];
    });
    return { total, parts };
  });
}

function rectangle({ day, className, name, from, to }: Part, y: (credits: number) => number): Html {
  const x = round(day - 1 + GAP);
  const height = round(y(from) - y(to));
  return html`<rect class="${className}" x="${x}" y="${y(to)}" width="${round(1 - 2 * GAP)}"
height="${height}"><title>${day}: ${name}, ${creditsText(to - from)}</title></rect>`;
}

function paceLine(y: number, dayCount: number): Html {
  return html`<line class="pace" x1="0" x2="${dayCount}" y1="${y}" y2="${y}"
vector-effect="non-scaling-stroke"/>`;
}

/** The next round number: one or two digits, then zeros. */
function niceCeiling(credits: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, credits)));
  return (
    [1, 1.5, 2, 3, 4, 5, 6, 8, 10]
      .map((factor) => factor * power)
      .find((nice) => nice >= credits) ?? credits
  );
}

function daysOf(period: Period): number {
  return new Date(Date.UTC(Math.trunc(period / 100), period % 100, 0)).getUTCDate();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
