import { ApiError } from '@vcds/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { RegistrationId } from './redis-keys.ts';

/** Why an address gets no message. The response is the same as for one that does. */
export type AddressRejection =
  | 'disposable_domain'
  | 'no_mail_domain'
  | 'address_limit'
  | 'mailbox_limit'
  | 'domain_limit';

/** The result of opening a registration. */
export type Opened = { readonly id: RegistrationId } | { readonly rejected: AddressRejection };

/** How the owner of an address proves that it is theirs. */
export type Proof = 'code' | 'link';

export type RegistrationMetrics = ReturnType<typeof createRegistrationMetrics>;

/** Counts outcomes of registrations, without any data of a single one. */
export function createRegistrationMetrics(registry: Registry) {
  const registers = [registry];
  const registrations = new Counter({
    name: 'vcds_registrations_total',
    help: 'Registration requests by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const verifications = new Counter({
    name: 'vcds_verifications_total',
    help: 'Verification attempts with a code or a link, by outcome.',
    labelNames: ['proof', 'outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'vcds_mails_queued_total',
    help: 'Registration messages that access-api queued or failed to queue.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    /** Counts a registration by its result; an error counts under its code, else as `failed`. */
    registration: (open: () => Promise<Opened>) =>
      counted(
        open,
        (opened) => ('id' in opened ? 'opened' : opened.rejected),
        (outcome) => registrations.inc({ outcome }),
      ),
    /** Counts a proof; undefined counts as `invalid_or_expired`, errors as above. */
    verification: <T>(proof: Proof, verify: () => Promise<T>) =>
      counted(
        verify,
        (verified) => (verified === undefined ? 'invalid_or_expired' : 'granted'),
        (outcome) => verifications.inc({ proof, outcome }),
      ),
    mailQueued: (isQueued: boolean) => mails.inc({ outcome: isQueued ? 'queued' : 'failed' }),
  };
}

/** Counts an action by its result; an error counts under its code, else as `failed`. */
export async function counted<T>(
  act: () => Promise<T>,
  outcomeOf: (result: T) => string,
  count: (outcome: string) => void,
): Promise<T> {
  try {
    const result = await act();
    count(outcomeOf(result));
    return result;
  } catch (error) {
    count(error instanceof ApiError ? error.code : 'failed');
    throw error;
  }
}
