/**
 * Turns the panels into dialogs. The user can close a dialog with Escape, with its buttons, or by clicking outside of
 * it.
 */
export function enablePanels() {
  for (const panel of document.querySelectorAll('[data-panel]')) {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', `${panel.id}-title`);
    panel.replaceWith(dialog);
    panel.removeAttribute('aria-labelledby');
    panel.classList.remove('card');
    panel.hidden = false;
    dialog.append(panel);
    for (const button of panel.querySelectorAll('[data-close]')) {
      button.hidden = false;
      button.addEventListener('click', () => dialog.close());
    }
    dialog.addEventListener('pointerdown', ({ target }) => target === dialog && dialog.close());
    for (const opener of document.querySelectorAll(`[data-opens="${panel.id}"]`)) {
      opener.addEventListener('click', (event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(dialog);
      });
    }
    if (panel.querySelector('[aria-invalid]')) open(dialog);
    if (location.hash !== `#${panel.id}`) continue;
    // Removes the fragment from the URL. Otherwise, the browser would move the focus out of the panel, and reloading
    // the page would open the panel again.
    history.replaceState(null, '', location.pathname + location.search);
    open(dialog);
  }
}

function open(dialog) {
  dialog.showModal();
  const field = dialog.querySelector('[aria-invalid]') ?? dialog.querySelector('.input');
  field?.focus();
}
