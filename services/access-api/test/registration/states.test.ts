// Tests docs/spec/registration.md 3.4, 3.6.
import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { parseEmailAddress } from '../../src/registration/email-address.ts';
import { parseLink } from '../../src/registration/link.ts';
import { parseRegistrationId } from '../../src/registration/redis-keys.ts';
import {
  PUBLIC_STATUS,
  REGISTRATION_EVENTS,
  REGISTRATION_STATES,
  TRANSITIONS,
} from '../../src/registration/states.ts';
import { mailOf, newAddress, openFixture, wrong } from './fixture.ts';

const fixture = await openFixture();

const MINUTE_MS = 60_000;
/** The proofs of a registration, by its state. */
const OPENED_BY = new Map([
  ['pending', ['rightCode', 'link']],
  ['dead', ['link']],
]);

/** The actions on a registration, with the wait before each. */
const actions = fc.array(
  fc.record({
    act: fc.constantFrom('right', 'wrong', 'wrong', 'wrong', 'guess', 'link', 'fail', 'look'),
    waitMinutes: fc.constantFrom(0, 0, 0, 0, 1, 9, 10, 24 * 60),
  }),
  { minLength: 1, maxLength: 14 },
);

/**
 * The simplest implementation of docs/spec/registration.md 3.4, for comparison with the stored
 * registration.
 */
function model() {
  let age = 0;
  let wrongs = 0;
  let used: 'completed' | 'link_used' | undefined;
  const isDeleted = () => age >= 24 * 60;
  const isLinkOpen = () => used === undefined && age < 10;
  const isOpen = () => isLinkOpen() && wrongs < 5;
  return {
    wait: (minutes: number) => {
      age += minutes;
    },
    status: () => {
      if (isDeleted()) return 'unknown';
      if (used !== undefined) return used;
      return isOpen() ? 'pending' : 'expired';
    },
    code: (isRight: boolean) => {
      if (isDeleted() || used !== undefined) return 'invalid_or_expired';
      if (wrongs >= 5) return 'too_many_attempts';
      if (!isOpen()) return 'invalid_or_expired';
      if (isRight) {
        used = 'completed';
        return 'granted';
      }
      wrongs += 1;
      return wrongs < 5 ? `wrong_code ${5 - wrongs}` : 'too_many_attempts';
    },
    isLinkOpen,
    link: () => {
      if (!isLinkOpen()) return false;
      used = 'link_used';
      return true;
    },
    fail: () => {
      if (!isDeleted()) used = undefined;
    },
  };
}

describe('a registration', () => {
  test('goes the ways of the table and no other, whatever is done to it', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (steps) => {
        const { access } = fixture;
        const store = access.registrations;
        const address = parseEmailAddress(newAddress());
        if (address === undefined) throw new Error('no address');
        const opened = await store.open(address);
        if (!('id' in opened)) throw new Error('no registration');
        const { id } = opened;
        const { code, linkUrl } = await mailOf(fixture, id);
        const link = parseLink(linkUrl.split('/').at(-1) ?? '');
        if (link === undefined) throw new Error('no link');
        const expected = model();
        for (const { act, waitMinutes } of steps) {
          access.clock.advance(waitMinutes * MINUTE_MS);
          expected.wait(waitMinutes);
          if (act === 'right' || act === 'wrong' || act === 'guess') {
            const given = act === 'right' ? code : wrong(code);
            for (let i = 0; i < (act === 'guess' ? 5 : 1); i++) {
              const result = await store.tryCode({ id }, given, true);
              const left = result.outcome === 'wrong_code' ? ` ${result.attemptsLeft}` : '';
              expect(`${result.outcome}${left}`).toBe(expected.code(act === 'right'));
            }
          } else if (act === 'link') {
            expect(await store.isLinkOpen(link)).toBe(expected.isLinkOpen());
            expect(await store.useLink(link)).toBe(expected.link());
          } else if (act === 'fail') {
            await store.reopen(id);
            expected.fail();
          }
          expect(await store.status(id)).toBe(expected.status());
        }
      }),
      runs(50, 3_000),
    );
  });

  test('every state has a public name and an answer to every event', () => {
    for (const state of REGISTRATION_STATES) {
      expect(['pending', 'link_used', 'completed', 'expired']).toContain(PUBLIC_STATUS[state]);
      for (const event of REGISTRATION_EVENTS) {
        const { to, outcome } = TRANSITIONS[state][event];
        expect(REGISTRATION_STATES).toContain(to);
        // Only an open registration is ever granted, and the link of one whose code is dead; only
        // a granted one is opened again, and a code that was dead stays so.
        expect(outcome === 'granted').toBe(OPENED_BY.get(state)?.includes(event) ?? false);
        const isBack = to !== state && ['completed', 'link_used'].includes(state);
        expect(outcome === 'reopened').toBe(isBack);
        if (isBack) expect(to).toBe(event === 'deadIssueFailed' ? 'dead' : 'pending');
      }
    }
  });

  test('ids and links are nothing but what was issued', () => {
    for (const text of ['', 'x', '{r:aa}', '00000000-0000-4000-8000-00000000000Z', '*']) {
      expect(parseRegistrationId(text)).toBeUndefined();
      expect(parseLink(text)).toBeUndefined();
    }
  });
});
