import { describe, expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import { type CircuitOptions, createCircuit } from '../src/index.ts';

/** A circuit before a dependency that the test makes unavailable. */
function fixture(options: Partial<CircuitOptions> = {}) {
  const state = { isDown: true, work: 0, probes: 0, events: [] as string[] };
  const respond = async (): Promise<string> => {
    if (state.isDown) throw new Error('down');
    return 'response';
  };
  const circuit = createCircuit({
    name: 'the dependency',
    failuresMax: 2,
    probeEveryMs: 5,
    probe: () => {
      state.probes += 1;
      return respond();
    },
    onOpen: () => void state.events.push('open'),
    onClose: () => void state.events.push('close'),
    ...options,
  });
  const call = () =>
    circuit.run(() => {
      state.work += 1;
      return respond();
    });
  return { circuit, state, call };
}

const until = async (condition: () => boolean): Promise<void> => {
  await eventually(condition, { intervalMs: 1 });
};

describe('a circuit', () => {
  test('opens after consecutive failures; then every call fails at once and runs nothing', async () => {
    const { circuit, state, call } = fixture();
    await expect(call()).rejects.toThrow('down');
    expect(circuit.isOpen).toBe(false);
    await expect(call()).rejects.toThrow('down');
    expect(circuit.isOpen).toBe(true);
    for (let i = 0; i < 10; i++) {
      await expect(call()).rejects.toMatchObject({ name: 'CircuitOpenError' });
    }
    expect(state.work).toBe(2);
    circuit.stop();
  });

  test('stays closed if failures are not consecutive', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 5; i++) {
      state.isDown = true;
      await expect(call()).rejects.toThrow('down');
      state.isDown = false;
      await call();
    }
    expect(circuit.isOpen).toBe(false);
  });

  test('an error that is not an outage does not open it', async () => {
    const { circuit, call } = fixture({ isOutage: () => false });
    for (let i = 0; i < 5; i++) await expect(call()).rejects.toThrow('down');
    expect(circuit.isOpen).toBe(false);
  });

  test('is probed until the dependency responds, without calls; each change is reported once', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 2; i++) await expect(call()).rejects.toThrow('down');
    await until(() => state.probes >= 3);
    expect(circuit.isOpen).toBe(true);
    state.isDown = false;
    await until(() => !circuit.isOpen);
    expect(await call()).toBe('response');
    expect(state.events).toEqual(['open', 'close']);
  });

  test('closes although the wall clock was set back', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 2; i++) await expect(call()).rejects.toThrow('down');
    const now = Date.now;
    Date.now = () => now() - 3_600_000;
    try {
      state.isDown = false;
      await until(() => !circuit.isOpen);
    } finally {
      Date.now = now;
    }
    expect(await call()).toBe('response');
  });

  test('is not probed after stop', async () => {
    const { circuit, state, call } = fixture();
    for (let i = 0; i < 2; i++) await expect(call()).rejects.toThrow('down');
    circuit.stop();
    const other = fixture();
    for (let i = 0; i < 2; i++) await expect(other.call()).rejects.toThrow('down');
    await until(() => other.state.probes >= 3);
    other.circuit.stop();
    expect(state.probes).toBe(0);
  });
});
