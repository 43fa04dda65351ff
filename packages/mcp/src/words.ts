/** Messages of the API in the words of the tools. */

/** Words about HTTP, which arguments of tools do not need. */
const OF_HTTP = /%[0-9A-F]{2}\b|https?:\/\/|\bheaders?\b|\bin a URL\b|\bX-[A-Z]/i;
const FOLLOW_LINK = /\bfollow the Link header(?: of a page(?: of this query)?)?(?: unchanged)?/gi;
const SENTENCE_END = /(?<=[.!?]) (?=[A-Z])|(?<=;) /;

/**
 * A message with the names of arguments in place of those of parameters, and without sentences about
 * HTTP.
 *
 * @param argumentOf the argument that sets a parameter.
 * @param echoed texts of the caller, which stay as they are.
 */
export function inToolWords(
  message: string,
  argumentOf: (parameter: string) => string,
  echoed: readonly string[],
): string {
  const own = (text: string) => echoed.some((each) => each !== '' && each.includes(text));
  const named = (name: string) => (own(name) ? name : argumentOf(name).replace('$', ''));
  const words = message
    .replace(FOLLOW_LINK, ([first]) => `${first === 'F' ? 'C' : 'c'}ontinue with next_cursor`)
    .replace(/\bParameter\b/g, 'Argument')
    .replace(/\bparameter\b/g, 'argument')
    .replace(/\bX-Credits-Max\b/g, argumentOf('X-Credits-Max'))
    .replace(/(\$[a-z]+)=(?=[\w$])/g, (written, name) =>
      own(written) ? written : `${named(name)} `,
    )
    .replace(/\$[a-z]+\b/g, named);
  const sentences = words.split(SENTENCE_END);
  const kept = sentences.filter((sentence) => {
    const [found] = OF_HTTP.exec(sentence) ?? [];
    return found === undefined || own(found);
  });
  return (kept.length === 0 ? sentences : kept).join(' ').replace(/;$/, '.');
}
