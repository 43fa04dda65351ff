/**
 * The URL of a text, relative to `base`; null if it is not one. In place of `URL.canParse`, which in
 * Node 20 rejects URLs with Latin-1 letters (`http://münchen.example`) once it has been optimized.
 */
export function parseUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
