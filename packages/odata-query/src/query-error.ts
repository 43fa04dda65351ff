/** The codes a query can be rejected with; all are HTTP 400 (docs/spec/errors.md 11.2, 11.1). */
export type QueryErrorCode =
  | 'bad_filter'
  | 'unknown_field'
  | 'unknown_relation'
  | 'field_not_filterable'
  | 'operator_not_supported'
  | 'unknown_value'
  | 'bad_date'
  | 'bad_parameter';

/** Details of an error in addition to its message. Every text of the caller in them is bounded. */
export interface QueryErrorDetails {
  /** Offset into the parameter's text, in UTF-16 code units, from 0 to the text's length. */
  readonly position?: number | undefined;
  readonly field?: string | undefined;
  readonly parameter?: string | undefined;
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  /** Valid alternatives, at most 50. */
  readonly allowed?: readonly string[] | undefined;
  /** The nearest of what could stand there, ready to be written into the query. */
  readonly suggestion?: string | undefined;
  /** Path of the endpoint that lists the valid values. */
  readonly see?: string | undefined;
}

/**
 * The one error of this package: the caller's query cannot be answered as written. The message is
 * a full sentence for a person that helps to repair the call.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;
  readonly position: number | undefined;
  readonly field: string | undefined;
  readonly parameter: string | undefined;
  readonly operator: string | undefined;
  readonly value: string | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly suggestion: string | undefined;
  readonly see: string | undefined;

  constructor(code: QueryErrorCode, message: string, details: QueryErrorDetails = {}) {
    super(message);
    this.code = code;
    this.position = details.position;
    this.field = details.field;
    this.parameter = details.parameter;
    this.operator = details.operator;
    this.value = details.value;
    this.allowed = details.allowed;
    this.suggestion = details.suggestion;
    this.see = details.see;
  }

  /** The same error with some details replaced. */
  with(details: QueryErrorDetails): QueryError {
    return new QueryError(this.code, this.message, { ...this, ...details });
  }
}
