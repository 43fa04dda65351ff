import { ApiError } from '@vcds/service-kit';
import { Counter, type Registry } from 'prom-client';

/** Why an address gets no message, though the caller is answered as if it might (spec §3.1). */
const ADDRESS_REFUSALS = [
  'disposable_domain',
  'no_mail_domain',
  'address_limit',
  'mailbox_limit',
] as const;
export type AddressRefusal = (typeof ADDRESS_REFUSALS)[number];
export type Proof = 'code' | 'link';

/** Counts what becomes of registrations. Says nothing of any one of them. */
export interface RegistrationMeasures {
  registered(outcome: 'opened' | AddressRefusal): void;
  verified(proof: Proof, outcome: 'granted' | 'invalid_or_expired'): void;
  /** What was thrown instead: refusals count under their code, anything else as `failed`. */
  registerThrew(error: unknown): void;
  verifyThrew(proof: Proof, error: unknown): void;
  mailQueued(isQueued: boolean): void;
}

/** Registers the counters; zero until something happens. */
export function createRegistrationMeasures(registry: Registry): RegistrationMeasures {
  const registers = [registry];
  const registrations = new Counter({
    name: 'registrations_total',
    help: 'Calls of register, by what came of them.',
    labelNames: ['outcome'],
    registers,
  });
  const verifications = new Counter({
    name: 'verifications_total',
    help: 'Codes and links that were presented, by what came of them.',
    labelNames: ['proof', 'outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'mails_queued_total',
    help: 'Messages of registrations handed to the queue, or not.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    registered: (outcome) => registrations.inc({ outcome }),
    verified: (proof, outcome) => verifications.inc({ proof, outcome }),
    registerThrew: (error) => registrations.inc({ outcome: codeOf(error) }),
    verifyThrew: (proof, error) => verifications.inc({ proof, outcome: codeOf(error) }),
    mailQueued: (isQueued) => mails.inc({ outcome: isQueued ? 'queued' : 'failed' }),
  };
}

function codeOf(error: unknown): string {
  return error instanceof ApiError ? error.code : 'failed';
}

/** Whether it is a refusal, and not the id of a registration. */
export function isRefusal(outcome: string): outcome is AddressRefusal {
  return (ADDRESS_REFUSALS as readonly string[]).includes(outcome);
}
