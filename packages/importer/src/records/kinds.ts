/**
 * The kinds of fields of import lines. A record type is a table of fields, in a file of its own
 * beside this one. The TypeScript types of lines, the JSON Schemas, the staging columns and the
 * documentation derive from these tables.
 */
import type { ClosedValue } from '@vcds/odata-query';

/** Refers to another record, by the key of its source or by its Id in the API. */
export type Ref =
  | {
      /** The source that gave the key; the line's own source when left out. */
      readonly source?: string | undefined;
      readonly key: string;
    }
  | { readonly Id: string };

/** Refers to a fund or a person. */
export type InvestorRef = { readonly type: 'fund' | 'person' } & Ref;

/** Refers to a startup or a fund. */
export type CompanyRef = { readonly type: 'startup' | 'fund' } & Ref;

/** The record types that a field refers to one of, in the order of their columns `TYPE_id`. */
export const EITHER_TYPES = { investor: ['fund', 'person'], company: ['startup', 'fund'] } as const;

/** An investor as a round lists it. */
export type ListedInvestor = InvestorRef & { readonly Lead?: boolean | null | undefined };

/** A postal address; the first of a record is the one its Location names. */
export interface Address {
  readonly Street?: string | null | undefined;
  readonly PostalCode?: string | null | undefined;
  readonly City?: string | null | undefined;
  readonly Region?: string | null | undefined;
  readonly Country?: string | null | undefined;
}

/** An identifier of a company: `scheme:value`, the URL of a profile, or an object of both. */
export type Identifier = string | { readonly Scheme: string; readonly Value: string };

/** The value of each kind of field. */
export interface KindValue {
  /** Trimmed, composed to NFC; an empty text is null. */
  text: string;
  /** The series of a round as its source writes it; it may name the stage. */
  series: string;
  /** The address of a page: a scheme is added and the host lower-cased where needed. */
  url: string;
  /** As `url`, and the record's Domain follows from it. */
  site: string;
  /** A calendar year, 1000 to 2999. */
  year: number;
  /** 0 to 2147483647. */
  count: number;
  /** An amount in the line's Currency, 0 to 2^53-1, decimals allowed. */
  money: number;
  /** Three letters, ISO 4217; USD when left out. */
  currency: string;
  /** `YYYY-MM-DD`, or an instant of which the UTC day is taken. */
  date: string;
  /** ISO 8601; UTC where it names no zone. */
  instant: string;
  boolean: boolean;
  /** The value, label, slug or member name of a closed list. */
  closed: string | number;
  closedList: readonly (string | number)[];
  /** docs/spec/resources.md 4.14: Active, ProbablyClosed or Closed. */
  status: string;
  /** docs/spec/resources.md 4.14: who set the status. */
  statusSource: string;
  /** The name of a country, region or city; spellings of one place become the most common one. */
  place: string;
  places: readonly string[];
  /** Tags or groups; spellings of one term become the most common one. */
  terms: readonly string[];
  addresses: readonly Address[];
  /** docs/spec/resources.md 4.19; the identifier that the site of the line gives is added. */
  identifiers: readonly Identifier[];
  ref: Ref;
  investor: InvestorRef;
  company: CompanyRef;
  /** The URL of an observed page: a site or an account, by the field Kind. */
  page: string;
  investors: readonly ListedInvestor[];
}

export type Kind = keyof KindValue;

/** The record types of lines. */
export type RecordType =
  | 'startup'
  | 'fund'
  | 'person'
  | 'round'
  | 'investor'
  | 'holding'
  | 'valuation'
  | 'news'
  | 'startup_person'
  | 'fund_person'
  | 'reference'
  | 'observation';

/** The kinds of terms whose spellings are canonicalized (table `venture.term`). */
export type TermKind = 'tag' | 'country' | 'region' | 'city' | 'group';

/** One field of a record type. */
export interface FieldRow<K extends Kind = Kind> {
  readonly kind: K;
  /** One sentence for the documentation. */
  readonly doc: string;
  /** An upsert must give it, and nothing may clear it. */
  readonly required?: boolean;
  /** Says which record a line is about, beside or instead of its key: given on every line. */
  readonly identity?: boolean;
  /** The column of the record's table; none where the field only helps to make others. */
  readonly column?: string;
  /** The value if an upsert omits the field. Default: unknown. */
  readonly absent?: boolean | string;
  /** For `money`, always: the columns that keep what the source wrote. */
  readonly original?: { readonly amount: string; readonly currency: string };
  /** For `money`: the column whose day picks the rate. */
  readonly dated?: 'date' | 'occurred_at';
  /** Characters at most, for texts. */
  readonly max?: number;
  /** For `closed`, `closedList`, `status` and `statusSource`: the list. */
  readonly closed?: readonly ClosedValue[];
  /** For places and terms: whose spellings they share. */
  readonly term?: TermKind;
  /** For `ref`: the type of record it points at. */
  readonly to?: RecordType;
}

/** A record type: the table of its records, and the fields of its lines. */
export interface RecordTable<Fields extends Readonly<Record<string, FieldRow>>> {
  readonly type: RecordType;
  /** The table in schema `venture`. */
  readonly table: string;
  /** One sentence for the documentation. */
  readonly doc: string;
  /** Whether every line needs `occurredAt`. */
  readonly dated?: boolean;
  readonly fields: Fields;
}

/** A record type, whatever its fields. */
export type AnyRecordTable = RecordTable<Readonly<Record<string, FieldRow>>>;

/** Types a record table literally, so that the types of lines can be derived from it. */
export const recordTable = <const Fields extends Readonly<Record<string, FieldRow>>>(
  table: RecordTable<Fields>,
): RecordTable<Fields> => Object.freeze(table);

/** The fields of an amount on a day. */
export const AMOUNT_FIELDS = {
  Amount: {
    kind: 'money',
    column: 'amount',
    original: { amount: 'original_amount', currency: 'original_currency' },
    dated: 'date',
    doc: 'In Currency. Stored as OriginalAmount, and in US dollars at the rate of Date.',
  },
  Currency: { kind: 'currency', doc: 'Default: USD.' },
} as const satisfies Readonly<Record<string, FieldRow>>;

/** Closed values that are stored and shown by their names alone. */
export const namedValues = (...names: readonly string[]): readonly ClosedValue[] =>
  names.map((name) => ({ value: name, name, slug: name, label: name }));
