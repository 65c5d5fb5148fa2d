import { copy, showResult } from './copy-buttons.js';

/**
 * Shows the number of selected links, and lets users select all links, clear the selection and copy the short URLs.
 */
export function enableSelection() {
  const form = document.getElementById('selection');
  if (!form) return;
  const boxes = [...document.querySelectorAll('.tick input[name="code"]')];
  const selectAll = document.querySelector('[data-select-all]');
  const copyButton = form.querySelector('[data-copy-selected]');
  const allBox = selectAll.querySelector('input');
  selectAll.hidden = false;
  copyButton.hidden = false;

  function update() {
    const count = boxes.filter(({ checked }) => checked).length;
    allBox.checked = count === boxes.length;
    allBox.indeterminate = count > 0 && count < boxes.length;
    form.querySelector('[data-selected]').textContent = count > 0 ? `${count} selected` : '';
  }

  function selectEvery(isSelected) {
    for (const box of boxes) box.checked = isSelected;
    update();
  }
  allBox.addEventListener('change', () => selectEvery(allBox.checked));
  document.addEventListener('change', update);
  form.querySelector('[data-clear]').addEventListener('click', (event) => {
    event.preventDefault();
    selectEvery(false);
    allBox.focus();
  });
  document.addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog[open]')) selectEvery(false);
  });
  copyButton.addEventListener('click', async () => {
    const rows = boxes.filter(({ checked }) => checked).map((box) => box.closest('.link'));
    const urls = rows.map((row) => row.querySelector('[data-copy]').dataset.copy);
    showResult(copyButton, await copy(urls.join('\n')));
  });
  update();
}
