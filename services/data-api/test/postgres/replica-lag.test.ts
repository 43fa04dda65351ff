import { describe, expect, test } from '@jest/globals';
import { Admission, PrimaryPositions } from '../../src/postgres/replica-lag.ts';

describe('the lag of a replica', () => {
  /** Positions as [LSN, milliseconds]. */
  const after = (...samples: readonly (readonly [bigint, number])[]): PrimaryPositions => {
    const positions = new PrimaryPositions(1_000);
    for (const [lsn, atMs] of samples) positions.record(lsn, atMs);
    return positions;
  };

  test('is 0 if it has replayed all that the primary has written, however long ago', () => {
    expect(after([10n, 0], [10n, 900_000]).lagMs(10n, 990_000)).toBe(0);
    expect(after([10n, 0]).lagMs(11n, 500)).toBe(0);
  });

  test('is the time since the primary was where the replica is', () => {
    const positions = after([10n, 0], [20n, 100], [30n, 200]);
    expect(positions.lagMs(20n, 250)).toBe(150);
    expect(positions.lagMs(29n, 250)).toBe(150);
    expect(positions.lagMs(19n, 250)).toBe(250);
  });

  test('begins with the end of an idle time of the primary, not with its start', () => {
    expect(after([10n, 0], [10n, 5_000], [20n, 5_500]).lagMs(10n, 5_600)).toBe(600);
  });

  test('is unknown before the primary was seen where the replica is', () => {
    expect(after().lagMs(10n, 0)).toBeUndefined();
    expect(after([10n, 0], [20n, 100]).lagMs(9n, 250)).toBeUndefined();
  });

  test('is unknown if the replica is older than all kept positions', () => {
    const positions = after([10n, 0], [20n, 500], [30n, 1_400]);
    expect(positions.lagMs(20n, 1_500)).toBe(1_000);
    expect(positions.lagMs(10n, 1_500)).toBeUndefined();
  });

  test('does not compare with the log of a failed primary', () => {
    const positions = after([10n, 0], [90n, 100], [50n, 200]);
    expect(positions.lagMs(50n, 250)).toBe(0);
    expect(positions.lagMs(20n, 250)).toBeUndefined();
  });
});

describe('a replica', () => {
  /** Whether it is used after each poll; `'failed'` is a failure. */
  const usedAfter = (...polls: readonly (number | undefined | 'failed')[]): string => {
    const admission = new Admission(1_000);
    const used = polls.map((lagMs) => {
      if (lagMs === 'failed') admission.failed();
      else admission.polled(lagMs);
      return admission.isUsed ? 'y' : 'n';
    });
    return used.join('');
  };

  test.each([
    ['after three good polls', [0, 0, 500, 0], 'nnyy'],
    ['not while its lag exceeds half of the maximum', [0, 0, 501, 501, 500, 500, 500], 'nnnnnny'],
    ['until its lag exceeds the maximum', [0, 0, 0, 1_000, 1_001, 600], 'nnyynn'],
    ['not if its lag is unknown', [0, 0, 0, undefined, 0, 0, 0], 'nnynnny'],
    ['again after three good polls since a failure', [0, 0, 0, 'failed', 0, 0, 0], 'nnynnny'],
  ] as const)('is used %s', (_, polls, used) => {
    expect(usedAfter(...polls)).toBe(used);
  });
});
