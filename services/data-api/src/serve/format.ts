/** The format of an answer: `$format`, else the header `Accept` (docs/spec/addresses.md 1.10). */
import { nearest, withHint } from '@vcds/odata-query';
import { ApiError, acceptedType, DATA_BASE_PATH } from '@vcds/service-kit';
import { csvText, type Table } from '../tables/csv.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import type { Reply } from './reply.ts';
import type { ParameterReader } from './request/parameter-reader.ts';
import type { TextParameter } from './request/parameters.ts';

const FORMATS = ['json', 'csv', 'csv-excel'] as const;
export type FormatName = (typeof FORMATS)[number];

/** The parameter of endpoints whose answers are tables. */
export const FORMAT: TextParameter = {
  kind: 'choice',
  name: '$format',
  lengthMax: 20,
  values: FORMATS,
  default: 'json',
  description:
    'The format of the response; it precedes `Accept`. `csv` is UTF-8 with a line of names; `csv-excel` also ' +
    "has a byte order mark, and `'` before cells that a spreadsheet would run as formulas. The price stays the same.",
};

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

/** A table to write; undefined for JSON. */
export type Format = { readonly table: Table; readonly isForExcel: boolean } | undefined;

/** @throws ApiError `bad_parameter`. */
export function parseFormat(reader: ParameterReader): FormatName | undefined {
  const text = reader.text(FORMAT);
  if (text === undefined) return undefined;
  const found = FORMATS.find((each) => each === text.toLowerCase());
  if (found !== undefined) return found;
  const suggestion = nearest(text, FORMATS);
  const message = withHint(`Parameter $format must be ${FORMATS.join(', ')}.`, suggestion);
  const details = { parameter: FORMAT.name, value: text, allowed: FORMATS, suggestion };
  throw new ApiError('bad_parameter', message, details);
}

/**
 * The format that a call asks for.
 *
 * @throws ApiError `not_acceptable`; `bad_parameter` for a plan that has no columns.
 */
export function formatOf(
  { request }: Call,
  endpoint: Endpoint,
  plan: unknown,
  asked: FormatName | undefined,
): Format {
  const { table, text } = endpoint;
  // A file has the type that its name says.
  if (text?.media !== undefined) return undefined;
  if (table === undefined) {
    acceptedType(request, [JSON_TYPE]);
    return undefined;
  }
  const isCsv = asked === undefined && acceptedType(request, [JSON_TYPE, CSV_TYPE]) === CSV_TYPE;
  const format = asked ?? (isCsv ? 'csv' : 'json');
  if (format === 'json') return undefined;
  return { table: table(plan), isForExcel: format === 'csv-excel' };
}

/** The reply in the format of its call. */
export async function formatted(call: Call, reply: Reply, format: Format): Promise<Reply> {
  if (format === undefined) return reply;
  const { table, isForExcel } = format;
  const body: unknown = JSON.parse(reply.body);
  return {
    body: await csvText(table, body, isForExcel),
    headers: {
      ...reply.headers,
      ...table.headers?.(body as Parameters<NonNullable<Table['headers']>>[0]),
      ...typeHeaders(call, format),
    },
  };
}

/** The headers that state a format. */
export function typeHeaders({ request }: Call, format: Format): Readonly<Record<string, string>> {
  if (format === undefined) return { 'Content-Type': JSON_TYPE };
  return {
    'Content-Type': `${CSV_TYPE}; charset=utf-8; header=present`,
    'Content-Disposition': `attachment; filename="${fileNameOf(request.path)}"`,
  };
}

// `/v2/startups/{id}/fundingrounds` is `startups-fundingrounds.csv`.
function fileNameOf(path: string): string {
  const names = path.slice(DATA_BASE_PATH.length).match(/(?<=\/)[a-z_]+(?=\/|$)/g) ?? [];
  return `${names.join('-').slice(0, 80)}.csv`;
}
