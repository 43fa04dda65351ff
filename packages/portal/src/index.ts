/**
 * The built documentation. `npm run build` writes it: the files of {@link ASSETS}, and the website
 * in the folder `docs`.
 */
export const PORTAL_FOLDER = new URL('../dist/', import.meta.url);

/** The colors and the footer of all pages. Not compiled, so it is read from `src` by compiled code too. */
export const SHARED_STYLES = new URL('../src/shared.css', import.meta.url);

/** The files beside the website. */
export const ASSETS = Object.freeze({
  /** The description of the data API (OpenAPI). */
  dataApi: 'openapi.json',
  /** The description of the access API (OpenAPI). */
  accessApi: 'access-openapi.json',
  /** The description of the data API as a collection of Postman. */
  postman: 'postman.json',
  /** An overview for assistants (llmstxt.org). */
  llms: 'llms.txt',
  /** Everything an assistant needs to call the data API. */
  llmsFull: 'llms-full.txt',
  /** The entry of the MCP server in the MCP registry. */
  server: 'server.json',
  /** How a program gets access for a person. */
  auth: 'auth.md',
  /** A skill for agents. */
  skill: 'SKILL.md',
});

/** `https://api.example.com` as `com.example.api`, as in names of the MCP registry. */
export function reversedHost(url: string): string {
  return new URL(url).hostname.split('.').reverse().join('.');
}

/**
 * The public URLs in all built files, without a version segment. access-api replaces them by the
 * configured ones.
 */
export const PLACEHOLDER_URLS = Object.freeze({
  dataPublicUrl: 'https://api.vcds.example',
  accessPublicUrl: 'https://access.vcds.example',
  /** Replaced by an empty text where there is no sandbox. */
  sandboxPublicUrl: 'https://sandbox.vcds.example',
});
