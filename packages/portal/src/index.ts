/**
 * The built documentation. `npm run build` writes it: the files of {@link ASSETS}, and the website
 * in the folder `docs`.
 */
export const PORTAL_FOLDER = new URL('../dist/', import.meta.url);

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
});

/**
 * The public URLs in all built files, without a version segment. access-api replaces them by the
 * configured ones.
 */
export const PLACEHOLDER_URLS = Object.freeze({
  dataPublicUrl: 'https://api.vcds.example',
  accessPublicUrl: 'https://access.vcds.example',
});
