/** The error codes of an operation: those of every call, and those of its parameters and price. */
import type { ErrorCode } from '@vcds/service-kit/api-errors';
import { DIMENSION_IDS } from '@vcds/venture-model';
import type { Endpoint } from '../src/serve/endpoint.ts';

/** Errors of requests that are none of an operation. */
export const OTHER_CODES: readonly ErrorCode[] = [
  'unknown_path',
  'method_not_allowed',
  'request_timeout',
];

/** Errors of the edge, which any call can have. */
export const EDGE_CODES: readonly ErrorCode[] = [
  'bad_request',
  'unknown_parameter',
  'bad_parameter',
  'https_required',
  'url_too_long',
  'headers_too_large',
  'too_many_requests',
  'internal_error',
  'unavailable',
];

/** Records that are merged. */
const MERGED = /^\/(?:startups|funds)\/:id/;
const NAMES: readonly ErrorCode[] = ['unknown_field', 'field_not_filterable'];

/** The codes that a parameter or a part of the path adds. */
const CODES_BY_PARAMETER: Readonly<Record<string, readonly ErrorCode[]>> = {
  $filter: [...NAMES, 'operator_not_supported', 'bad_filter', 'bad_date', 'unknown_value'],
  $orderby: NAMES,
  $select: ['unknown_field'],
  $expand: ['unknown_relation'],
  $top: ['top_above_plan'],
  fields: ['unknown_field'],
  entity: ['unknown_entity'],
  dimensions: ['unknown_dimension'],
  dimension: ['unknown_dimension'],
  value: ['unknown_value'],
  types: ['unknown_signal_type'],
  cursor: ['bad_cursor'],
  since: ['bad_date'],
  id: ['not_found'],
  startup: ['not_found'],
  fund: ['not_found'],
  tags: ['unknown_value'],
  ...Object.fromEntries(DIMENSION_IDS.map((id) => [id, ['unknown_value']])),
};

/** Every error code that an endpoint can return. */
export function errorCodesOf({ path, accepts, rate, text }: Endpoint): readonly ErrorCode[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const names = [...inPath, ...accepts.map(({ name }) => name)];
  return [
    ...new Set<ErrorCode>([
      ...EDGE_CODES,
      'unauthorized',
      'not_acceptable',
      'price_above_limit',
      ...names.flatMap((name) => CODES_BY_PARAMETER[name] ?? []),
      ...(MERGED.test(path) ? (['moved_permanently'] as const) : []),
      ...(text?.errors ?? []),
      ...(rate.scope === null ? [] : (['not_entitled'] as const)),
      ...(rate.minimum === 0
        ? []
        : (['credits_exhausted', 'key_limit_reached', 'idempotency_mismatch'] as const)),
    ]),
  ];
}
