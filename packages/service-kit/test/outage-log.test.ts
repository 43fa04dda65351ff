// Tests docs/spec/operations.md 16.6.
import { describe, expect, test } from '@jest/globals';
import { testClock } from '@vcds/test-kit';
import { createLogger, createOutageLog, reasonOf } from '../src/index.ts';

function fixture() {
  const clock = testClock();
  const lines: string[] = [];
  const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
  const outages = createOutageLog(clock);
  const warn = (subject: string, error: unknown = new Error('lost')) =>
    outages.warn(logger, subject, error, { route: '/x' });
  return { clock, warn, logged: () => lines.map((line) => JSON.parse(line)) };
}

describe('the log of an outage', () => {
  test('is one line at once and one per 10 s, with the number of omitted ones', () => {
    const { clock, warn, logged } = fixture();
    for (let i = 0; i < 100; i++) warn('store down');
    expect(logged()).toHaveLength(1);
    clock.advance(9_999);
    warn('store down');
    clock.advance(1);
    warn('store down');
    expect(logged()).toMatchObject([
      { msg: 'store down', level: 'warn', route: '/x', reason: 'lost', suppressed: 0 },
      { msg: 'store down', suppressed: 100 },
    ]);
  });

  test('subjects are counted separately, and bounded', () => {
    const { warn, logged } = fixture();
    for (let i = 0; i < 1_000; i++) warn(`subject ${i}`);
    expect(logged()).toHaveLength(1_000);
    warn('subject 999');
    expect(logged()).toHaveLength(1_000);
  });

  test('contains every cause and no stack', () => {
    const { warn, logged } = fixture();
    const unreachable = new AggregateError([new Error('IPv6 error'), new Error('IPv4 error')]);
    warn(
      'store down',
      new Error('No answer.', { cause: new Error('lost', { cause: unreachable }) }),
    );
    const [line] = logged();
    expect(line.reason).toBe('No answer. Cause: lost Cause: IPv6 error, IPv4 error');
    expect(JSON.stringify(line)).not.toContain('.ts:');
  });

  test('the causes are bounded, also for an error that is its own cause', () => {
    const error = new Error('circular');
    error.cause = error;
    expect(reasonOf(error).split(' Cause: ')).toHaveLength(5);
    expect(reasonOf('text')).toBe('text');
  });
});
