/**
 * Returns the texts that do not fit, as `"text" is cut off by <div class="…">`. The source of this function runs in
 * the page. Single lines with an ellipsis (`.line`) and texts for screen readers are cut off on purpose and skipped,
 * except short URLs in the popup's main area and on the links page.
 */
export function overflowing(): string[] {
  /** Tolerance for rounding, in CSS pixels. */
  const SLACK = 1;
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nameOf = (element: Element) => `<${element.localName} class="${element.className}">`;
  const cuts = (style: CSSStyleDeclaration) => style.overflowX !== 'visible' || style.overflowY !== 'visible';

  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim();
    const parent = node.parentElement;
    if (
      !text ||
      !parent ||
      getComputedStyle(parent).clipPath === 'inset(50%)' ||
      parent.closest('.line, bdi, script, style, option, [hidden], [aria-hidden="true"]')
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    if (box.left < -SLACK || box.right > innerWidth + SLACK) found.push(`"${text}" leaves the window`);
    for (let around: Element | null = parent; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      const isButton = around.localName === 'button';
      if (isButton || cuts(style)) {
        const scrolls = /auto|scroll/.test(style.overflowX);
        const outside = box.left < edge.left - SLACK || box.right > edge.right + SLACK;
        if (outside && !scrolls) found.push(`"${text}" is cut off by ${nameOf(around)}`);
        const high = box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK;
        if (high && style.overflowY === 'hidden') found.push(`"${text}" is cut off in its height by ${nameOf(around)}`);
      }
      // Dialogs and fixed elements appear above the page, so their ancestors do not cut them off.
      if (style.position === 'fixed' || around.localName === 'dialog') break;
    }
  }
  for (const part of document.querySelectorAll('.stage-url .short, .link > .short')) {
    const isCut = part.scrollWidth > part.clientWidth + SLACK || part.scrollHeight > part.clientHeight + SLACK;
    if (isCut) found.push(`"${part.textContent}" is cut off by itself`);
  }
  for (const part of document.querySelectorAll<HTMLElement>('.notice > span')) {
    if (part.offsetHeight > 3 * part.offsetWidth) found.push(`"${part.textContent}" is squeezed into a narrow column`);
  }
  for (const part of document.querySelectorAll('.whole')) {
    const range = document.createRange();
    range.selectNodeContents(part.lastChild ?? part);
    if (range.getClientRects().length > 1) found.push(`the short code of "${part.textContent}" is broken`);
  }
  const dialog = document.querySelector<HTMLElement>('.popup dialog[open]');
  const high = dialog ? dialog.offsetHeight - (dialog.closest<HTMLElement>('.popup')?.offsetHeight ?? 0) : 0;
  if (high > 0) found.push(`the dialog is ${high} px higher than the popup`);
  const wide = [...document.querySelectorAll('.scroll-content')].map((part) => part.scrollWidth - part.clientWidth);
  const over = Math.max(document.documentElement.scrollWidth - innerWidth, ...wide);
  if (over > 0) found.push(`the page is ${over} px wider than its window`);
  return found;
}
