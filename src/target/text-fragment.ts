/** Where a fragment begins to speak to the browser alone: the text that it highlights and scrolls to. */
const DIRECTIVE = ':~:';

/** An address without the text that it highlights; null where it highlights none. */
export function withoutTextFragment(address: string): string | null {
  const hash = address.indexOf('#');
  const directive = address.indexOf(DIRECTIVE, hash + 1);
  if (hash < 0 || directive < 0) return null;
  // What is left of the fragment is the page's own.
  return address.slice(0, directive === hash + 1 ? hash : directive);
}
