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
  test('is a line at once and one in 10 s, with the number of lines left out', () => {
    const { clock, warn, logged } = fixture();
    for (let i = 0; i < 100; i++) warn('store away');
    expect(logged()).toHaveLength(1);
    clock.advance(9_999);
    warn('store away');
    clock.advance(1);
    warn('store away');
    expect(logged()).toMatchObject([
      { msg: 'store away', level: 'warn', route: '/x', reason: 'lost', suppressed: 0 },
      { msg: 'store away', suppressed: 100 },
    ]);
  });

  test('subjects are counted apart, and are bounded', () => {
    const { warn, logged } = fixture();
    for (let i = 0; i < 1_000; i++) warn(`subject ${i}`);
    expect(logged()).toHaveLength(1_000);
    warn('subject 999');
    expect(logged()).toHaveLength(1_000);
  });

  test('names every cause and has no stack', () => {
    const { warn, logged } = fixture();
    const refused = new AggregateError([new Error('refused v6'), new Error('refused v4')]);
    warn('store away', new Error('No answer.', { cause: new Error('lost', { cause: refused }) }));
    const [line] = logged();
    expect(line.reason).toBe('No answer. Cause: lost Cause: refused v6, refused v4');
    expect(JSON.stringify(line)).not.toContain('.ts:');
  });

  test('an error that is its own cause ends', () => {
    const error = new Error('around');
    error.cause = error;
    expect(reasonOf(error).split(' Cause: ')).toHaveLength(5);
    expect(reasonOf('text')).toBe('text');
  });
});
