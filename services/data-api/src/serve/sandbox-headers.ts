import type { IncomingMessage } from 'node:http';
import { ApiError } from '@vcds/service-kit';

/** The header with the code of an error; only a sandbox accepts it. */
export const ERROR_HEADER = 'X-Sandbox-Error';
/** The header with a step of the day; only a sandbox accepts it. */
export const STEP_HEADER = 'X-Sandbox-Step';

/**
 * Outside of a sandbox a test that expects an error would be charged for an answer
 * (docs/spec/sandbox.md 29.5).
 *
 * @throws ApiError `bad_parameter` for a header of the sandbox.
 */
export function assertNoSandboxHeader({ headers }: IncomingMessage): void {
  for (const parameter of [ERROR_HEADER, STEP_HEADER]) {
    const value = headers[parameter.toLowerCase()];
    if (value === undefined) continue;
    const message = `This is not a sandbox: it does not accept ${parameter}.`;
    throw new ApiError('bad_parameter', message, { parameter, value: String(value) });
  }
}
