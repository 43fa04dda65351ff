/** Where the marks of a chart are, in pixels. */
import { scaleBand, scaleLinear } from 'd3-scale';
import { type FiguresView, type Group, shown } from './figures.ts';

export interface Mark {
  readonly label: string;
  readonly value: number | null;
  readonly isPartial: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const DRAWN_HEIGHT = 240;
const COUNT_HEIGHT = 72;
const TITLE_HEIGHT = 34;
const AXIS_HEIGHT = 24;
const LABEL_WIDTH_MIN = 48;
const COLUMN_WIDTH_MAX = 56;

/** Columns of the drawn figure by time, and below them the number of records. */
export function columnsOf(view: FiguresView, width: number) {
  const left = width < 480 ? 50 : 56;
  const count = view.figures.findIndex(({ title }) => title.startsWith('Number of'));
  const indexes = view.drawn === count || count < 0 ? [view.drawn] : [view.drawn, count];
  const labels = view.groups.map(({ label }) => label);
  const x = scaleBand(labels, [left, width]).padding(labels.length > 60 ? 0.1 : 0.2);
  const columnWidth = Math.min(x.bandwidth(), COLUMN_WIDTH_MAX);
  let top = indexes.length > 1 ? TITLE_HEIGHT : 12;
  const panels = indexes.map((figure, place) => {
    const height = place === 0 ? DRAWN_HEIGHT : COUNT_HEIGHT;
    const panel = panelOf(view, { figure, top, height, ticks: place === 0 ? 5 : 2 });
    const marks = view.groups.map((group, index): Mark => {
      const value = group.figures[figure] ?? null;
      const y = panel.y(Math.max(value ?? 0, 0));
      return {
        ...{ label: group.label, isPartial: group.isPartial, value, y, width: columnWidth },
        x: (x(labels[index] ?? '') ?? left) + (x.bandwidth() - columnWidth) / 2,
        height: top + height - y,
      };
    });
    const drawn = { title: view.figures[figure]?.title ?? '', top, ticks: panel.ticks, marks };
    top += height + TITLE_HEIGHT;
    return drawn;
  });
  const bottom = top - TITLE_HEIGHT;
  return {
    ...{ panels, left, bottom, height: bottom + AXIS_HEIGHT },
    marks: panels[0]?.marks ?? [],
    ticks: yearTicks(view.groups, (label) => x(label) ?? left, width),
    /** The group at a distance from the left. */
    at: (distance: number): number | undefined => {
      const index = Math.floor((distance - left) / x.step());
      return index >= 0 && index < labels.length ? index : undefined;
    },
  };
}

interface Panel {
  readonly figure: number;
  readonly top: number;
  readonly height: number;
  readonly ticks: number;
}

function panelOf({ groups, figures }: FiguresView, { figure, top, height, ticks }: Panel) {
  const greatest = Math.max(0, ...groups.map(({ figures: all }) => all[figure] ?? 0));
  const y = scaleLinear([0, greatest || 1], [top + height, top]).nice(ticks);
  const unit = figures[figure]?.unit ?? 'number';
  const whole = (value: number) => unit === 'usd' || Number.isInteger(value);
  return {
    y,
    ticks: y
      .ticks(ticks)
      .filter(whole)
      .map((value) => ({ y: y(value), text: shown(value, unit, 'short') })),
  };
}

/** One label where a year begins, at least 48 pixels apart. */
function yearTicks(groups: readonly Group[], xOf: (label: string) => number, width: number) {
  const starts = groups.filter(
    ({ label }, index) => label.slice(0, 4) !== groups[index - 1]?.label.slice(0, 4),
  );
  let free = 0;
  return starts.flatMap(({ label }) => {
    const x = xOf(label);
    if (x < free || x + LABEL_WIDTH_MIN * 0.75 > width) return [];
    free = x + LABEL_WIDTH_MIN;
    return [{ x, text: label.slice(0, 4) }];
  });
}

const BARS_MAX = 15;
const BAR_HEIGHT = 20;
const BAR_STEP = 30;
const CHARACTER_WIDTH = 8;
const VALUE_WIDTH = 64;

/** The first groups as bars from left to right. */
export function barsOf({ groups, figures, drawn }: FiguresView, width: number) {
  const first = groups.slice(0, BARS_MAX);
  const unit = figures[drawn]?.unit ?? 'number';
  // Labels of two keys have more to say than fits beside wide bars.
  const hasPairs = first.some(({ label }) => label.includes(' · '));
  const longest = Math.max(...first.map(({ label }) => label.length), 4);
  const left = Math.min(
    longest * CHARACTER_WIDTH + 16,
    Math.floor(width * (hasPairs ? 0.46 : 0.36)),
  );
  const fits = Math.floor((left - 12) / CHARACTER_WIDTH);
  const greatest = Math.max(0, ...first.map(({ figures: all }) => all[drawn] ?? 0));
  const x = scaleLinear([0, greatest || 1], [0, width - left - VALUE_WIDTH]);
  return {
    ...{ left, height: first.length * BAR_STEP + 4 },
    marks: first.map(({ label, figures: all, isPartial }, index) => {
      const value = all[drawn] ?? null;
      return {
        ...{ label, isPartial, value, x: left, y: index * BAR_STEP + 5, height: BAR_HEIGHT },
        width: Math.max(x(Math.max(value ?? 0, 0)), value === null ? 0 : 1),
        text: label.length > fits ? `${label.slice(0, fits - 1).trimEnd()}…` : label,
        shown: shown(value, unit, 'short'),
      };
    }),
    /** The group at a distance from the top. */
    at: (distance: number): number | undefined => {
      const index = Math.floor(distance / BAR_STEP);
      return index >= 0 && index < first.length ? index : undefined;
    },
  };
}
