/** The errors of the SDK's handlers in the words and codes of the protocol. */

interface Fault {
  readonly error: string;
  readonly error_description: string;
}

const CODES: Readonly<Record<string, string>> = {
  redirect_uris: 'invalid_redirect_uri',
  response_type: 'unsupported_response_type',
};

/** An answer of a handler; an error whose description is the JSON of a validator becomes a sentence. */
export function plainFault<Body>(body: Body): Body | Fault {
  if (typeof body !== 'object' || body === null || !('error_description' in body)) return body;
  const names = faultyNames(String(body.error_description));
  if (names === undefined) return body;
  const named = names.filter((name) => name !== '');
  const what = named.length === 0 ? 'The body' : named.join(', ');
  const code = CODES[named[0] ?? ''] ?? String('error' in body ? body.error : '');
  return { error: code, error_description: `${what}: missing or not valid.` };
}

function faultyNames(text: string): readonly string[] | undefined {
  const start = text.indexOf('[');
  if (start < 0) return undefined;
  try {
    const issues: unknown = JSON.parse(text.slice(start));
    if (!Array.isArray(issues)) return undefined;
    return [...new Set(issues.map(({ path }) => String(path?.[0] ?? '')))].slice(0, 10);
  } catch {
    return undefined;
  }
}
