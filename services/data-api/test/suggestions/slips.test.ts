import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { chargedOf, errorOf, type Query } from '../support/api.ts';
import { ACCESS_URL, openRepairApi, readSlips, repaired, type Slip, send } from './support.ts';

/** The guarantees of docs/spec/errors.md about the suggestions. */
const PRECISION_MIN = 0.98;
const COVERAGE_MIN = 0.95;
const SLIPS_MIN = 150;
/** Errors of one call, corrected one after the other. */
const REPAIRS_MAX = 4;

const api = await closedAfterAll(openRepairApi());
const slips: readonly Slip[] = await readSlips();

test('an error suggests the intended text, or nothing', async () => {
  const wrong: unknown[] = [];
  let given = 0;
  let right = 0;
  for (const slip of slips) {
    const reply = await send(api, [slip[0], slip[1]]);
    const suggestion = reply.status === 200 ? undefined : errorOf(reply).suggestion;
    const meant = dated(slip[2]);
    if (suggestion !== undefined) given++;
    if (suggestion !== undefined && suggestion === meant) right++;
    if ((suggestion ?? null) !== meant) wrong.push([slip, suggestion, reply.text.slice(0, 300)]);
    if (reply.status !== 200) expect(chargedOf(reply) || 0).toBe(0);
  }
  const meant = slips.filter((slip) => slip[2] !== null).length;
  const measured = { precision: right / given, coverage: right / meant, slips: slips.length };
  if (process.env.SHOW_SLIPS !== undefined) {
    process.stdout.write(
      `${JSON.stringify(measured)}\n${wrong.map((each) => JSON.stringify(each)).join('\n')}\n`,
    );
  }
  expect(slips.length).toBeGreaterThanOrEqual(SLIPS_MIN);
  expect(measured.precision).toBeGreaterThanOrEqual(PRECISION_MIN);
  expect(measured.coverage).toBeGreaterThanOrEqual(COVERAGE_MIN);
});

test('every suggestion is accepted in place of the invalid text', async () => {
  const failed: unknown[] = [];
  for (const slip of slips) {
    let call: [string, Query] = [slip[0], slip[1]];
    let reply = await send(api, call);
    for (let repairs = 0; repairs < REPAIRS_MAX && reply.status !== 200; repairs++) {
      const { suggestion } = errorOf(reply);
      if (suggestion === undefined || String(suggestion).startsWith(ACCESS_URL)) break;
      call = repaired(call, reply);
      reply = await send(api, call);
      if (reply.status !== 200 && errorOf(reply).suggestion === undefined) {
        failed.push([slip, call, reply.text]);
      }
    }
  }
  // A suggested search still needs words.
  expect(failed.filter((each) => !JSON.stringify(each).includes('A search requires'))).toEqual([]);
});

test('every see is a 200', async () => {
  const seeUrls = new Set<string>();
  for (const slip of slips) {
    const reply = await send(api, [slip[0], slip[1]]);
    if (reply.status === 200) continue;
    const { see, field, parameter, value } = errorOf(reply);
    if (field ?? parameter ?? value ?? false) expect([slip, typeof see]).toEqual([slip, 'string']);
    if (typeof see === 'string') seeUrls.add(see);
  }
  expect(seeUrls.size).toBeGreaterThan(10);
  for (const see of seeUrls) {
    const reply = await api.get(see.replace('http://data.example/v2', ''));
    expect([see, reply.status]).toEqual([see, 200]);
  }
});

function dated(meant: string | null): string | null {
  return meant === '2026-11-22' ? new Date().toISOString().slice(0, 10) : meant;
}
