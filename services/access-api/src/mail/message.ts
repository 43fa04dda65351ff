import { type Html, html, type Inserted } from '../pages/html.ts';
import { CODE_MINUTES } from '../registration/limits.ts';
import type { PendingMail } from '../registration/mail-source.ts';
import type { Message } from './transport.ts';

const SERVICE = 'Venture Capital Data Service';

/** Prevents automatic replies (RFC 3834; the second is Microsoft's). */
const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
});

type Wording = ReturnType<typeof wordingOf>;

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

/** The sentences of the message, the same in text and HTML. */
function wordingOf({ to, code, linkUrl, expiresAt }: PendingMail) {
  return {
    greeting: 'Hello,',
    reason: [
      'You, or an assistant acting for you, asked to sign in or for an API key',
      `at the ${SERVICE} with the address ${to}.`,
    ].join(' '),
    codeFor: 'Give this code only to an assistant that asked you for one. It creates a key:',
    code,
    linkFor:
      'To sign in, create a key yourself or connect an assistant, open this page and share no code:',
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

// Mail programs drop style sheets, so each element has a style attribute. The message loads no
// image, font or script, so the sender cannot detect that it was opened.
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const STYLES = {
  body: `margin:0;padding:24px 12px;background:#f3f4f6;color:#1f2937;${FONT}`,
  card: `max-width:480px;margin:0 auto;padding:32px 28px;background:#ffffff;border-radius:8px;
border:1px solid #e5e7eb`,
  title: 'margin:0 0 20px;font-size:15px;font-weight:600;color:#374151',
  paragraph: 'margin:0 0 16px;font-size:16px;line-height:1.5;overflow-wrap:anywhere',
  code: `margin:0 0 24px;padding:18px 8px;text-align:center;font-size:36px;font-weight:700;
line-height:1.2;letter-spacing:8px;background:#f3f4f6;border-radius:6px;color:#111827;
font-family:ui-monospace,Menlo,Consolas,monospace`,
  button: `display:inline-block;padding:12px 22px;background:#1d4ed8;color:#ffffff;
border-radius:6px;text-decoration:none;font-weight:600`,
  address: 'margin:0 0 24px;font-size:13px;line-height:1.5;color:#4b5563;word-break:break-all',
  note: `margin:24px 0 0;padding-top:20px;border-top:1px solid #e5e7eb;font-size:14px;
line-height:1.5;color:#4b5563`,
} as const;

/** The message as an HTML document; everything in it is escaped. */
function htmlBody(wording: Wording): string {
  const paragraph = (content: Inserted): Html => element('p', 'paragraph', content);
  const card = [
    element('h1', 'title', SERVICE),
    paragraph(wording.greeting),
    paragraph(wording.reason),
    paragraph(wording.codeFor),
    element('p', 'code', wording.code),
    paragraph(wording.linkFor),
    paragraph(
      html`<a href="${wording.linkUrl}" style="${styleText('button')}">${wording.linkLabel}</a>`,
    ),
    element('p', 'address', wording.linkUrl),
    paragraph(wording.expiry),
    element('p', 'note', html`<strong>${wording.notYouTitle}</strong> ${wording.notYou}`),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${SERVICE}</title>
</head>
${element('body', 'body', element('div', 'card', card))}
</html>
`.markup;
}

function element(tag: string, style: keyof typeof STYLES, content: Inserted): Html {
  return html`<${tag} style="${styleText(style)}">${content}</${tag}>`;
}

function styleText(style: keyof typeof STYLES): string {
  return STYLES[style].replaceAll('\n', '');
}
