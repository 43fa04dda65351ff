import { createHash } from 'node:crypto';

/**
 * Puts a button beside every element with `data-copy`, which copies its text. Only browsers that run
 * scripts show it; without it the texts are selected by a click.
 */
const COPY_SCRIPT = `
for (const source of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  const select = () => getSelection().selectAllChildren(source);
  button.type = 'button';
  button.className = 'second small';
  button.textContent = source.dataset.copy;
  button.setAttribute('aria-live', 'polite');
  source.addEventListener('focus', select);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      select();
      if (!document.execCommand('copy')) return;
    }
    button.textContent = 'Copied';
  });
  source.after(button);
}
`.trim();

/** The script as the last element of a page that has something to copy. */
export const COPY_SCRIPT_MARKUP = { markup: `<script>${COPY_SCRIPT}</script>` };

/** Its source expression for a Content-Security-Policy. */
export const COPY_SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(COPY_SCRIPT).digest('base64')}'`;
