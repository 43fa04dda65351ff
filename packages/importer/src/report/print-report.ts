import type { Counts, ImportReport, LongRows } from './import-report.ts';

const EVERY_COLUMN = [
  'read',
  'inserted',
  'updated',
  'deleted',
  'unchanged',
  'stale',
  'duplicate',
  'rejected',
  'unapplied',
] as const satisfies readonly (keyof Counts)[];

const number = new Intl.NumberFormat('en-US');

/** The closing table and what there is to say beside it, as lines of plain text. */
export function printReport(report: ImportReport): string {
  const columns = EVERY_COLUMN.filter((name) => name !== 'unapplied' || report.state === 'refused');
  const rows = [...report.byType].map(([type, counts]) => [type, counts] as const);
  if (rows.length !== 1) rows.push(['total' as 'unreadable', report.total]);
  const cells = [
    ['', ...columns],
    ...rows.map(([name, counts]) => [name, ...columns.map((c) => number.format(counts[c]))]),
  ];
  const widths =
    cells[0]?.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0))) ?? [];
  const table = cells.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [...table, ...remarks(report), closing(report)].join('\n');
}

function remarks(report: ImportReport): readonly string[] {
  return [
    ...report.skipped.map(({ because, rows }) => `${counted(rows, 'row')} skipped: ${because}`),
    ...longRows(report.longRows),
    ...report.notes.map(
      ({ type, field, kind, done, lines }) =>
        `${number.format(lines)} ${kind}: ${type} ${field}, ${done}`,
    ),
    ...report.relabelled.map(
      ({ kind, from, to, records }) =>
        `${kind} "${from}" is now written "${to}": ${number.format(records)} records rewritten`,
    ),
    ...(report.swept > 0
      ? [`${number.format(report.swept)} startups lost the protection of a recent round`]
      : []),
    ...report.files.flatMap(({ rejectedFile, repairedFile }) => [
      ...(rejectedFile === undefined ? [] : [`rejected lines: ${rejectedFile}`]),
      ...(repairedFile === undefined ? [] : [`repaired lines: ${repairedFile}`]),
    ]),
  ];
}

function longRows({ rows, first }: LongRows): readonly string[] {
  const named = first.map(
    ({ file, line, lines, column, quoteLine }) =>
      `  ${file}: the row of line ${line} spans ${number.format(lines)} lines; ` +
      `a quote opens on line ${quoteLine} in column ${column}`,
  );
  const more = rows - first.length;
  return [
    ...(rows === 0 ? [] : [`${counted(rows, 'row')} with a cell of many lines:`, ...named]),
    ...(more === 0 ? [] : [`  and ${counted(more, 'row')} more`]),
  ];
}

function closing(report: ImportReport): string {
  const seconds = `${report.seconds.toFixed(1)} s`;
  if (report.state === 'refused') {
    const { rejected } = report.total;
    const lines = `${counted(rejected, 'line')} ${rejected === 1 ? 'is' : 'are'} rejected`;
    const outcome = `Refused after ${seconds}: ${lines}`;
    return `${outcome}, nothing was applied (--continue applies the rest).`;
  }
  return `Applied in ${seconds}.`;
}

function counted(count: number, thing: string): string {
  return `${number.format(count)} ${thing}${count === 1 ? '' : 's'}`;
}
