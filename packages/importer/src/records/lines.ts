/**
 * The types of import lines, derived from the record tables. `docs/import.md` has examples.
 *
 * - `upsert` (the default) contains the whole record: an omitted field becomes unknown.
 * - `patch` changes only the given fields; null clears one.
 * - `mention` creates the record if it does not exist, and otherwise leaves it unchanged.
 * - `delete` removes the record from every listing; a later upsert restores it.
 */
import type { RecordTables } from './index.ts';
import type { FieldRow, KindValue, RecordType } from './kinds.ts';

export type {
  Address,
  CompanyRef,
  InvestorRef,
  ListedInvestor,
  RecordType,
  Ref,
} from './kinds.ts';

/** The members of lines of every type. */
interface Envelope {
  /** The name of the data source, such as `crunchbase-2013oct`; at most 100 characters. */
  readonly source: string;
  /**
   * The market date, ISO 8601. A line older than the last applied one is stale. Observations need
   * it.
   */
  readonly occurredAt?: string | null | undefined;
}

type FieldsOf<T extends RecordType> = RecordTables[T]['fields'];
type ValueOf<F> = F extends FieldRow ? KindValue[F['kind']] : never;
type RequiredNames<F> = {
  [N in keyof F]: F[N] extends { readonly required: true } ? N : never;
}[keyof F];
type IdentityNames<F> = {
  [N in keyof F]: F[N] extends { readonly identity: true } ? N : never;
}[keyof F];

type Given<F, Names extends keyof F> = { readonly [N in Names]: ValueOf<F[N]> };
type Optional<F, Names extends keyof F> = {
  readonly [N in Names]?: ValueOf<F[N]> | null | undefined;
};

/** A relation is identified by its pair of records, so it needs no key. */
type Key<T extends RecordType> =
  IdentityNames<FieldsOf<T>> extends never
    ? { readonly key: string }
    : { readonly key?: string | undefined };

type Flatten<T> = { readonly [N in keyof T]: T[N] };

/** The fields of an upsert of a record type. */
export type RecordFields<T extends RecordType> = Flatten<
  Given<FieldsOf<T>, RequiredNames<FieldsOf<T>>> &
    Optional<FieldsOf<T>, Exclude<keyof FieldsOf<T>, RequiredNames<FieldsOf<T>>>>
>;

export type UpsertLine<T extends RecordType> = T extends RecordType
  ? Flatten<
      { readonly op?: 'upsert' | undefined; readonly type: T } & Envelope & Key<T> & RecordFields<T>
    >
  : never;

/** Has the fields of an upsert; applies only if the record does not exist. */
export type MentionLine<T extends RecordType> = T extends RecordType
  ? Flatten<{ readonly op: 'mention'; readonly type: T } & Envelope & Key<T> & RecordFields<T>>
  : never;

export type PatchLine<T extends RecordType> = T extends RecordType
  ? Flatten<
      { readonly op: 'patch'; readonly type: T } & Envelope &
        Key<T> &
        Given<FieldsOf<T>, IdentityNames<FieldsOf<T>>> &
        Optional<FieldsOf<T>, Exclude<keyof FieldsOf<T>, IdentityNames<FieldsOf<T>>>>
    >
  : never;

export type DeleteLine<T extends RecordType> = T extends RecordType
  ? Flatten<
      { readonly op: 'delete'; readonly type: T } & Envelope &
        Key<T> &
        Given<FieldsOf<T>, IdentityNames<FieldsOf<T>>>
    >
  : never;

/** Any line of one record type. */
export type LineOf<T extends RecordType> =
  | UpsertLine<T>
  | MentionLine<T>
  | PatchLine<T>
  | DeleteLine<T>;

/** Any line. */
export type ImportLine = LineOf<RecordType>;
