/** Options, figures, tables and times of benches. */
import { parseArgs } from 'node:util';

type Option = string | number | boolean | readonly number[];
type Read<T> = {
  readonly [N in keyof T]: T[N] extends readonly number[] ? readonly number[] : T[N];
};

/** The options of a command line, as `--name=value`; each is read as its default is typed. */
export function benchOptions<T extends Readonly<Record<string, Option>>>(defaults: T): Read<T> {
  const specs = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type }] as const;
  });
  const { values } = parseArgs({ options: Object.fromEntries(specs) });
  const read = Object.entries(values).map(([name, given]) => {
    const value = defaults[name];
    if (typeof value === 'number') return [name, Number(given)];
    return [name, Array.isArray(value) ? String(given).split(',').map(Number) : given];
  });
  return { ...defaults, ...Object.fromEntries(read) };
}

/** The value below which a share of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A whole number with separators of thousands. */
export const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

/** A row of a table in Markdown. */
export const tableRow = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;

/** A table in Markdown; columns after the first `textColumns` are aligned to the right. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly unknown[])[],
  textColumns = 1,
): string {
  const rule = heads.map((_, column) => (column < textColumns ? '---' : '---:'));
  return [heads, rule, ...rows].map(tableRow).join('\n');
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Milliseconds that a piece of work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** @throws if an option that names a folder of data is empty. */
export function folderOption(data: string): string {
  if (data === '') throw new Error('Name the folder of the data: --data=DIR');
  return data;
}
