import { type Html, html, icon } from './html-elements.ts';

interface Panel {
  id: string;
  title: string;
  content: Html;
  /** True if the panel stays hidden when JavaScript is disabled. Another page must then offer the same content. */
  needsScript?: boolean;
}

/**
 * Draws a panel. A script turns the panel into a dialog, which opens when the user clicks an element with
 * `data-opens`. Without JavaScript, the panel is a normal section of the page.
 */
export function panel({ id, title, content, needsScript = false }: Panel): Html {
  return html`<section class="panel card" id="${id}" aria-labelledby="${id}-title" data-panel ${needsScript ? html`hidden` : ''}>
  <div class="panel-head"><h2 id="${id}-title">${title}</h2><button type="button" class="icon-button" aria-label="Close" title="Close" data-close hidden>${icon('close')}</button></div>
  ${content}
</section>`;
}
