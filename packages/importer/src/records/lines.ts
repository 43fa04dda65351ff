/**
 * The lines an import reads: one JSON object a line, `op` and `type` first by custom. All of it is
 * derived from the record tables; `docs/import.md` shows each with an example.
 *
 * - `upsert` (the default) gives the whole record: a field left out is unknown.
 * - `patch` changes only the fields given; null clears one.
 * - `mention` names a record in passing: it is made where it is unknown, else left as it is.
 * - `delete` takes the record out of every listing; a later upsert revives it.
 */
import type { RecordTables } from './index.ts';
import type { FieldRow, KindValue, RecordType } from './kinds.ts';

export type {
  Address,
  InvestorRef,
  ListedInvestor,
  RecordType,
  Ref,
} from './kinds.ts';

/** What lines of every type carry. */
interface Envelope {
  /** Who says so: a short constant name such as `crunchbase-2013oct`, at most 100 characters. */
  readonly source: string;
  /** When it happened in the market, ISO 8601. A line older than the last applied is stale. */
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

/** A relation is known by the pair it ties, so its key may be left out. */
type Key<T extends RecordType> =
  IdentityNames<FieldsOf<T>> extends never
    ? { readonly key: string }
    : { readonly key?: string | undefined };

type Flatten<T> = { readonly [N in keyof T]: T[N] };

/** The fields of a record type as an upsert gives them. */
export type RecordFields<T extends RecordType> = Flatten<
  Given<FieldsOf<T>, RequiredNames<FieldsOf<T>>> &
    Optional<FieldsOf<T>, Exclude<keyof FieldsOf<T>, RequiredNames<FieldsOf<T>>>>
>;

export type UpsertLine<T extends RecordType> = T extends RecordType
  ? Flatten<
      { readonly op?: 'upsert' | undefined; readonly type: T } & Envelope & Key<T> & RecordFields<T>
    >
  : never;

/** As an upsert, for a record that another line may know better. */
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

export type StartupLine = LineOf<'startup'>;
export type FundLine = LineOf<'fund'>;
export type PersonLine = LineOf<'person'>;
export type RoundLine = LineOf<'round'>;
export type InvestorLine = LineOf<'investor'>;
export type HoldingLine = LineOf<'holding'>;
export type ValuationLine = LineOf<'valuation'>;
export type NewsLine = LineOf<'news'>;
export type StartupPersonLine = LineOf<'startup_person'>;
export type FundPersonLine = LineOf<'fund_person'>;
export type ReferenceLine = LineOf<'reference'>;

/** Any line. */
export type ImportLine = LineOf<RecordType>;
