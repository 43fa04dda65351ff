/** Errors as the model reads them: the code, what to change, and how to find it. */
import { VcdsError } from '@vcds/client';
import { ArgumentError } from './arguments.ts';
import { DIMENSION_IDS } from './schemas.ts';

/** The arguments of the tools by the parameters of the API that errors name. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  ...{ $filter: 'filter', $orderby: 'orderby', $select: 'select', $expand: 'expand' },
  ...{
    $top: 'top',
    $skip: 'skip',
    $skiptoken: 'cursor',
    subject: 'subject_ids',
    minAmount: 'min_amount',
  },
  ...{ occurredSince: 'occurred_since', occurredUntil: 'occurred_until', expand: 'names' },
  ...{ value: 'narrow', dimension: 'narrow', path: 'narrow', 'X-Credits-Max': 'max_credits' },
};

const MATCH_ARGUMENTS: Readonly<Record<string, string>> = {
  ...{ startup: 'startup_id', fund: 'fund_id', 'X-Credits-Max': 'max_credits' },
};

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

const ACTIVITY_ARGUMENTS: Readonly<Record<string, string>> = { $top: 'limit' };

type Problem = Readonly<Record<string, unknown>>;

/** For anything else that a tool throws. */
export const INTERNAL: Problem = {
  error: { code: 'internal_error', message: 'The tool failed. Do not repeat the call unchanged.' },
};

/** The error of a failed call of a tool, or {@link INTERNAL}. */
export function problemOf(tool: string, thrown: unknown): Problem {
  if (thrown instanceof ArgumentError) {
    const { message, argument, allowed } = thrown;
    return { error: { code: 'bad_argument', message, argument, allowed } };
  }
  if (!(thrown instanceof VcdsError)) return INTERNAL;
  const { code, message, status, field, value, allowed, suggestion, see, reason } = thrown;
  const { parameter, requestId, retryAfterSeconds, credits, actions } = thrown;
  return {
    error: {
      ...{ code, message, status, argument: argumentOf(tool, parameter), field, value, allowed },
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

function argumentOf(tool: string, parameter: string | undefined): string | undefined {
  if (parameter === undefined) return undefined;
  if (parameter === 'q') return tool === 'find_company' ? 'name' : 'search';
  if (tool === 'find_matches') return MATCH_ARGUMENTS[parameter] ?? parameter;
  const ofActivity = tool === 'recent_activity' ? ACTIVITY_ARGUMENTS[parameter] : undefined;
  if (ofActivity !== undefined) return ofActivity;
  if (DIMENSION_IDS.includes(parameter)) return `narrow.${parameter}`;
  return ARGUMENTS[parameter] ?? parameter;
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
