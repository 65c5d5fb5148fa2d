/** How long to wait between two questions, in milliseconds. */
const PACE = 500;

/** Moves the bar and the figures of an import while it runs, and shows its result at the end. Without script, the page reloads. */
export async function followImport() {
  const section = document.querySelector('[data-import]');
  if (!section) return;
  const bar = section.querySelector('progress');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PACE));
    const answer = await fetch(section.dataset.import).catch(() => null);
    if (!answer) continue;
    if (!answer.ok) break;
    const { figures, total, isRunning } = await answer.json();
    if (!isRunning) break;
    bar.max = total;
    bar.value = figures.handled;
    for (const shown of document.querySelectorAll('[data-import-figure]')) {
      shown.textContent = figures[shown.dataset.importFigure].toLocaleString('en');
    }
  }
  location.reload();
}
