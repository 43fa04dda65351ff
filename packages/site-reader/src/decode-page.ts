import { isUtf8 } from 'node:buffer';
import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import htmlEncodingSniffer from 'html-encoding-sniffer';

const CHARSET = /;\s*charset\s*=\s*["']?([^\s;"']{1,40})/i;

/**
 * Decodes a page as browsers do: by its byte order mark, else the header Content-Type, else `meta`;
 * without any, UTF-8 if it is valid, else Windows-1252.
 */
export function decodePage(body: Buffer, contentType: string | undefined): string {
  const [, label] = CHARSET.exec(contentType ?? '') ?? [];
  const encoding = htmlEncodingSniffer(body, {
    ...(label === undefined ? {} : { transportLayerEncodingLabel: label }),
    defaultEncoding: isUtf8(body) ? 'UTF-8' : 'windows-1252',
  });
  return legacyHookDecode(body, encoding.toLowerCase());
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
