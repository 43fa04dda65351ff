import { ref } from 'vue';

/** The reader's API key, for all pages until the window is closed or loaded again. It is not stored. */
export const readerKey = ref('');

const FRAGMENT = '#key=';

/**
 * Takes the key from the fragment of the address, which browsers send to no server, and removes it from there:
 * so the address of a local demonstration opens the explorer with a key.
 */
export function takeKeyOfAddress(): void {
  if (!location.hash.startsWith(FRAGMENT)) return;
  readerKey.value = decodeURIComponent(location.hash.slice(FRAGMENT.length));
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
}
