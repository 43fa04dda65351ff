/** Errors as the model reads them: the code, what to change, and how to find it. */
import { VcdsError } from '@vcds/client';
import { ArgumentError } from './arguments.ts';
import { DIMENSION_IDS } from './schemas.ts';
import type { Tool } from './tools/tool.ts';

/** The tool that replaces the URL in `see`. */
const SEE: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/\/(startups|funds)\/search/, () => 'find_company returns ids.'],
  [
    /\/categories\/(\w+)/,
    ([, id]) => `count_by_category with dimensions ["${id}"] and search lists the values.`,
  ],
  [/\/categories$/, () => 'describe_data with topic "dimensions" lists them.'],
  [/\/signals\/types$/, () => 'describe_data with topic "changes" lists them.'],
  [/\/pricing$/, () => 'check_balance returns plan and prices.'],
  [/\/v2\/?$/, () => 'describe_data lists the fields and relations of a collection.'],
];

type Problem = Readonly<Record<string, unknown>>;

/** For anything else that a tool throws. */
export const INTERNAL: Problem = {
  error: { code: 'internal_error', message: 'The tool failed. Do not repeat the call unchanged.' },
};

/** The error of a failed call of a tool, or {@link INTERNAL}. */
export function problemOf(tool: Tool, thrown: unknown): Problem {
  if (thrown instanceof ArgumentError) {
    const { message, argument, allowed } = thrown;
    return { error: { code: 'bad_argument', message, argument, allowed } };
  }
  if (!(thrown instanceof VcdsError)) return INTERNAL;
  const { code, message, status, field, value, allowed, suggestion, see, reason } = thrown;
  const { parameter, requestId, retryAfterSeconds, credits, actions } = thrown;
  const argument = parameter === undefined ? undefined : argumentOf(tool, parameter);
  return {
    error: {
      ...{ code, message, status, argument, field, value, allowed },
      ...{ suggestion, see, next_step: nextStep(see), reason, request_id: requestId },
      retry_after_seconds: retryAfterSeconds,
    },
    credits,
    actions: actions?.map((action) => ({
      ...action,
      ...(action.parameter !== undefined && { parameter: argumentOf(tool, action.parameter) }),
    })),
  };
}

/** The argument of a tool that sets a parameter of its call. */
export function argumentOf(tool: Tool, parameter: string): string {
  if (parameter === 'X-Credits-Max') return 'max_credits';
  const { argumentNames = {}, input } = tool;
  const isNarrowing = DIMENSION_IDS.includes(parameter) && input.properties?.narrow !== undefined;
  return argumentNames[parameter] ?? (isNarrowing ? `narrow.${parameter}` : parameter);
}

function nextStep(see: string | undefined): string | undefined {
  if (see === undefined) return undefined;
  const { pathname } = new URL(see);
  for (const [pattern, step] of SEE) {
    const match = pattern.exec(pathname);
    if (match !== null) return step(match);
  }
  return undefined;
}
