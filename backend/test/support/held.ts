/**
 * The environment of a process that goes no further than one place.
 *
 * @param module what the address of the program's module ends with
 * @param after the statement behind which the process stays
 * @param condition an expression in that module's words: it stays for as long as this is true
 */
export function heldIn(module: string, after: string, condition: string): Record<string, string> {
  const preload = new URL('hold.ts', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${preload}`, HOLD_IN: module, HOLD_AFTER: after, HOLD_WHILE: condition };
}
