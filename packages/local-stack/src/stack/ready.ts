import type { ManagedProcess } from '../processes/managed-process.ts';
import { type NotReady, untilReady } from '../processes/until-ready.ts';

const READY_TIMEOUT_MS = 120_000;
const PROBE_TIMEOUT_MS = 5_000;
const BODY_LENGTH_MAX = 300;

/**
 * Waits until `/ready` of a service's internal listener returns 200.
 * @throws Error with the end of its log if it exits or does not become ready.
 */
export function untilServiceReady(
  service: ManagedProcess,
  internalPort: number,
  signal: AbortSignal,
): Promise<void> {
  const probe = () => probePort(internalPort);
  return untilReady(service, { probe, timeoutMs: READY_TIMEOUT_MS, signal });
}

async function probePort(port: number): Promise<NotReady | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ready`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const body = await response.text();
    if (response.status === 200) return undefined;
    return { reason: `/ready returns ${response.status} ${body.slice(0, BODY_LENGTH_MAX)}` };
  } catch {
    return { reason: `no response on port ${port}` };
  }
}
