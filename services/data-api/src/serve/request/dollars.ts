import { type FieldSpec, valueMeant, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import type { ParameterReader } from './parameter-reader.ts';
import type { TextParameter } from './parameters.ts';

const INT64_MAX = 2n ** 63n - 1n;
/** The type for which suggestions are computed. */
const AMOUNT: FieldSpec = { name: '', type: 'usd', filterable: true, sortable: false };

/**
 * An amount in whole US dollars; undefined if absent.
 *
 * @throws ApiError `bad_parameter` for anything but a whole number from 0 to 2^63 - 1.
 */
export function readDollars(reader: ParameterReader, row: TextParameter): bigint | undefined {
  const text = reader.text(row);
  if (text === undefined) return undefined;
  const amount = /^(?:0|[1-9]\d{0,18})$/.test(text) ? BigInt(text) : INT64_MAX + 1n;
  if (amount <= INT64_MAX) return amount;
  const { name } = row;
  const message = `Parameter ${name} must be a whole number of US dollars from 0 to ${INT64_MAX}.`;
  const meant = valueMeant(text, AMOUNT);
  const suggestion = meant !== undefined && /^\d+$/.test(meant) ? meant : undefined;
  throw new ApiError('bad_parameter', withHint(message, suggestion), {
    parameter: name,
    value: text,
    suggestion,
  });
}
