/** Time between two requests, in milliseconds. */
const INTERVAL = 500;

/** Updates the progress of an import until it ends, then reloads the page. */
export async function followImport() {
  const section = document.querySelector('[data-import]');
  if (!section) return;
  const bar = section.querySelector('progress');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    const response = await fetch(section.dataset.import).catch(() => null);
    if (!response) continue;
    if (!response.ok) break;
    const { figures, total, isRunning } = await response.json();
    if (!isRunning) break;
    bar.max = total;
    bar.value = figures.handled;
    for (const element of document.querySelectorAll('[data-import-figure]')) {
      element.textContent = figures[element.dataset.importFigure].toLocaleString('en');
    }
  }
  location.reload();
}
