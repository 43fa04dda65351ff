/** The groups of an answer as a chart and its table show them. */
import { hasOwnOrder, isTime } from './calls.ts';
import { type Catalogue, ENTITIES, type Figure, type Unit } from './entities.ts';
import { type ExploreState, keysOf } from './state.ts';

/** The body of `/aggregates`. */
export interface Aggregates {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, unknown>>;
  readonly groups: number;
  readonly more: boolean;
  readonly narrowedBy: Readonly<Record<string, readonly unknown[]>>;
  readonly asOf: { readonly at: string };
}

export interface Group {
  /** The value to narrow by; undefined for a time and for records without a value. */
  readonly value: string | undefined;
  readonly label: string;
  /** In the order of the figures of the entity. */
  readonly figures: readonly (number | null)[];
  /** Whether the time has not ended. */
  readonly isPartial: boolean;
}

/** The content of a chart and its table. */
export interface FiguresView {
  readonly keyTitle: string;
  readonly figures: readonly { readonly title: string; readonly unit: Unit }[];
  /** The index of the figure that is drawn. */
  readonly drawn: number;
  readonly isTime: boolean;
  /** Every group that was answered, and times without a record. */
  readonly groups: readonly Group[];
  /** Records without a value of the key. */
  readonly unknown: Group | undefined;
  readonly total: Group;
  /** Groups that the answer left out. */
  readonly omitted: number;
}

/** Periods between two times that have no record are shown, up to this number. */
const PERIODS_MAX = 1_200;

/** How the rows of an answer are read. */
export interface Reading {
  /** The keys of a row; several are one label. */
  readonly by: readonly string[];
  readonly keyTitle: string;
  readonly figures: readonly Figure[];
  readonly drawn: number;
  /** Whether the order of the answer is kept. */
  readonly hasOwnOrder: boolean;
}

export function viewOf(answer: Aggregates, state: ExploreState, catalogue: Catalogue): FiguresView {
  const { figures } = ENTITIES[state.entity];
  const keys = keysOf(state.entity, catalogue);
  const drawn = figures.findIndex(({ name }) => name === state.figure);
  return viewOfRows(answer, {
    ...{ by: [state.by], figures, drawn: Math.max(0, drawn) },
    keyTitle: keys.find(([key]) => key === state.by)?.[1] ?? state.by,
    hasOwnOrder: hasOwnOrder(state, catalogue),
  });
}

export function viewOfRows(answer: Aggregates, reading: Reading): FiguresView {
  const { by, figures, drawn, keyTitle } = reading;
  const numbersOf = (row: Readonly<Record<string, unknown>>) =>
    figures.map(({ name }) => (typeof row[name] === 'number' ? (row[name] as number) : null));
  const isUnknown = (row: Readonly<Record<string, unknown>>) => by.some((key) => row[key] === null);
  const none = by.length === 1 ? answer.rows.find(isUnknown) : undefined;
  const [only = ''] = by;
  const time = by.length === 1 && isTime(only);
  const empty = figures.map(({ name }) => (isAdded(name) ? 0 : null));
  const groups = answer.rows
    .filter((row) => !isUnknown(row))
    .map((row) => {
      const label = by.map((key) => labelOf(row[key])).join(' · ');
      return {
        ...{ value: time ? undefined : narrowingOf(row[only]), label, figures: numbersOf(row) },
        isPartial: time && endOf(label) > Date.parse(answer.asOf.at),
      };
    });
  return {
    figures: figures.map(({ title, unit }) => ({ title, unit })),
    ...{ keyTitle, drawn, isTime: time },
    groups: time ? withGaps(inTime(groups), empty) : ordered(groups, drawn, reading.hasOwnOrder),
    unknown: none && { ...NOTHING, label: 'Not stated', figures: numbersOf(none) },
    total: { ...NOTHING, label: 'All together', figures: numbersOf(answer.total) },
    omitted: answer.groups - answer.rows.length,
  };
}

