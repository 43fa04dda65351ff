import { quote } from '../errors/quote.ts';
import type { Relabelled } from '../terms/relabel.ts';
import type { RejectionCause } from './causes.ts';
import {
  COUNT_NAMES,
  type ImportReport,
  type LongRows,
  type UnknownTexts,
} from './import-report.ts';

const number = new Intl.NumberFormat('en-US');

/** The report as lines of plain text: a table of counts, remarks and the outcome. */
export function printReport(report: ImportReport): string {
  const columns = COUNT_NAMES.filter((name) => name !== 'unapplied' || report.state === 'rejected');
  const rows: (readonly [string, ImportReport['total']])[] = [...report.byType];
  if (rows.length !== 1) rows.push(['total', report.total]);
  const cells = [
    ['', ...columns],
    ...rows.map(([name, counts]) => [name, ...columns.map((c) => number.format(counts[c]))]),
  ];
  const widths = ['', ...columns].map((_, i) =>
    Math.max(...cells.map((row) => row[i]?.length ?? 0)),
  );
  const padded = (cell: string, i: number) =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
  const table = cells.map((row) => row.map(padded).join('  ').trimEnd());
  return [...table, ...remarks(report), outcome(report)].join('\n');
}

/** A changed label of a term. */
export function relabelledText({ kind, from, to, records }: Relabelled): string {
  return `${kind} "${from}" is now "${to}": ${counted(records, 'record')} rewritten`;
}

function remarks(report: ImportReport): readonly string[] {
  return [
    ...causes(report.causes),
    ...unknownCountries(report.unknownCountries),
    ...report.skipped.map(({ because, rows }) => `${counted(rows, 'row')} skipped: ${because}`),
    ...longRows(report.longRows),
    ...report.notes.map(
      ({ type, field, kind, done, lines }) =>
        `${number.format(lines)} ${kind}: ${type} ${field}, ${done}`,
    ),
    ...report.relabelled.map(relabelledText),
    ...(report.swept === 0
      ? []
      : [`operating status recalculated for ${counted(report.swept, 'startup')}`]),
    ...(report.indexes === 0 ? [] : [`${counted(report.indexes, 'index', 'indexes')} built`]),
    ...report.files.flatMap(({ rejectedFile, repairedFile }) => [
      ...(rejectedFile === undefined ? [] : [`rejected lines: ${rejectedFile}`]),
      ...(repairedFile === undefined ? [] : [`repaired lines: ${repairedFile}`]),
    ]),
  ];
}

/** So many causes are listed. */
const CAUSES_LISTED = 10;

function causes(all: readonly RejectionCause[]): readonly string[] {
  const own = all.filter(({ follows }) => !follows);
  const shown = own.slice(0, CAUSES_LISTED);
  const more = own.length - shown.length;
  const following = all.reduce((sum, { follows, lines }) => sum + (follows ? lines : 0), 0);
  return [
    ...shown.map(
      ({ type, reason, file, line, lines }) =>
        `${counted(lines, type === undefined ? 'line' : `${type} line`)} rejected: ${reason} (${lines === 1 ? '' : 'first on '}line ${line} of ${file})`,
    ),
    ...(more === 0 ? [] : [`${counted(more, 'more cause')} in the files of rejected lines`]),
    ...(following === 0
      ? []
      : [`${counted(following, 'line')} rejected because a record of a rejected line is missing`]),
  ];
}

function unknownCountries({ texts, first }: UnknownTexts): readonly string[] {
  if (texts === 0) return [];
  const listed = first.map(({ text, lines }) => `${quote(text)} (${number.format(lines)})`);
  const more = texts - first.length;
  const rest = more === 0 ? '' : ` and ${number.format(more)} more`;
  return [
    `${counted(texts, 'text')} that ${texts === 1 ? 'names' : 'name'} no country, kept: ${listed.join(', ')}${rest}`,
  ];
}

function longRows({ rows, first }: LongRows): readonly string[] {
  const listed = first.map(
    ({ file, line, lines, column, quoteLine }) =>
      `  ${file}: the row of line ${line} spans ${number.format(lines)} lines; ` +
      `a quote opens on line ${quoteLine} in column ${column}`,
  );
  const more = rows - first.length;
  return [
    ...(rows === 0
      ? []
      : [`${counted(rows, 'row')} with a cell that spans several lines:`, ...listed]),
    ...(more === 0 ? [] : [`  and ${counted(more, 'row')} more`]),
  ];
}

function outcome({ state, seconds, total }: ImportReport): string {
  const time = `${seconds.toFixed(1)} s`;
  if (state === 'applied') return `Applied in ${time}.`;
  const lines = `${counted(total.rejected, 'line')} ${total.rejected === 1 ? 'is' : 'are'} invalid`;
  return `Rejected after ${time}: ${lines}, nothing was applied (--continue applies the rest).`;
}

function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${number.format(count)} ${count === 1 ? thing : things}`;
}
