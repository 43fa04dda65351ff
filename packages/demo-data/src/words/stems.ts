/** Parts of the names of companies, funds and people; all names are invented. */
import { readTable } from './read-table.ts';

/** All combinations of one word of each cell of a row. */
const combinations = (table: string, separator: string): readonly string[] =>
  readTable(table).flatMap((cells) =>
    cells.reduce((stems, parts) =>
      stems.flatMap((stem) => parts.map((part) => stem + separator + part)),
    ),
  );

/** The first words of the names of startups; all are different. */
export const STARTUP_STEMS = combinations('startup-names', '');

/** The first two words of the names of funds. */
export const FUND_STEMS = combinations('fund-names', ' ');

/** Parts of names in the script of a locale, with their Latin letters. */
export const NATIVE_PARTS = new Map(
  readTable('native-names').map(([[locale = ''] = [], pairs = []]) => {
    const parts = pairs.map((pair) => pair.split(' '));
    return [locale, parts.map(([written = '', latin = '']) => ({ written, latin }))];
  }),
);
