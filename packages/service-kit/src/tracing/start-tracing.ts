/** Loaded only if a process traces: it loads the SDK of OpenTelemetry. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../logger.ts';
import { createOutageLog, reasonOf } from '../outage-log.ts';
import { setTracer } from './tracer.ts';

/** A process that sends its spans to a collector. */
export interface Tracing {
  /**
   * Sends the remaining spans, for two seconds at most, so that a collector that does not respond
   * neither delays the end of the process nor fails it. No span begins afterwards.
   */
  readonly stop: () => Promise<void>;
}

const STOP_MS_MAX = 2_000;

/**
 * Sends the spans of this process in batches to OTEL_EXPORTER_OTLP_ENDPOINT. The SDK reads the
 * standard variables: sampler, limits, headers, resource attributes. A collector that does not
 * respond delays no call: at most 2,048 spans wait, later ones are dropped, and a warning is logged.
 */
export function startTracing(service: string, logger: Logger): Tracing {
  const outages = createOutageLog();
  const ignore = (): void => undefined;
  const warn = (reason: string): void =>
    outages.warn(logger, 'traces could not be sent', new Error(reason));
  diag.setLogger(
    {
      error: (text) => warn(messageIn(text)),
      ...{ warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const own = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'vcds',
    'service.version': versionOf(),
    'service.instance.id': randomUUID(),
  });
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  // Without the propagator of baggage: values of callers go no further.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  setTracer(provider.getTracer('vcds'));
  return {
    stop: async () => {
      setTracer(undefined);
      const timer = new AbortController();
      const timeUp = delay(STOP_MS_MAX, undefined, { signal: timer.signal }).then(
        () => warn('The collector did not respond in time.'),
        ignore,
      );
      await Promise.race([provider.shutdown(), timeUp]).catch((error) => warn(reasonOf(error)));
      timer.abort();
    },
  };
}

/** The message in the text of an error of the SDK, which is JSON with a stack. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

function versionOf(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return version;
}
