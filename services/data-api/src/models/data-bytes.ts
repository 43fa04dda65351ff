/** The records of a model as bytes: it computes from those it was trained on, whatever changes. */
import type { InvestmentData, Investments, Investor, Startup } from '@vcds/matching';
import { type Column, decodeColumns, encodeColumns, type NumberColumn } from './columns.ts';

const COLUMNS = ['investor', 'startup', 'round', 'day', 'stage', 'amountUsd', 'isLead'] as const;
const TEXTS = ['country', 'region', 'city'] as const;

/** The data, compressed; equal data are equal bytes. */
export function encodeData({ investors, startups, investments }: InvestmentData): Promise<Buffer> {
  const dictionary = new Dictionary();
  return encodeColumns({
    ...placesOf('investor', investors, dictionary),
    'investor.name': investors.map(({ name }) => name),
    'investor.type': codesOf(investors, ({ type }) => type, dictionary),
    ...listsOf('investor.stages', investors, ({ stages }) => stages),
    // Unused. Processes of the version before, which run beside this one during an upgrade, need it.
    'investor.isClosed': new Uint8Array(investors.length),
    ...placesOf('startup', startups, dictionary),
    ...Object.fromEntries(COLUMNS.map((name) => [`investments.${name}`, investments[name]])),
    dictionary: dictionary.texts,
  });
}

/** The data of {@link encodeData}. */
export async function decodeData(encoded: Uint8Array): Promise<InvestmentData> {
  const columns = new Columns(await decodeColumns(encoded));
  const names = columns.texts('investor.name');
  const types = columns.words('investor.type');
  const stages = columns.lists('investor.stages');
  const investors = columns.records('investor').map(
    (record, index): Investor => ({
      ...record,
      name: names[index] ?? '',
      type: types(index),
      stages: stages(index),
    }),
  );
  const investments = Object.fromEntries(
    COLUMNS.map((name) => [name, columns.numbers(`investments.${name}`)]),
  );
  return {
    investors,
    startups: columns.records('startup'),
    investments: investments as unknown as Investments,
  };
}

type Placed = Startup;

function placesOf(
  prefix: string,
  records: readonly Placed[],
  dictionary: Dictionary,
): Record<string, Column> {
  return {
    [`${prefix}.id`]: records.map(({ id }) => id),
    ...Object.fromEntries(
      TEXTS.map((name) => [
        `${prefix}.${name}`,
        codesOf(records, (record) => record[name], dictionary),
      ]),
    ),
    [`${prefix}.founded`]: Uint16Array.from(records, ({ founded }) => founded),
    ...listsOf(`${prefix}.tags`, records, ({ tags }) => tags.map((tag) => dictionary.codeOf(tag))),
  };
}

function codesOf<T>(
  records: readonly T[],
  read: (record: T) => string,
  dictionary: Dictionary,
): Uint32Array {
  return Uint32Array.from(records, (record) => dictionary.codeOf(read(record)));
}

/** Lists of numbers as the length of each and all values in one column. */
function listsOf<T>(
  name: string,
  records: readonly T[],
  read: (record: T) => readonly number[],
): Record<string, Column> {
  const lists = records.map(read);
  return {
    [`${name}.length`]: Uint16Array.from(lists, ({ length }) => length),
    [`${name}.values`]: Uint32Array.from(lists.flat()),
  };
}

/** Numbers texts in the order of their first use. */
class Dictionary {
  readonly texts: string[] = [];
  readonly #codes = new Map<string, number>();

  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

class Columns {
  readonly #columns: ReadonlyMap<string, Column>;
  readonly #dictionary: readonly string[];

  constructor(columns: ReadonlyMap<string, Column>) {
    this.#columns = columns;
    this.#dictionary = this.texts('dictionary');
  }

  texts(name: string): readonly string[] {
    const column = this.#columns.get(name);
    if (Array.isArray(column)) return column;
    throw new TypeError(`The data has no texts ${name}.`);
  }

  numbers(name: string): NumberColumn {
    const column = this.#columns.get(name);
    if (ArrayBuffer.isView(column)) return column;
    throw new TypeError(`The data has no numbers ${name}.`);
  }

  /** Reads the text of a record from a column of codes. */
  words(name: string): (index: number) => string {
    const codes = this.numbers(name);
    return (index) => this.#dictionary[codes[index] ?? -1] ?? '';
  }

  /** Reads the lists one after another; the index is that of the next. */
  lists(name: string): (index: number) => number[] {
    const lengths = this.numbers(`${name}.length`);
    const values = this.numbers(`${name}.values`);
    let offset = 0;
    return (index) => {
      const begin = offset;
      offset += lengths[index] ?? 0;
      return [...values.subarray(begin, offset)];
    };
  }

  records(prefix: string): Placed[] {
    const country = this.words(`${prefix}.country`);
    const region = this.words(`${prefix}.region`);
    const city = this.words(`${prefix}.city`);
    const founded = this.numbers(`${prefix}.founded`);
    const tags = this.lists(`${prefix}.tags`);
    return this.texts(`${prefix}.id`).map((id, index) => ({
      ...{ id, country: country(index), region: region(index), city: city(index) },
      founded: founded[index] ?? 0,
      tags: tags(index).map((code) => this.#dictionary[code] ?? ''),
    }));
  }
}
