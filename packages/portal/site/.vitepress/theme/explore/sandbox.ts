import { ref } from 'vue';
import { SANDBOX } from './api.ts';

/** Whether calls without a key go to a sandbox; false until the page has started, as it was built. */
export const hasSandbox = ref(false);

export function findSandbox(): void {
  hasSandbox.value = SANDBOX !== '';
}
