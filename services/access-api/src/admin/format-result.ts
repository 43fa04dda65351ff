const GAP = '  ';

/**
 * A command's result for people: one `name: value` a line, lists of records as tables. The names
 * are those of the JSON, with spaces.
 */
export function formatResult(result: object): string {
  return linesOf(result, '').join('\n');
}

function linesOf(record: object, indent: string): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const title = `${indent}${name.replaceAll('_', ' ')}:`;
    if (isTable(value)) return [title, ...tableOf(value).map((line) => `${indent}${GAP}${line}`)];
    if (isRecord(value)) return [title, ...linesOf(value, `${indent}${GAP}`)];
    return [`${title} ${textOf(value)}`];
  });
}

function tableOf(rows: readonly object[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const head = names.map((name) => name.replaceAll('_', ' '));
  const cells = [head, ...rows.map((row) => Object.values(row).map(textOf))];
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}

function isTable(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function isRecord(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}
