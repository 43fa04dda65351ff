/**
 * Blots out what must never be written down (architecture §8): API keys, legacy tokens, values of
 * `token=` and `code=`, credential headers, passwords in URLs. Works on text, URLs and JSON alike.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/pk_live(?:_|%5f)[0-9A-Za-z%]+/gi, 'pk_live_[redacted]'],
  // Without the dots, so that a token that was cut short is redacted too and the rule is linear.
  [/\beyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g, '[redacted token]'],
  [/((?:\b|_)(?:token|secret|password)(?:\\?"\s*:\s*\\?"|=))[^\s&"'#\\]+/gi, '$1[redacted]'],
  [/(\bcode(?:\\?"\s*:\s*\\?"?|=))\d{4,8}\b/gi, '$1[redacted]'],
  [
    /(\b(?:x-api-key|authorization)\\?"?\s*[:=]\s*\\?"?)(?:(?:Bearer|Basic)\s+|(?!Bearer|Basic))[^\s",&[<\\]{4,}/gi,
    '$1[redacted]',
  ],
  [/\b(Bearer)\s+[\w.~+/=-]{16,}/gi, '$1 [redacted]'],
  [/(:\/\/[^\s:/@]*:)[^\s@/]+@/g, '$1[redacted]@'],
];
// One cheap look tells most lines clean, so that the rules run only where they may matter.
const SUSPECT = /pk_live|eyJ|token|code|secret|password|bearer|api-key|authorization|:\/\//i;

/** The text with every secret in it replaced; the same text when there is none. */
export function redact(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return SECRETS.reduce((clean, [pattern, blot]) => clean.replace(pattern, blot), text);
}
