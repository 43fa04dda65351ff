import { type Parameters, unknownParameter } from '@vcds/suggestions';
import type { Call } from './call.ts';
import type { Endpoint, Input, PlanContext } from './endpoint.ts';
import { FORMAT, type FormatName, parseFormat } from './format.ts';
import { ParameterReader, UnknownParameter } from './request/parameter-reader.ts';
import { type BooleanParameter, namesOf, type Parameter } from './request/parameters.ts';
import { parseRecordId } from './request/record-id.ts';

/** The dependencies of parsing and planning. */
export interface ParseContext {
  readonly cursors: PlanContext['cursors'];
  /** The clock for suggestions such as today's date, in milliseconds since 1970. */
  readonly nowMs?: () => number;
  /** The existing path that is most similar to another one. */
  readonly suggestPath: (path: string) => string | undefined;
}

/** A parsed call. */
export interface Parsed {
  readonly query: unknown;
  readonly context: PlanContext;
  /** The caller asks for the price instead of the response. */
  readonly isQuote: boolean;
  /** The parameter `$format`, if the call has it. */
  readonly format: FormatName | undefined;
}

const QUOTE: BooleanParameter = {
  kind: 'boolean',
  name: 'quote',
  default: false,
  description: 'Return the price of the call instead of its result, for 0 credits.',
};
/** The parameters that every endpoint accepts in addition to its own. */
export const CALL_PARAMETERS: readonly Parameter[] = [QUOTE];

/**
 * Parses the parameters and the path of a call.
 *
 * @throws ApiError or QueryError as {@link Endpoint.parse}; for an unknown parameter with a
 *   suggestion that is itself a valid call.
 */
export function parse<Query>(
  call: Call,
  endpoint: Endpoint<Query>,
  from: ParseContext,
  body?: unknown,
): Parsed {
  const { principal, parameters } = call;
  const today = dayOf((from.nowMs ?? Date.now)());
  const context = { path: pathOf(call, endpoint, from), today, principal, cursors: from.cursors };
  const { path, accepts, resource } = endpoint;
  const parsed = (written: Parameters) => {
    const input = { ...inputOf(written, endpoint, context), body };
    const query = endpoint.parse(input);
    return {
      query,
      context,
      isQuote: input.reader.boolean(QUOTE),
      // Another `$format` is that of the endpoint itself.
      format: endpoint.accepts.includes(FORMAT) ? parseFormat(input.reader) : undefined,
    };
  };
  try {
    return parsed(parameters);
  } catch (error) {
    if (!(error instanceof UnknownParameter)) throw error;
    const plan = (written: Parameters): unknown => endpoint.plan(parsed(written).query, context);
    const asked = { path, accepts: namesOf(accepts), resource, parameters, today, plan };
    throw unknownParameter(error.details.parameter ?? '', asked);
  }
}

const DAY_MS = 86_400_000;
let lastDay = { number: Number.NaN, text: '' };

// Calls of the same day share the text.
function dayOf(ms: number): string {
  const number = Math.floor(ms / DAY_MS);
  if (number !== lastDay.number) {
    lastDay = { number, text: new Date(ms).toISOString().slice(0, 10) };
  }
  return lastDay.text;
}

function inputOf(written: Parameters, { accepts }: Endpoint, context: PlanContext) {
  return { ...context, reader: new ParameterReader(written, accepts) };
}

function pathOf(
  { request }: Call,
  endpoint: Endpoint,
  { suggestPath }: ParseContext,
): Input['path'] {
  const path = request.params as Readonly<Record<string, string>>;
  if (path.id === undefined) return path;
  // A mistyped path may have matched the path of a record.
  const id = parseRecordId(path.id, endpoint.path, () => suggestPath(request.path));
  return { ...path, id };
}
