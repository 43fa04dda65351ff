/**
 * Secrets that must never be logged or echoed: API keys, legacy tokens, values of `token=` and
 * `code=`, credential headers, passwords in URLs; in text, URLs and JSON.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/pk_live(?:_|%5f)[0-9A-Za-z%]+/gi, 'pk_live_[redacted]'],
  [/vcds_[ar]t_[\w.-]+/g, '[redacted token]'],
  // The dots are optional, so that a truncated token is redacted too and the rule is linear.
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
// A cheap test for lines that may contain a secret, so that the rules run only on those.
const SUSPECT = /pk_live|vcds_|eyJ|token|code|secret|password|bearer|api-key|authorization|:\/\//i;

/** The text with every secret replaced; the same text if it contains none. */
export function redact(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return SECRETS.reduce(
    (clean, [pattern, replacement]) => clean.replace(pattern, replacement),
    text,
  );
}
