/** How long to wait between two questions, in milliseconds. */
const PACE = 500;

/** Moves the bar of an import while it runs, and shows its outcome once it is done. Without script the page reloads. */
export async function followImport() {
  const section = document.querySelector('[data-import]');
  if (!section) return;
  const bar = section.querySelector('progress');
  const text = section.querySelector('[data-import-text]');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PACE));
    const answer = await fetch(section.dataset.import).catch(() => null);
    if (!answer) continue;
    if (!answer.ok) break;
    const { handled, total, isRunning } = await answer.json();
    if (!isRunning) break;
    bar.max = total;
    bar.value = handled;
    text.textContent = `${handled.toLocaleString('en')} of ${total.toLocaleString('en')} rows`;
  }
  location.reload();
}
