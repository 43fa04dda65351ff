import { dimensionById } from '@vcds/venture-model';
import type { Database } from '../../postgres/database.ts';
import { SqlValues } from '../../postgres/sql-values.ts';
import type { Statement } from '../../postgres/statement.ts';
import type { Narrowing } from '../facet-schema.ts';

const CODES_MAX = 50_000;

/** Looks up the codes of values, with a cache: codes never change. */
export class CodeLookup {
  readonly #database: Database;
  readonly #codes = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** For each narrowing, the codes of its values; values without a code are left out. */
  async codesOf(narrowing: readonly Narrowing[]): Promise<readonly (readonly number[])[]> {
    const wanted = narrowing.map(({ dimension, values }) => {
      const { number } = dimensionById(dimension);
      return values.map((value) => ({ number, value: String(value) }));
    });
    const missing = wanted.flat().filter((each) => !this.#codes.has(keyOf(each)));
    if (missing.length > 0) await this.#lookUp(missing);
    return wanted.map((values) =>
      values.flatMap((each) => {
        const code = this.#codes.get(keyOf(each));
        return code === undefined ? [] : [code];
      }),
    );
  }

  async #lookUp(missing: readonly NumberedValue[]): Promise<void> {
    if (this.#codes.size > CODES_MAX) this.#codes.clear();
    const values = new SqlValues();
    const dimensions = values.add(
      missing.map(({ number }) => number),
      'smallint[]',
    );
    const texts = values.add(
      missing.map(({ value }) => value),
      'text[]',
    );
    const text = `SELECT d.dimension AS number, d.value, d.code
      FROM unnest(${dimensions}, ${texts}) AS w(dimension, value)
      JOIN venture.dimension_value d ON d.dimension = w.dimension AND d.value = w.value`;
    const statement: Statement = { text, values: values.values, plan: 'generic' };
    const rows = await this.#database.rows<NumberedValue & { code: number }>(statement);
    for (const row of rows) this.#codes.set(keyOf(row), row.code);
  }
}

interface NumberedValue {
  readonly number: number;
  readonly value: string;
}

function keyOf({ number, value }: NumberedValue): string {
  return `${number} ${value}`;
}
