import type { Variables } from '../config.ts';
import { HTTP_SCHEMES, urlVariable } from '../edge-variables.ts';

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

/**
 * The variables of OpenTelemetry that every process validates; the SDK reads them itself, and the
 * others of the specification.
 */
export const TRACE_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: urlVariable(
    HTTP_SCHEMES,
    'collector of traces (OTLP over HTTP)',
    {},
  ),
  OTEL_EXPORTER_OTLP_HEADERS: { type: 'string', description: 'headers for the collector' },
  OTEL_SERVICE_NAME: { type: 'string', description: 'name of the service in traces' },
  OTEL_RESOURCE_ATTRIBUTES: { type: 'string', description: 'attributes of the process in traces' },
  OTEL_TRACES_SAMPLER: {
    type: 'string',
    enum: SAMPLERS.flatMap((name) => [name, `parentbased_${name}`]),
    description: 'which calls are traced',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: 'string',
    pattern: '^(?:0(?:\\.\\d{1,9})?|1(?:\\.0{1,9})?)$',
    expected: 'a number from 0 to 1',
    description: 'share of the calls that a ratio sampler traces',
  },
} as const satisfies Variables;
