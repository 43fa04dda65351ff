/** A clock that stands still until it is moved; fits every `Clock` of the services. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  wallMs(): number;
  /** Milliseconds since the clock was made; never falls. */
  monotonicMs(): number;
  /** Lets time pass, on both scales. Never negative. */
  advance(ms: number): void;
  /** Sets the wall clock alone, forwards or backwards, as an administrator would. */
  setWall(instant: string): void;
}

/** A clock standing at an instant (ISO 8601). */
export function testClock(instant = '2025-01-15T12:00:00Z'): TestClock {
  let wall = parse(instant);
  let elapsed = 0;
  return {
    wallMs: () => wall,
    monotonicMs: () => elapsed,
    advance: (ms) => {
      if (ms < 0) throw new RangeError('time does not run backwards; use setWall');
      wall += ms;
      elapsed += ms;
    },
    setWall: (to) => {
      wall = parse(to);
    },
  };
}

function parse(instant: string): number {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) throw new RangeError(`"${instant}" is no ISO 8601 instant`);
  return ms;
}