function inTime(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((one, other) => (one.label < other.label ? -1 : 1));
}

const NOTHING = { value: undefined, isPartial: false } as const;
const isAdded = (name: string) => name === 'count' || name.startsWith('sum(');

/** An investor has an id and a name. */
function labelOf(key: unknown): string {
  const name = (key as { readonly Name?: unknown } | null)?.Name;
  return String(name ?? key);
}
function narrowingOf(key: unknown): string {
  const id = (key as { readonly Id?: unknown } | null)?.Id;
  return String(id ?? key);
}

function ordered(groups: readonly Group[], drawn: number, isScale: boolean): readonly Group[] {
  if (isScale) return groups;
  const rank = ({ figures }: Group) => figures[drawn] ?? Number.NEGATIVE_INFINITY;
  return groups.toSorted((one, other) => rank(other) - rank(one) || 0);
}

function withGaps(groups: readonly Group[], figures: Group['figures']): readonly Group[] {
  const [first, last] = [groups[0], groups.at(-1)];
  if (first === undefined || last === undefined) return groups;
  const byLabel = new Map(groups.map((group) => [group.label, group]));
  const filled: Group[] = [];
  for (let label = first.label; label <= last.label; label = nextPeriod(label)) {
    if (filled.length === PERIODS_MAX) return groups;
    filled.push(byLabel.get(label) ?? { ...NOTHING, label, figures });
  }
  return filled;
}

/** `2024`, `2024-Q1` or `2024-03`, and the next one. */
export function nextPeriod(label: string): string {
  const year = Number(label.slice(0, 4));
  const isQuarter = label.includes('Q');
  if (label.length === 4) return String(year + 1).padStart(4, '0');
  const part = Number(label.slice(isQuarter ? 6 : 5));
  const isLast = part === (isQuarter ? 4 : 12);
  const nextYear = String(isLast ? year + 1 : year).padStart(4, '0');
  const next = isLast ? 1 : part + 1;
  return `${nextYear}-${isQuarter ? `Q${next}` : String(next).padStart(2, '0')}`;
}

/** The instant at which a period ends, in ms. */
function endOf(label: string): number {
  const next = nextPeriod(label);
  const month = next.includes('Q')
    ? (Number(next.slice(6)) - 1) * 3
    : Number(next.slice(5) || 1) - 1;
  return Date.UTC(Number(next.slice(0, 4)), month);
}

const COMPACT = { notation: 'compact', maximumSignificantDigits: 3 } as const;
const MONEY = { style: 'currency', currency: 'USD' } as const;
const formats = {
  short: {
    usd: new Intl.NumberFormat('en-US', { ...COMPACT, ...MONEY }),
    number: new Intl.NumberFormat('en-US', COMPACT),
  },
  long: {
    usd: new Intl.NumberFormat('en-US', { ...MONEY, maximumFractionDigits: 0 }),
    number: new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }),
  },
};

/** A number as on an axis, or in full; a dash for none. */
export function shown(
  value: number | null | undefined,
  unit: Unit,
  length: keyof typeof formats = 'long',
): string {
  return value === null || value === undefined ? '–' : formats[length][unit].format(value);
}

/** The figures as comma-separated values. */
export function csvOf({ keyTitle, figures, groups, unknown }: FiguresView): string {
  return csvText([
    [keyTitle, ...figures.map(({ title }) => title)],
    ...[...groups, ...(unknown === undefined ? [] : [unknown])].map((group) => [
      group.label,
      ...group.figures.map((figure) => (figure === null ? '' : String(figure))),
    ]),
  ]);
}

/** Comma-separated values as RFC 4180 has them; cells that a spreadsheet would run are quoted texts. */
export function csvText(lines: readonly (readonly string[])[], delimiter = ','): string {
  return lines.map((cells) => `${cells.map(cell).join(delimiter)}\r\n`).join('');
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
