import { TOKEN_PARAMETER } from '@vcds/credentials';

/** The parameters without the credential in `token`. */
export function withoutCredential(
  parameters: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (!parameters.has(TOKEN_PARAMETER)) return parameters;
  return new Map([...parameters].filter(([name]) => name !== TOKEN_PARAMETER));
}
