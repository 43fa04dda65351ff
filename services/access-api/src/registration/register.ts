import { ApiError, type Logger } from '@vcds/service-kit';
import type { History } from '../accounts/history.ts';
import { accessUrl, type PublicUrls } from '../keys/endpoints.ts';
import type { DisposableDomains } from './disposable-domains.ts';
import { domainOf, type EmailAddress } from './email-address.ts';
import { CODE_MINUTES, LIMITS } from './limits.ts';
import type { MailDomainCheck } from './mail-domain.ts';
import type { MailSender } from './mail-sender.ts';
import type { RegistrationId } from './redis-keys.ts';
import type { Opened, RegistrationMetrics } from './registration-metrics.ts';
import type { RegistrationStore } from './registration-store.ts';

export interface RegisterOptions {
  readonly registrations: RegistrationStore;
  readonly isDisposable: DisposableDomains;
  /** Undefined: MX records are not checked. */
  readonly canReceive: MailDomainCheck | undefined;
  readonly mails: MailSender;
  readonly registrationMetrics: RegistrationMetrics;
  readonly history: Pick<History, 'findAccount'>;
  readonly logger: Logger;
}

/**
 * Registers an address: limit the client's networks, open a registration, queue its message. The
 * message is sent even if the client disconnects. Whether the address has an account plays no part
 * in the response, which cannot reveal it.
 *
 * @throws ApiError `too_many_requests` above the limit of a network; `unavailable`.
 */
export function register(
  options: RegisterOptions,
  address: EmailAddress,
  client: string | undefined,
): Promise<Opened> {
  return options.registrationMetrics.registration(async () => {
    await limitNetworks(options, client);
    const opened = await open(options, address);
    if ('id' in opened) options.mails.send(opened.id);
    else if (opened.rejected === 'domain_limit') void openForOwner(options, address);
    return opened;
  });
}

/**
 * Other people can use up the registrations of a domain, and must not thereby keep the owner of an account
 * out. This runs beside the response, and only the link of the message works, so that neither the
 * response nor its time nor a code reveals that there is an account.
 */
async function openForOwner(
  { history, registrations, mails, logger }: RegisterOptions,
  address: EmailAddress,
): Promise<void> {
  try {
    if ((await history.findAccount({ email: address })) === null) return;
    const opened = await registrations.openLink(address);
    if ('id' in opened) mails.send(opened.id);
  } catch (error) {
    logger.warn({ error }, 'failed to send a link beyond the limit of a domain');
  }
}

async function limitNetworks(
  { registrations }: RegisterOptions,
  client: string | undefined,
): Promise<void> {
  const waitMs = await registrations.countNetwork(client);
  if (waitMs === 0) return;
  throw new ApiError(
    'too_many_requests',
    'Too many registrations from this network. Retry after the time in Retry-After.',
    { retryAfterSeconds: waitMs / 1000 },
  );
}

async function open(
  { registrations, isDisposable, canReceive }: RegisterOptions,
  address: EmailAddress,
): Promise<Opened> {
  const domain = domainOf(address);
  if (await isDisposable(domain)) return { rejected: 'disposable_domain' };
  if (canReceive !== undefined && !(await canReceive(domain))) {
    return { rejected: 'no_mail_domain' };
  }
  return registrations.open(address);
}

/**
 * The body of a response. It depends on nothing but whether a message goes out: known and new
 * addresses get the same length.
 */
export function registerBody(urls: PublicUrls, id: RegistrationId | undefined) {
  return {
    status: id === undefined ? 'accepted' : 'sent',
    message:
      'If this address can receive mail, a message with a six-digit code and a sign-in link is ' +
      'on its way to it.',
    ...(id === undefined ? {} : { request_id: id }),
    expires_in: LIMITS.codeMs / 1000,
    next:
      `Ask the person for the code and send it within ${CODE_MINUTES} minutes to ` +
      `${accessUrl(urls, '/auth/verify')}, with request_id or with the address as email. A ` +
      'person who would rather not share the code can open the link in the message instead; ' +
      `${accessUrl(urls, '/auth/status')} then says link_used. Poll it no more often than ` +
      `every ${LIMITS.pollSecondsMin} seconds, and stop after ${CODE_MINUTES} minutes.`,
  } as const;
}
