/** Parameters in which other APIs receive a key. */
const KEY_PARAMETERS: ReadonlySet<string> = new Set(
  'api_key apikey api-key x-api-key key access_token auth_token authorization'.split(' '),
);

/** Whether a parameter has a name under which other APIs receive a key. */
export function isKeyParameter(name: string): boolean {
  return KEY_PARAMETERS.has(name.toLowerCase());
}

/** The message for a call whose key is in a parameter that is not read; undefined if none is. */
export function misnamedKey(parameters: ReadonlyMap<string, string>): string | undefined {
  const name = [...parameters.keys()].find(isKeyParameter);
  if (name === undefined) return undefined;
  return `Parameter ${name} is not read: send the key as parameter token, or in the header X-Api-Key.`;
}
