/** The calls that move the day of a run (docs/spec/sandbox.md 29.3). */
import { ApiError, DATA_BASE_PATH, type Route, sendJson } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { Meter } from '../credits/meter.ts';
import { instantOfStep, LAST_STEP, SANDBOX_DAY } from '../sandbox-data/day.ts';
import { type Call, openCall } from '../serve/call.ts';
import { setCreditHeaders } from '../serve/reply.ts';
import { badParameter, ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter } from '../serve/request/parameters.ts';
import { STEP_HEADER } from '../serve/sandbox-headers.ts';
import { NO_KEY, sandboxAuthenticate } from './caller.ts';
import { REQUESTABLE } from './requested-error.ts';
import type { Runs } from './runs.ts';

const TO: IntegerParameter = {
  ...{ kind: 'integer', name: 'to', min: 0, max: LAST_STEP, default: 0, example: 2 },
  description: 'The step to move to; default: the next one.',
};

const STEPS = [{ name: 'start', description: 'The data before the day.' }, ...SANDBOX_DAY].map(
  ({ name, description }, step) => ({ step, name, at: instantOfStep(step), description }),
);

/** The path of the state of a run; `advance` and `reset` are below it. */
const PATH = `${DATA_BASE_PATH}/sandbox`;

export function sandboxRoutes(runs: Runs, meter: Meter): Route[] {
  const handler =
    (move?: (call: Call, step: number) => number) =>
    async (request: Request, response: Response): Promise<void> => {
      const call = await openCall(sandboxAuthenticate, request, response);
      const { keyId, accountId } = call.principal;
      let step = keyId === NO_KEY ? 0 : await runs.stepOf(keyId);
      if (move === undefined) new ParameterReader(call.parameters, []);
      else {
        const next = move(call, step);
        if (keyId === NO_KEY) throw withoutRun();
        await runs.move(keyId, accountId, next);
        step = next;
      }
      call.credits = await meter.report(call.principal);
      setCreditHeaders(call);
      response.setHeader(STEP_HEADER, step);
      const body = { step, at: instantOfStep(step), isLast: step === LAST_STEP };
      sendJson(response, 200, { ...body, steps: STEPS, errors: REQUESTABLE });
    };
  const route = { takesKey: true } as const;
  return [
    { ...route, method: 'GET', path: PATH, handler: handler() },
    { ...route, method: 'POST', path: `${PATH}/advance`, handler: handler(nextOf) },
    {
      ...{ ...route, method: 'POST', path: `${PATH}/reset` },
      handler: handler((call) => {
        new ParameterReader(call.parameters, []);
        return 0;
      }),
    },
  ];
}

function nextOf({ parameters }: Call, step: number): number {
  const reader = new ParameterReader(parameters, [TO]);
  const next = reader.has(TO.name) ? reader.integer(TO) : step + 1;
  if (next <= LAST_STEP && next >= step) return next;
  const message =
    next > LAST_STEP
      ? `The day has ${LAST_STEP} steps, and the run is at the last one: begin again with /sandbox/reset.`
      : `The run is at step ${step}, and no day goes back: begin again with /sandbox/reset.`;
  throw badParameter(TO.name, String(next), message);
}

function withoutRun(): ApiError {
  const message =
    'Calls without a key are at the start of the day. Send a key, which may be any text, to have a run of your own.';
  return new ApiError('bad_parameter', message, { parameter: 'X-Api-Key' });
}
