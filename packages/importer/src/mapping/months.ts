/** The names of months in the languages of sources. */

const LOCALES = 'en de fr es it pt nl sv da nb fi pl cs tr'.split(' ');
/** Abbreviations that are common and not in the data of the languages. */
const MORE: Readonly<Record<string, number>> = { sept: 9, mär: 3, mrz: 3, okt: 10, dez: 12 };

const MONTHS: ReadonlyMap<string, number> = monthsByName();

/** The number of a month by its name, in any case, whole or in short; undefined if there is none. */
export function monthNamed(name: string): number | undefined {
  return MONTHS.get(folded(name));
}

/** A name that is different months in two languages is none. */
function monthsByName(): ReadonlyMap<string, number> {
  const months = new Map<string, Set<number>>();
  const add = (name: string, month: number) => {
    if (/^\d*$/u.test(name)) return;
    months.set(name, (months.get(name) ?? new Set()).add(month));
  };
  for (const locale of LOCALES) {
    for (const style of ['long', 'short'] as const) {
      for (const day of [{}, { day: 'numeric' as const }]) {
        const format = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC', ...day });
        for (let month = 1; month <= 12; month++) {
          const parts = format.formatToParts(Date.UTC(2023, month - 1, 1));
          add(folded(parts.find(({ type }) => type === 'month')?.value ?? ''), month);
        }
      }
    }
  }
  for (const [name, month] of Object.entries(MORE)) add(folded(name), month);
  return new Map(
    [...months].flatMap(([name, numbers]) => {
      const [only] = numbers;
      return numbers.size === 1 && only !== undefined ? [[name, only] as const] : [];
    }),
  );
}

function folded(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}.]/gu, '');
}
