import { requestPage } from './new-link.js';

/** Time between two requests, in milliseconds. */
const INTERVAL = 500;

/** Updates the progress bar and the figures of an import until it ends, then reloads the page. */
export async function followImport() {
  while (document.querySelector('[data-importing]')) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    const answer = await requestPage('GET', location.href);
    if (!answer) continue;
    const current = [...(answer.response?.querySelectorAll('[data-importing]') ?? [])];
    if (current.length === 0) return location.reload();
    for (const shown of document.querySelectorAll('[data-importing]')) shown.replaceWith(current.shift());
  }
}
