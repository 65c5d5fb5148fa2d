/**
 * Selector for the controls of a row that the arrow keys can reach. Menu items are not included, because an open menu
 * handles these keys itself.
 */
const CONTROLS = 'input, .link-actions > button, .menu > button';

/**
 * Moves the focus between the rows of a list. The up and down arrow keys move to the same control in the previous or
 * next row. Home and End move to the first and last row.
 */
export function moveBetweenRows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const rows = [...event.currentTarget.querySelectorAll('.link')];
  const index = rows.findIndex((row) => row.contains(event.target as Node));
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined || index < 0) return;
  const control = controlsOf(rows[index]).indexOf(event.target as HTMLElement);
  event.preventDefault();
  controlsOf(rows[next])[Math.max(0, control)]?.focus();
}

function controlsOf(row: Element | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
}
