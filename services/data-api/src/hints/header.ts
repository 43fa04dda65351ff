/** The header of hints (docs/spec/query-language.md 5.5). */
const NAME = 'X-Hint';
/** The most bytes of the header; hints beyond are left out. */
const BYTES_MAX = 2_048;
const SEPARATOR = ', ';

/**
 * `X-Hint`: the hints, separated by a comma and a blank. Within a hint, commas, percent signs and
 * everything but printable ASCII are percent-encoded as UTF-8. No header without a hint.
 */
export function hintHeader(hints: readonly string[]): Readonly<Record<string, string>> {
  const encoded: string[] = [];
  let bytes = 0;
  for (const hint of hints) {
    const text = hint.replace(/[^ -~]+|[%,]/gu, (characters) => encodeURIComponent(characters));
    bytes += text.length + SEPARATOR.length;
    if (bytes > BYTES_MAX) break;
    encoded.push(text);
  }
  return encoded.length === 0 ? {} : { [NAME]: encoded.join(SEPARATOR) };
}
