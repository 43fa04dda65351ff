import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Html } from './html.ts';

/** Text that stands in the pages themselves, so that browsers fetch nothing. */
export interface Asset extends Html {
  /** Its source expression for a Content-Security-Policy. */
  readonly source: string;
}

/** The stylesheet of all pages. */
export const STYLESHEET = assetOf(read('stylesheet.css').replaceAll(/\s+/g, ' '));

/** The only script, the last element of a page with texts to copy. */
export const COPY_SCRIPT = assetOf(read('copy-script.js'));

// Not compiled, so it is read from `src` by the compiled pages too.
function read(name: string): string {
  return readFileSync(new URL(`../../src/pages/${name}`, import.meta.url), 'utf8');
}

function assetOf(markup: string): Asset {
  const digest = createHash('sha256').update(markup).digest('base64');
  return { markup, source: `'sha256-${digest}'` };
}
