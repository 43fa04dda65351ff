import { isUtf8 } from 'node:buffer';
import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import htmlEncodingSniffer from 'html-encoding-sniffer';

/** Browsers read 1,024 bytes first, and start again if a later element names another encoding. */
const SNIFFED_BYTES = 1_024;
const LATE_BYTES_MAX = 256 * 1_024;
const LATE_METAS_MAX = 50;
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
  const text = visibleText(body.toString('latin1', 0, LATE_BYTES_MAX));
  for (const { index } of [...text.matchAll(/<meta\b/gi)].slice(0, LATE_METAS_MAX)) {
    const element = Buffer.from(text.slice(index, index + SNIFFED_BYTES), 'latin1');
    const encoding = htmlEncodingSniffer(element, { defaultEncoding: UNKNOWN });
    if (encoding !== UNKNOWN) return encoding;
  }
  return undefined;
}

/** The text without comments and scripts, in which an element is none; without an end they reach to its end. */
function visibleText(text: string): string {
  const lower = text.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  for (const { 0: opening, index } of lower.matchAll(/<!--|<script\b|<style\b|<template\b/g)) {
    if (index < at) continue;
    const closing = opening === '<!--' ? '-->' : opening.replace('<', '</');
    const end = lower.indexOf(closing, index + opening.length);
    parts.push(text.slice(at, index));
    at = end < 0 ? text.length : end + closing.length;
  }
  return parts.concat(text.slice(at)).join('');
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
