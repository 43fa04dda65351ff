/** Errors as the model reads them: the code, what to change, and how to find it. */
import { type ErrorAction, VcdsError } from '@vcds/client';
import { ArgumentError } from './arguments.ts';
import { DIMENSION_IDS } from './schemas.ts';
import type { Tool } from './tools/tool.ts';
import { inToolWords } from './words.ts';

/** The tool in place of the URL in `see`. */
const SEE: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/\/(startups|funds)\/search/, () => 'find_company returns ids.'],
  [/\/tags\/search/, () => 'count_by_category with dimensions ["industry"] and search lists tags.'],
  [
    /\/categories\/(\w+)/,
    ([, id]) => `count_by_category with dimensions ["${id}"] and search lists the values.`,
  ],
  [/\/categories$/, () => 'describe_data with topic "dimensions" lists them.'],
  [/\/signals\/types$/, () => 'describe_data with topic "changes" lists them.'],
  [/\/(pricing|account\/credits)$/, () => 'check_balance returns plan and prices.'],
  [/^\/mcp|\/v2(\/|$)/, () => 'describe_data lists the fields and relations of a collection.'],
];
/** The actions of a person on pages of the account. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/\/account\/credits$/, 'change_plan'],
  [/\/account$/, 'get_key'],
];

type Problem = Readonly<Record<string, unknown>>;

/** For anything else that a tool throws. */
export const INTERNAL: Problem = {
  error: { code: 'internal_error', message: 'The tool failed. Do not repeat the call unchanged.' },
};

/** The error of a failed call of a tool, or {@link INTERNAL}. */
export function problemOf(tool: Tool, thrown: unknown): Problem {
  if (thrown instanceof ArgumentError) {
    const { message, faults } = thrown;
    const [first] = faults;
    const { argument, allowed } = first ?? {};
    const all = faults.length > 1 ? faults : undefined;
    return { error: { code: 'bad_argument', message, argument, allowed, faults: all } };
  }
  if (!(thrown instanceof VcdsError)) return INTERNAL;
  const { code, message, status, field, value, allowed, suggestion, see, reason } = thrown;
  const { parameter, requestId, retryAfterSeconds, credits, actions = [] } = thrown;
  const argument = parameter === undefined ? undefined : argumentOf(tool, parameter);
  const echoed = [value, field].map((each) => String(each ?? ''));
  const pages = see === undefined ? [] : pagesAt(see);
  const all = [...actions.map((action) => inArguments(tool, action)), ...pages];
  return {
    error: {
      code,
      message: inToolWords(message, (name) => argumentOf(tool, name), echoed),
      ...{ status, argument, field, value, allowed, suggestion },
      ...{ see: see && toolThatShows(see), reason, request_id: requestId },
      retry_after_seconds: retryAfterSeconds,
    },
    credits,
    actions: all.length === 0 ? undefined : all,
  };
}

function inArguments(tool: Tool, action: ErrorAction): ErrorAction {
  const { parameter } = action;
  return parameter === undefined ? action : { ...action, parameter: argumentOf(tool, parameter) };
}

/** The argument of a tool that sets a parameter of its call. */
export function argumentOf(tool: Tool, parameter: string): string {
  if (parameter === 'X-Credits-Max') return 'max_credits';
  const { argumentNames = {}, input } = tool;
  const isNarrowing = DIMENSION_IDS.includes(parameter) && input.properties?.narrow !== undefined;
  return argumentNames[parameter] ?? (isNarrowing ? `narrow.${parameter}` : parameter);
}

function toolThatShows(see: string): string | undefined {
  const { pathname } = new URL(see);
  for (const [pattern, step] of SEE) {
    const match = pattern.exec(pathname);
    if (match !== null) return step(match);
  }
  return undefined;
}

function pagesAt(see: string): readonly ErrorAction[] {
  const { pathname } = new URL(see);
  const found = PAGES.find(([pattern]) => pattern.test(pathname));
  return found === undefined ? [] : [{ type: found[1], url: see }];
}
