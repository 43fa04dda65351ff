// Parameters with a credential never appear in a link of the service.
const CREDENTIAL_PARAMETERS = new Set(['token', 'code']);

/**
 * The URL of an endpoint for `see` and `Link`: `base` (a public root such as
 * `https://api.example.com/v2`), a path below it, and parameters. `token` and `code` are omitted.
 */
export function seeUrl(
  base: string,
  path: string,
  parameters: Iterable<readonly [string, string | number]> = [],
): string {
  const query = [...parameters]
    .filter(([name]) => !CREDENTIAL_PARAMETERS.has(name.toLowerCase()))
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
  const url = `${base.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  return query === '' ? url : `${url}?${query}`;
}

// `$`, `,`, `:` and `/` are legal in a query and keep it readable.
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(?:24|2C|3A|2F)/g, (escaped) =>
    decodeURIComponent(escaped),
  );
}
