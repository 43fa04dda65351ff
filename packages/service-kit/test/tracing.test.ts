// Tests docs/spec/operations.md 16.11.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import {
  createLogger,
  isTracing,
  setTracer,
  tracedJobs,
  tracedQuery,
  tracedRequests,
  tracedSteps,
  traceOfJob,
} from '@vcds/service-kit';
import { startTracing } from '../src/tracing/start-tracing.ts';
import { beginCommand, beginRequest } from '../src/tracing/tracer.ts';

const STEPS = { parse: (text: string) => text.length, fail: () => Promise.reject(new Error('x')) };
const read = async (statement: string) => [statement];
const send = async () => ({ status: 200 });
const spanOf = () => ({ name: 'SELECT' });

afterEach(() => setTracer(undefined));

describe('without a tracer', () => {
  test('every function is the original one, so that a call costs nothing', () => {
    expect(isTracing()).toBe(false);
    expect(tracedSteps(STEPS)).toBe(STEPS);
    expect(tracedQuery(spanOf, read)).toBe(read);
    expect(tracedRequests('access-api', send)).toBe(send);
    expect(tracedJobs(spanOf, read)).toBe(read);
    expect(beginRequest({ method: 'GET', headers: {} }, 'id')).toBeUndefined();
    expect(beginCommand('GET', {})).toBeUndefined();
    expect(traceOfJob()).toBe(traceOfJob());
  });
});

describe('with a tracer', () => {
  test('functions return, resolve, throw and reject as before', async () => {
    setTracer(trace.getTracer('test'));
    const steps = tracedSteps(STEPS);
    expect(steps).not.toBe(STEPS);
    expect(steps.parse('abc')).toBe(3);
    await expect(steps.fail()).rejects.toThrow('x');
    await expect(tracedQuery(spanOf, read)('SELECT 1')).resolves.toEqual(['SELECT 1']);
    await expect(tracedRequests('access-api', send)({ method: 'GET', path: '/' })).resolves.toEqual(
      { status: 200 },
    );
    await expect(tracedJobs(spanOf, read)('job')).resolves.toEqual(['job']);
  });
});

describe('a collector that accepts no connection', () => {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_BSP_SCHEDULE_DELAY: '1',
  };
  beforeEach(() => void Object.assign(process.env, variables));
  afterEach(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });

  test('costs one line of the log, changes no result, and neither fails nor delays the stop', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      service: 'test',
      sink: { write: (line) => void lines.push(line) },
    });
    const tracing = startTracing('test', logger);
    const steps = tracedSteps(STEPS);
    const results = Array.from({ length: 10_000 }, (_, turn) => steps.parse('x'.repeat(turn % 9)));
    expect(results).toEqual(results.map((_, turn) => turn % 9));
    await expect(tracing.stop()).resolves.toBeUndefined();
    expect(isTracing()).toBe(false);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'traces could not be sent',
        reason: expect.not.stringMatching(/stack|\n/),
      }),
    ]);
  });
});
