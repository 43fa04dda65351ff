import type { Decimal } from './amount/read-digits.ts';

/** A value of a row. `mapping.schema.json` describes all of these types. */
export type Expression = string | number | boolean | null | readonly Expression[] | Conversion;

export type TableValue = string | number | boolean | null | readonly (string | number)[];
export type ValueTable = Readonly<Record<string, TableValue>>;

export interface Conversion {
  readonly column?: string;
  readonly template?: string;
  readonly first?: readonly Expression[];
  readonly join?: readonly Expression[];
  readonly object?: Readonly<Record<string, Expression>>;
  readonly ref?: Readonly<Record<string, Expression>>;
  readonly with?: string;
  readonly nulls?: readonly string[];
  readonly match?: string;
  readonly separator?: string;
  readonly list?: true;
  readonly table?: string | ValueTable;
  readonly otherwise?: 'keep' | 'null' | 'reject';
  readonly read?:
    | 'text'
    | 'number'
    | 'money'
    | 'currency'
    | 'date'
    | 'year'
    | 'instant'
    | 'boolean'
    | 'address';
  readonly formats?: readonly string[];
  readonly yearMax?: number;
  readonly decimal?: Decimal;
  readonly range?: 'low' | 'high' | 'middle';
  readonly patterns?: readonly AddressPattern[];
  readonly partTables?: Readonly<Record<string, string>>;
  readonly as?: string | number | boolean;
  readonly unreadable?: 'reject' | 'null';
}

export interface AddressPattern {
  readonly pattern: string;
  readonly parts?: Readonly<Record<string, string>>;
  readonly partTables?: Readonly<Record<string, string>>;
}

export interface Condition {
  readonly blank?: true;
  readonly known?: Expression;
  readonly unknown?: Expression;
  readonly column?: string;
  readonly is?: readonly (string | number | boolean)[];
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
  readonly not?: Condition;
}

export interface RecordTemplate {
  readonly type: string;
  readonly op?: 'upsert' | 'mention' | 'patch' | 'delete';
  readonly when?: Condition;
  readonly each?: Expression;
  readonly key?: Expression;
  readonly repeats?: true;
  readonly occurredAt?: Expression;
  readonly fields?: Readonly<Record<string, Expression>>;
}

export interface TextRepair {
  readonly written: string;
  readonly readAs: string;
  readonly columns?: readonly string[];
}

/** A table of values that is read from a file of the export before the records. */
export interface Join {
  readonly file: string;
  readonly key: Expression;
  readonly value: Expression;
}

/** Makes records of the rows of a file. */
export interface Mapping {
  /** The name of the mapping file. */
  readonly name: string;
  /** Its position in that file, as a JSON Pointer. */
  readonly at: string;
  /** Members at the top of that file, for all files of an export. */
  readonly shared: ReadonlySet<string>;
  /** The name of the files it reads, in which `*` matches any text; by default any name. */
  readonly file?: string;
  readonly description?: string;
  readonly source: string;
  readonly format: 'csv' | 'jsonl';
  readonly encoding?: string;
  readonly csv?: {
    readonly delimiter?: string;
    readonly lineEnd?: '\n' | '\r' | '\r\n';
    readonly columns?: readonly string[];
    readonly quote?: string | null;
    readonly escape?: '"' | '\\';
    readonly rowLinesMax?: number;
    readonly skipLines?: number;
    readonly shortRows?: true;
  };
  readonly nulls?: readonly string[];
  readonly mangled?: readonly string[];
  readonly repairs?: readonly TextRepair[];
  /** Columns or paths that the file may lack. */
  readonly optional?: readonly string[];
  readonly tables?: Readonly<Record<string, ValueTable>>;
  readonly joins?: Readonly<Record<string, Join>>;
  /** The tables of the joins. */
  readonly joined?: ReadonlyMap<string, ReadonlyMap<string, TableValue>>;
  readonly skip?: readonly { readonly when: Condition; readonly because: string }[];
  /** None if the file only serves a join. */
  readonly records: readonly RecordTemplate[];
}
