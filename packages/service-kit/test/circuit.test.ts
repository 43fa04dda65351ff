import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { type CircuitOptions, createCircuit } from '../src/index.ts';

/** A circuit before another side that answers or does not, as the test says. */
function fixture(options: Partial<CircuitOptions> = {}) {
  const state = { isAway: true, work: 0, probes: 0, events: [] as string[] };
  const answer = async (): Promise<string> => {
    if (state.isAway) throw new Error('away');
    return 'answer';
  };
  const circuit = createCircuit({
    name: 'the other side',
    failuresMax: 2,
    probeEveryMs: 5,
    probe: () => {
      state.probes += 1;
      return answer();
    },
    onOpen: () => void state.events.push('open'),
    onClose: () => void state.events.push('close'),
    ...options,
  });
  const call = () =>
    circuit.run(() => {
      state.work += 1;
      return answer();
    });
  return { circuit, state, call };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await delay(1);
};

describe('a circuit', () => {
  test('opens after failures in a row; then nothing runs and every call fails at once', async () => {
    const { circuit, state, call } = fixture();
    await expect(call()).rejects.toThrow('away');
    expect(circuit.isOpen).toBe(false);
    await expect(call()).rejects.toThrow('away');
    expect(circuit.isOpen).toBe(true);
    for (let i = 0; i < 10; i++) {
      await expect(call()).rejects.toMatchObject({ name: 'CircuitOpenError' });
    }
    expect(state.work).toBe(2);
    circuit.stop();
  });

  test('stays closed where failures are not in a row', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 5; i++) {
      state.isAway = true;
      await expect(call()).rejects.toThrow('away');
      state.isAway = false;
      await call();
    }
    expect(circuit.isOpen).toBe(false);
  });

  test('an error that is no outage opens nothing', async () => {
    const { circuit, call } = fixture({ isOutage: () => false });
    for (let i = 0; i < 5; i++) await expect(call()).rejects.toThrow('away');
    expect(circuit.isOpen).toBe(false);
  });

  test('is probed until the other side answers, without a call; both changes are told once', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 2; i++) await expect(call()).rejects.toThrow('away');
    await until(() => state.probes >= 3);
    expect(circuit.isOpen).toBe(true);
    state.isAway = false;
    await until(() => !circuit.isOpen);
    expect(await call()).toBe('answer');
    expect(state.events).toEqual(['open', 'close']);
  });

  test('a wall clock set back does not keep it open', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 2; i++) await expect(call()).rejects.toThrow('away');
    const now = Date.now;
    Date.now = () => now() - 3_600_000;
    try {
      state.isAway = false;
      await until(() => !circuit.isOpen);
    } finally {
      Date.now = now;
    }
    expect(await call()).toBe('answer');
  });

  test('stopped, it is probed no more', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 2; i++) await expect(call()).rejects.toThrow('away');
    circuit.stop();
    const other = fixture();
    for (let i = 0; i < 2; i++) await expect(other.call()).rejects.toThrow('away');
    await until(() => other.state.probes >= 3);
    other.circuit.stop();
    expect(state.probes).toBe(0);
  });
});
