/** Rows of `;`-separated cells of `|`-separated words; an indented line continues the row. */
export const table = (text: string): readonly (readonly (readonly string[])[])[] =>
  text
    .trim()
    .replace(/\n +/g, '')
    .split('\n')
    .map((row) => row.split(';').map((cell) => cell.split('|')));

/** A list of `|`-separated words over several lines. */
export const list = (text: string): readonly string[] => table(text)[0]?.[0] ?? [];

/** Words separated by white space. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);
