import { grouped, quantile, table } from '../support/figures.ts';
import type { SoakResult } from './run.ts';
import { kindsOf, latenciesOf, SUBJECTS, type Subject } from './sampler.ts';
import { type Trend, trendOf } from './series.ts';

/** A report in Markdown, and what is not as it must be. */
export interface SoakReport {
  readonly text: string;
  readonly faults: readonly string[];
}

const TEXT_COLUMNS = 2;
const MINUTE_MS = 60_000;
const FAILURES_MAX = 20;

export function reportOf(result: SoakResult): SoakReport {
  const trends = trendsOf(result);
  const rows = expectedRows(result);
  const checks = checksOf(result);
  const faults = [
    ...trends
      .filter(({ trend }) => !trend.isFlat)
      .map(({ subject, of, trend }) => `${subject} of ${of} grew by ${number(trend.growth)}`),
    ...rows
      .filter(([, added, expected]) => added !== expected)
      .map(([name, added, expected]) => `${name}: ${added} rows added, not ${expected}`),
    ...checks.filter(([, value]) => value !== 0).map(([name, value]) => `${name}: ${value}`),
  ];
  const { minutes, rate, outcomes, warmUp } = result;
  const text = [
    `${minutes} minutes, ${rate} calls a second, ${grouped(outcomes.length)} calls; trends from minute ${warmUp}.`,
    trendTable(trends),
    latencyTable(result),
    table(['Rows', 'added', 'expected'], rows),
    table(['Check', 'differences'], checks),
    failureTable(result),
    faults.length === 0
      ? 'Flat and exact.'
      : `**Faults:**\n${faults.map((fault) => `- ${fault}`).join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return { text, faults };
}

interface NamedTrend {
  readonly subject: Subject;
  readonly of: string;
  readonly trend: Trend;
}

function trendsOf({ samples, warmUp }: SoakResult): readonly NamedTrend[] {
  const kept = samples.filter(({ minute }) => minute > warmUp);
  const points = new Map<string, [minute: number, value: number][]>();
  for (const { minute, readings } of kept) {
    for (const { subject, of, value } of readings) {
      const name = `${subject}\n${of}`;
      const known = points.get(name) ?? [];
      points.set(name, known);
      if (Number.isFinite(value)) known.push([minute, value]);
    }
  }
  return [...points]
    .filter(([, values]) => values.length > 1)
    .map(([name, values]) => {
      const [subject, of] = name.split('\n') as [Subject, string];
      return { subject, of, trend: trendOf({ name, points: values, bound: SUBJECTS[subject] }) };
    });
}

/** Of subjects with many parts, the one that grew most and each that is not flat. */
const SUMMARIZED: readonly Subject[] = ['p50, ms', 'table, MB'];

function trendTable(trends: readonly NamedTrend[]): string {
  const subjects = [...new Set(trends.map(({ subject }) => subject))];
  const rows = subjects.flatMap((subject) => {
    const own = trends.filter((each) => each.subject === subject);
    const sorted = own.toSorted((a, b) => share(b) - share(a));
    const shown = SUMMARIZED.includes(subject)
      ? sorted.filter(({ trend }, index) => index === 0 || !trend.isFlat)
      : own;
    return shown.map(({ of, trend }) => [
      subject,
      own.length > shown.length ? `${of}, most of ${own.length}` : of,
      ...[trend.first, trend.last, trend.slopePerHour, trend.growth, trend.growthMax].map(number),
      trend.isFlat ? 'flat' : '**grows**',
    ]);
  });
  const heads = ['Subject', 'Of', 'first', 'last', 'slope an hour', 'growth', 'bound', 'trend'];
  return table(heads, rows, TEXT_COLUMNS);
}

const share = ({ trend }: NamedTrend): number => trend.growth / trend.growthMax;

function latencyTable({ outcomes, minutes }: SoakResult): string {
  const third = (minutes * MINUTE_MS) / 3;
  const early = outcomes.filter(({ startedMs }) => startedMs < third);
  const late = outcomes.filter(({ startedMs }) => startedMs >= 2 * third);
  const rows = kindsOf(outcomes).map((kind) => {
    const [before, after] = [latenciesOf(early, kind), latenciesOf(late, kind)];
    const figures = [before, after].map((each) => {
      const [p50, p99] = [quantile(each, 0.5), quantile(each, 0.99)];
      return `${p50.toFixed(1)} · ${p99.toFixed(1)}`;
    });
    return [kind, before.length + after.length, ...figures];
  });
  return table(['Call', 'calls', 'first third: p50 · p99, ms', 'last third'], rows);
}

function expectedRows(result: SoakResult): readonly [string, number, number][] {
  const { before, after, written, outcomes, disconnectedCharges } = result;
  const { changes, keys, imported } = written;
  const paid = outcomes.filter(({ charged = 0 }) => charged > 0).length;
  const answered = (of: string): number =>
    outcomes.filter(({ kind, isExpected }) => kind === of && isExpected).length;
  const expected = {
    'charges of the load': paid + disconnectedCharges,
    'signals startup.updated': changes + imported.startups,
    'signals round.updated': imported.rounds,
    'other signals': 0,
    accounts: keys,
    keys,
    imports: imported.imports,
    'registrations in Redis': keys + answered('register'),
    'exchanged tokens in Redis': answered('exchange'),
  };
  return Object.entries(expected).map(([name, rows]) => {
    const of = name as keyof typeof expected;
    return [name, after[of] - before[of], rows];
  });
}

/** Calls without the expected status by kind and status; '' without any. */
function failureTable({ outcomes }: SoakResult): string {
  const failed = outcomes.filter(({ isExpected }) => !isExpected);
  const groups = new Map<string, { calls: number; example: string }>();
  for (const { kind, status, detail } of failed) {
    const name = `${kind}: ${status ?? 'no response'}`;
    const group = groups.get(name) ?? { calls: 0, example: detail };
    groups.set(name, { ...group, calls: group.calls + 1 });
  }
  const rows = [...groups]
    .toSorted(([, a], [, b]) => b.calls - a.calls)
    .slice(0, FAILURES_MAX)
    .map(([name, { calls, example }]) => [name, calls, example.replaceAll(/[|\n]/g, ' ')]);
  return rows.length === 0 ? '' : table(['Unexpected', 'calls', 'the first'], rows);
}

/** Numbers that are 0 in a run without a fault. */
function checksOf(result: SoakResult): readonly [string, number][] {
  const { audit, feed, omitted, outcomes, disconnectedCharges, differences } = result;
  const disconnected = outcomes.filter(({ status }) => status === undefined).length;
  return [
    ['calls without the expected status', audit.failed],
    ['calls that did not begin', omitted],
    ['calls charged twice', audit.chargedTwice],
    ['charges that differ from the response', audit.different],
    ['reported charges that the ledger does not have', audit.unpaid],
    ['errors with a charge', audit.chargedErrors],
    [
      'charges beyond one for each client that disconnected',
      Math.max(0, disconnectedCharges - disconnected),
    ],
    ['charges fewer than reported', Math.max(0, -disconnectedCharges)],
    ['registrations without a message', audit.unmailed],
    ['signals that a consumer missed', feed.missedSignals],
    ['signals that it received twice', feed.repeatedSignals],
    ...Object.entries(differences),
    ['facet counts that differ from the records', result.isCounted ? 0 : 1],
  ];
}

function number(value: number): string {
  return value.toFixed(Math.abs(value) < 100 ? 1 : 0);
}
