/** Time for which a button shows "Copied", in milliseconds. */
const MESSAGE_DURATION = 2000;

/** Shows the copy buttons, which are hidden if JavaScript is disabled. */
export function enableCopying() {
  for (const button of document.querySelectorAll('button[data-copy]')) {
    if (!button.dataset.copy) continue;
    button.hidden = false;
    button.addEventListener('click', async () => showResult(button, await copy(button.dataset.copy)));
  }
}

/**
 * Copies text to the clipboard. On plain http pages, `navigator.clipboard` is unavailable, so the text is copied from
 * a temporary text field instead.
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    // If a dialog is open, the text field must be inside the dialog, because text outside of it cannot be selected.
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** Shows on a button for a short time if its text was copied. */
export function showResult(button, isCopied) {
  const label = button.querySelector('[data-copy-label]');
  button.dataset.label ??= label ? label.textContent : button.title;

  function show(text) {
    if (label) label.textContent = text;
    else {
      button.title = text;
      button.ariaLabel = text;
    }
  }
  show(isCopied ? 'Copied' : 'Copying failed');
  button.classList.toggle('is-done', isCopied);
  clearTimeout(button.timer);
  button.timer = setTimeout(() => {
    button.classList.remove('is-done');
    show(button.dataset.label);
  }, MESSAGE_DURATION);
}
