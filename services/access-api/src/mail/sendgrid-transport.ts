import sendgridClient from '@sendgrid/client';
import sendgridMail from '@sendgrid/mail';
import type { Clock } from '@vcds/service-kit';
import { errorCode } from '@vcds/service-kit/error-code';
import { retryAfterMsOf } from './retry-delay.ts';
import { DeliveryError, type MailTransport, type Message } from './transport.ts';

// The packages also export their classes, but their types only declare the shared instance.
const { Client } = sendgridClient as unknown as { Client: new () => typeof sendgridClient };
const { MailService } = sendgridMail as unknown as { MailService: new () => typeof sendgridMail };

/** From the first byte of the request to the last one of the response. */
const ANSWER_MS_MAX = 10_000;
/** Responses have an empty body, or a list of errors. */
const ANSWER_BYTES_MAX = 1_048_576;

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
 * retried; every other error is final.
 */
export function createSendgridTransport(options: SendgridOptions): MailTransport {
  const { apiKey, from, baseUrl, clock, answerMsMax = ANSWER_MS_MAX } = options;
  const open = () => {
    const client = new Client();
    client.setApiKey(apiKey);
    if (baseUrl !== undefined) client.setDefaultRequest('baseUrl', baseUrl);
    // Options of axios. Without redirects, the API key goes to this host only.
    const limits = {
      url: '',
      maxRedirects: 0,
      maxContentLength: ANSWER_BYTES_MAX,
      signal: AbortSignal.timeout(answerMsMax),
    };
    client.setDefaultRequest(limits);
    const service = new MailService();
    service.setClient(client);
    return service;
  };
  return {
    name: 'sendgrid',
    send: async (message) => {
      try {
        await open().send(mailData(message, from));
      } catch (error) {
        throw deliveryError(error, clock);
      }
    },
  };
}

function mailData({ to, subject, text, html, headers }: Message, from: string) {
  return {
    to: { email: to },
    from,
    subject,
    text,
    html,
    headers: { ...headers },
    trackingSettings: {
      clickTracking: { enable: false, enableText: false },
      openTracking: { enable: false },
      subscriptionTracking: { enable: false },
      ganalytics: { enable: false },
    },
  };
}

// The client's error contains the whole request, so neither it nor the response's text is used.
function deliveryError(error: unknown, clock: Clock): DeliveryError {
  const status = statusOf(error);
  if (status === undefined) {
    return new DeliveryError(`SendGrid is unreachable (${errorCode(error) ?? 'unknown'}).`, {
      isFinal: false,
    });
  }
  const isFinal = status !== 408 && status !== 429 && status < 500;
  const retryAfterMs = isFinal ? undefined : retryAfterMsOf(headersOf(error), clock.wallMs());
  return new DeliveryError(`SendGrid responded with ${status}.`, {
    isFinal,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function statusOf(error: unknown): number | undefined {
  const code = field(error, 'code');
  if (typeof code === 'number') return code;
  const status = field(field(error, 'response'), 'status');
  return typeof status === 'number' ? status : undefined;
}

function headersOf(error: unknown): (name: string) => string | undefined {
  const headers = field(field(error, 'response'), 'headers');
  return (name) => {
    const value = field(headers, name);
    return typeof value === 'string' ? value : undefined;
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
