import type { Clock } from '@vcds/service-kit';
import { errorCode } from '@vcds/service-kit/error-code';
import { retryAfterMsOf } from './retry-delay.ts';
import { DeliveryError, type MailTransport, type Message } from './transport.ts';

const BASE_URL = 'https://api.sendgrid.com';
/** From the connection to the status of the response. */
const ANSWER_MS_MAX = 10_000;
const NO_TRACKING = Object.freeze({
  click_tracking: { enable: false, enable_text: false },
  open_tracking: { enable: false },
  subscription_tracking: { enable: false },
  ganalytics: { enable: false },
});

export interface SendgridOptions {
  readonly apiKey: string;
  /** `address` or `Name <address>`. */
  readonly from: string;
  /** Default: SendGrid's own. */
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  /** Default 10,000. */
  readonly answerMsMax?: number;
}

/**
 * Sends through SendGrid's v3 interface, without click, open or subscription tracking, so that
 * SendGrid does not rewrite the message. A response of 408, 429 or 5xx and a network error may be
 * retried; every other error is final. The body of a response, which repeats the input, is not read.
 */
export function createSendgridTransport(options: SendgridOptions): MailTransport {
  const { apiKey, from, baseUrl = BASE_URL, clock, answerMsMax = ANSWER_MS_MAX } = options;
  const url = `${baseUrl.replace(/\/$/, '')}/v3/mail/send`;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return {
    name: 'sendgrid',
    send: async (message) => {
      // Without redirects, the API key goes to this host only.
      const request = { method: 'POST', headers, redirect: 'manual' } as const;
      const body = JSON.stringify(bodyOf(message, from));
      const signal = AbortSignal.timeout(answerMsMax);
      const response = await fetch(url, { ...request, body, signal }).catch((error: unknown) => {
        throw unreachable(error);
      });
      await response.body?.cancel();
      if (!response.ok) throw rejected(response, clock);
    },
  };
}

function bodyOf({ to, subject, text, html, headers }: Message, from: string) {
  // `Name <address>`, as MAIL_FROM is checked.
  const [name = '', email] = from.split(/[<>]/);
  return {
    personalizations: [{ to: [{ email: to }] }],
    from: email === undefined ? { email: from } : { email, name: name.trim() },
    subject,
    content: [
      { type: 'text/plain', value: text },
      { type: 'text/html', value: html },
    ],
    headers,
    tracking_settings: NO_TRACKING,
  };
}

function unreachable(error: unknown): DeliveryError {
  const { cause = error, name } = error as Error;
  const reason = name === 'TimeoutError' ? 'timeout' : (errorCode(cause) ?? 'unknown');
  return new DeliveryError(`SendGrid is unreachable (${reason}).`, { isFinal: false });
}

function rejected({ status, headers }: Response, clock: Clock): DeliveryError {
  const isFinal = status !== 408 && status !== 429 && status < 500;
  const retryAfterMs = isFinal
    ? undefined
    : retryAfterMsOf((name) => headers.get(name) ?? undefined, clock.wallMs());
  const failure = { isFinal, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return new DeliveryError(`SendGrid responded with ${status}.`, failure);
}
