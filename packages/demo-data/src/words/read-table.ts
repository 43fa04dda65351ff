import { readFileSync } from 'node:fs';

/**
 * Reads a file of the folder `words`: rows of `;`-separated cells of `|`-separated words. The first
 * line names the cells; an indented line continues the row.
 */
export function readTable(name: string): readonly (readonly (readonly string[])[])[] {
  const text = readFileSync(new URL(`../../words/${name}.txt`, import.meta.url), 'utf8');
  const [, ...rows] = text.trim().replace(/\n +/g, '').split('\n');
  return rows.map((row) => row.split(';').map((cell) => cell.split('|')));
}
