// Adds a button to every element with `data-copy`, which copies its text. Without scripts a click on
// the text selects it.
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
