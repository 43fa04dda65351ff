import { escapeHtml } from '../pages/html.ts';
import type { Wording } from './render-message.ts';

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
export function htmlBody(wording: Wording): string {
  const url = escapeHtml(wording.linkUrl);
  const paragraph = (text: string): string => element('p', 'paragraph', escapeHtml(text));
  const card = [
    element('h1', 'title', 'Venture Capital Data Service'),
    paragraph(wording.greeting),
    paragraph(wording.reason),
    paragraph(wording.codeFor),
    element('p', 'code', escapeHtml(wording.code)),
    paragraph(wording.linkFor),
    element('p', 'paragraph', link(url, escapeHtml(wording.linkLabel))),
    element('p', 'address', url),
    paragraph(wording.expiry),
    element(
      'p',
      'note',
      `<strong>${escapeHtml(wording.notYouTitle)}</strong> ${escapeHtml(wording.notYou)}`,
    ),
  ];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<title>Venture Capital Data Service</title>',
    '</head>',
    element('body', 'body', `\n${element('div', 'card', `\n${card.join('\n')}\n`)}\n`),
    '</html>',
    '',
  ].join('\n');
}

function element(tag: string, style: keyof typeof STYLES, content: string): string {
  return `<${tag} style="${styleText(style)}">${content}</${tag}>`;
}

function link(url: string, label: string): string {
  return `<a href="${url}" style="${styleText('button')}">${label}</a>`;
}

function styleText(style: keyof typeof STYLES): string {
  return STYLES[style].replaceAll('\n', '').replaceAll('"', '&quot;');
}
