import { setImmediate as turn } from 'node:timers/promises';
import { ApiError, createOutageLog, type Logger } from '@vcds/service-kit';
import { type CountedCodeResult, tryCountedCode } from './code-attempts.ts';
import type { DisposableDomains } from './disposable-domains.ts';
import { domainOf, type EmailAddress } from './email-address.ts';
import { type IssuanceOptions, type Issued, issueKeyFor, type Landed, landOn } from './issuance.ts';
import { LIMITS } from './limits.ts';
import type { Link } from './link.ts';
import type { MailDomainCheck } from './mail-domain.ts';
import type { MailQueue } from './mail-source.ts';
import type { RegistrationId } from './redis-keys.ts';
import {
  type AddressRefusal,
  isRefusal,
  type Proof,
  type RegistrationMeasures,
} from './registration-measures.ts';
import type { CodeTarget, RegistrationStore } from './registration-store.ts';
import type { PublicStatus } from './states.ts';

/** The way from an address to a key (spec §3.1, §4.6). */
export interface Registrations {
  /**
   * Opens a registration and has its message sent, whether or not the caller is still there. The
   * message is stored with the registration; it is queued in a later turn of the event loop, so
   * that queueing it is not seen in how long an answer takes that is given at once. Should the
   * process end before, the worker queues it.
   *
   * Undefined: the address is refused (disposable, without MX, over its limit). Whether it has an
   * account is not looked at, so nothing about this tells.
   *
   * @throws ApiError `too_many_requests` when the network is over its limit.
   */
  register(address: EmailAddress, client: string | undefined): Promise<RegistrationId | undefined>;
  /**
   * A key for a right code. `client` is the address it comes from.
   *
   * @throws ApiError `wrong_code`, `too_many_attempts`, `too_many_requests`, `invalid_or_expired`.
   */
  verify(target: CodeTarget, code: string, client: string | undefined): Promise<Issued>;
  status(id: RegistrationId): Promise<PublicStatus>;
  /** Whether a link would work; leaves it as it is. */
  isLinkOpen(link: Link): Promise<boolean>;
  /**
   * Whose account a link opens, with a key for them if one is wanted; once. Undefined: the link
   * is used, has expired or never was.
   */
  useLink(link: Link, wantsKey: boolean): Promise<Landed | undefined>;
  /** Resolves once every message asked for is in the queue, or is left to the worker. */
  settled(): Promise<void>;
}

export interface RegistrationsOptions extends IssuanceOptions {
  readonly store: RegistrationStore;
  readonly queue: MailQueue;
  readonly isDisposable: DisposableDomains;
  /** Absent: not looked up. */
  readonly canReceive?: MailDomainCheck | undefined;
  readonly measures: RegistrationMeasures;
  readonly logger: Logger;
}

export function createRegistrations(options: RegistrationsOptions): Registrations {
  const { store, queue, isDisposable, canReceive, measures, logger } = options;
  const sending = new Set<Promise<void>>();
  const outages = createOutageLog();

  // The registration is taken already; whatever goes wrong now gives it back.
  const orReopen = async <T>(
    id: RegistrationId,
    issue: (address: EmailAddress) => Promise<T>,
  ): Promise<T> => {
    try {
      return await issue(await store.addressOf(id));
    } catch (error) {
      const reopening = store.reopen(id);
      await reopening.catch((reopenError: unknown) =>
        logger.warn({ error: reopenError }, 'a registration could not be given back'),
      );
      const message = 'The key could not be made; nothing is lost, retry once later.';
      throw new ApiError('unavailable', message, {}, { cause: error });
    }
  };

  const sendMail = (id: RegistrationId): void => {
    const job = turn()
      .then(() => queue.enqueue(id))
      .then(() => measures.mailQueued(true))
      .catch((error: unknown) => {
        measures.mailQueued(false);
        const subject = 'a message was not queued; the worker will queue it';
        outages.warn(logger, subject, error, { id });
      })
      .finally(() => sending.delete(job));
    sending.add(job);
  };

  const open = async (address: EmailAddress): Promise<RegistrationId | AddressRefusal> => {
    const domain = domainOf(address);
    if (isDisposable(domain)) return 'disposable_domain';
    if (canReceive !== undefined && !(await canReceive(domain))) return 'no_mail_domain';
    return store.open(address);
  };

  const measured = async <T>(proof: Proof, prove: () => Promise<T>): Promise<T> => {
    try {
      const proved = await prove();
      measures.verified(proof, proved === undefined ? 'invalid_or_expired' : 'granted');
      return proved;
    } catch (error) {
      measures.verifyThrew(proof, error);
      throw error;
    }
  };

  return {
    register: async (address, client) => {
      try {
        const waitMs = await store.countNetwork(client);
        if (waitMs > 0) throw tooManyFromNetwork(waitMs);
        const id = await open(address);
        measures.registered(isRefusal(id) ? id : 'opened');
        if (isRefusal(id)) return undefined;
        sendMail(id);
        return id;
      } catch (error) {
        measures.registerThrew(error);
        throw error;
      }
    },
    verify: (target, code, client) =>
      measured('code', async () => {
        const result = await tryCountedCode(store, { target, code, client });
        if (result.outcome !== 'granted') throw refusal(result);
        return orReopen(result.id, (address) => issueKeyFor(options, address));
      }),
    status: (id) => store.status(id),
    isLinkOpen: (link) => store.isLinkOpen(link),
    useLink: (link, wantsKey) =>
      measured('link', async () => {
        if (!(await store.useLink(link))) return undefined;
        return orReopen(link.id, (address) => landOn(options, address, wantsKey));
      }),
    settled: async () => {
      await Promise.all(sending);
    },
  };
}

/** The refusal of an id or address with no open registration (spec §7.2). */
export function invalidOrExpired(): ApiError {
  return new ApiError(
    'invalid_or_expired',
    'There is no open registration for this: it has expired, was used, or never was. Register again.',
  );
}

function refusal(result: Exclude<CountedCodeResult, { outcome: 'granted' }>): ApiError {
  switch (result.outcome) {
    case 'wrong_code': {
      const left = result.attemptsLeft;
      const message = `The code is not right; ${left} of ${LIMITS.attemptsMax} attempts left.`;
      return new ApiError('wrong_code', message, { beside: { attempts_left: left } });
    }
    case 'too_many_attempts':
      return new ApiError(
        'too_many_attempts',
        'Five wrong codes: this registration is dead. Register again, or use the link in the e-mail.',
        { beside: { attempts_left: 0 } },
      );
    case 'too_many_requests':
      return new ApiError(
        'too_many_requests',
        'Too many wrong codes for this address today. The link in the e-mail still works.',
        { retryAfterSeconds: result.waitMs / 1000 },
      );
    case 'network_limit':
      return new ApiError(
        'too_many_requests',
        'Too many wrong codes from this network; wait as Retry-After says. The link in the e-mail ' +
          'still works.',
        { retryAfterSeconds: result.waitMs / 1000 },
      );
    case 'invalid_or_expired':
      return invalidOrExpired();
  }
}

function tooManyFromNetwork(waitMs: number): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many registrations from this network within an hour; wait as Retry-After says.',
    { retryAfterSeconds: waitMs / 1000 },
  );
}
