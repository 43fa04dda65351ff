import { CODE_MINUTES } from '../registration/limits.ts';
import type { PendingMail } from '../registration/mail-source.ts';
import { htmlBody } from './html-body.ts';
import type { Message } from './mail-transport.ts';

const SERVICE = 'Venture Capital Data Service';

/** Prevents automatic replies (RFC 3834; the second is Microsoft's). */
const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
});

/** The sentences of the message, the same in text and HTML. */
export interface Wording {
  readonly greeting: string;
  readonly reason: string;
  readonly codeFor: string;
  readonly code: string;
  readonly linkFor: string;
  readonly linkLabel: string;
  readonly linkUrl: string;
  readonly expiry: string;
  readonly notYouTitle: string;
  readonly notYou: string;
}

/**
 * The message of a registration, in text and HTML: the code, the link, their expiry, and what to do
 * if someone else requested them. The subject contains no code, because lock screens and the
 * provider's logs show it.
 */
export function renderMessage(mail: PendingMail): Message {
  const wording = wordingOf(mail);
  return {
    to: mail.to,
    subject: `Your code for the ${SERVICE}`,
    text: textBody(wording),
    html: htmlBody(wording),
    headers: HEADERS,
    code: mail.code,
  };
}

function wordingOf({ to, code, linkUrl, expiresAt }: PendingMail): Wording {
  return {
    greeting: 'Hello,',
    reason: [
      'You, or an assistant acting for you, requested an API key',
      `for the ${SERVICE} with the address ${to}.`,
    ].join(' '),
    codeFor: 'Your code. Give it to the assistant or program that asked you for it:',
    code,
    linkFor: 'If you prefer not to share the code, create a key yourself on this page:',
    linkLabel: 'Open my account page',
    linkUrl,
    expiry: [
      `The code and the link work once and expire ${CODE_MINUTES} minutes after the request,`,
      `at ${untilText(expiresAt)}.`,
    ].join(' '),
    notYouTitle: 'Not you?',
    notYou: [
      'Ignore this message and do not share the code: without the code or the link, no key is issued.',
      'We never ask for the code by phone or in a message.',
    ].join(' '),
  };
}

/** As in "14:42 UTC on 21 November 2026". */
function untilText(instant: Date): string {
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(instant);
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return `${time} UTC on ${format({ day: 'numeric', month: 'long', year: 'numeric' })}`;
}

function textBody(wording: Wording): string {
  return [
    wording.greeting,
    wording.reason,
    wording.codeFor,
    `    ${wording.code}`,
    wording.linkFor,
    `    ${wording.linkUrl}`,
    wording.expiry,
    `${wording.notYouTitle} ${wording.notYou}`,
    SERVICE,
  ]
    .join('\n\n')
    .concat('\n');
}
