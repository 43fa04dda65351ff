import { ref } from 'vue';

/** The reader's API key, for all pages until the window is closed or loaded again. It is not stored. */
export const readerKey = ref('');
