import type { PendingMail } from '../registration/mail-source.ts';
import { htmlBody } from './html-body.ts';
import type { Message } from './mail-transport.ts';

const SERVICE = 'Venture Capital Data Service';
/** The life of code and link (spec §5.2 rule 6). */
const CODE_LIFE_MINUTES = 10;

/** Tells mail programs not to answer by themselves (RFC 3834; the second is Microsoft's). */
const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
});

/** The sentences of the message; text and HTML say the same. */
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
 * The message of a registration, in text and HTML: the code, the link, until when they work, and
 * what to do when somebody else asked for them. The subject holds no code: it shows on locked
 * screens and in the mail provider's logs.
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
      'Somebody, you or an assistant acting for you, asked for an API key',
      `of the ${SERVICE} for ${to}.`,
    ].join(' '),
    codeFor: 'This is the code. Give it to the assistant or program that asked you for it:',
    code,
    linkFor: 'Would you rather not share the code? Open this page and create a key there yourself:',
    linkLabel: 'Open my account page',
    linkUrl,
    expiry: [
      `Code and link work once, for ${CODE_LIFE_MINUTES} minutes from when they were asked for:`,
      `until ${untilText(expiresAt)}.`,
    ].join(' '),
    notYouTitle: 'It was not you?',
    notYou: [
      'Then do nothing, and give the code to nobody: without it, or the link, no key is issued.',
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
