import { isUtf8 } from 'node:buffer';
import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import htmlEncodingSniffer from 'html-encoding-sniffer';

/** Browsers read 1,024 bytes first, and start again if a later element names another encoding. */
const SNIFFED_BYTES = 1_024;
const LATE_BYTES_MAX = 256 * 1_024;
const LATE_METAS_MAX = 50;
/** Text in which an element is none; where its end is missing, the rest, so that none is read twice. */
const HIDDEN =
  /<!--(?:[\s\S]*?-->|[\s\S]*$)|<(script|style|noscript|template)\b(?:[\s\S]*?<\/\1|[\s\S]*$)/gi;
/** No page states it. */
const UNKNOWN = 'x-unknown';
const CHARSET = /;\s*charset\s*=\s*["']?([^\s;"']{1,40})/i;

/**
 * Decodes a page as browsers do: by its byte order mark, else the header Content-Type, else `meta`;
 * without any, UTF-8 if it is valid, else Windows-1252.
 */
export function decodePage(body: Buffer, contentType: string | undefined): string {
  const [, label] = CHARSET.exec(contentType ?? '') ?? [];
  const usual = () => lateEncoding(body) ?? (isUtf8(body) ? 'UTF-8' : 'windows-1252');
  const encoding = htmlEncodingSniffer(body, {
    ...(label === undefined ? {} : { transportLayerEncodingLabel: label }),
    defaultEncoding: UNKNOWN,
  });
  return legacyHookDecode(body, (encoding === UNKNOWN ? usual() : encoding).toLowerCase());
}

/** The encoding that a `meta` element beyond the first 1,024 bytes names. */
function lateEncoding(body: Buffer): string | undefined {
  if (body.length <= SNIFFED_BYTES) return undefined;
  const text = body.toString('latin1', 0, LATE_BYTES_MAX).replace(HIDDEN, '');
  for (const { index } of [...text.matchAll(/<meta\b/gi)].slice(0, LATE_METAS_MAX)) {
    const element = Buffer.from(text.slice(index, index + SNIFFED_BYTES), 'latin1');
    const encoding = htmlEncodingSniffer(element, { defaultEncoding: UNKNOWN });
    if (encoding !== UNKNOWN) return encoding;
  }
  return undefined;
}

/** Whether a response is HTML by its Content-Type; undefined if it has none. */
export function isHtmlType(contentType: string | undefined): boolean | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '') return undefined;
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** Whether a body without Content-Type begins as HTML does. */
export function looksLikeHtml(html: string): boolean {
  return /^\s*<(?:!doctype html|!--|html|head|body|title|meta|script|div|h1|p)[\s>-]/i.test(html);
}
