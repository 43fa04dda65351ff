import { afterEach, describe, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import {
  isTracing,
  setTracer,
  tracedJobs,
  tracedQuery,
  tracedRequests,
  tracedSteps,
  traceOfJob,
} from '@vcds/service-kit';
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
