/** A whole number as people write it: "1,234". */
export function figure(value: number): string {
  return value.toLocaleString('en');
}

/** A number of things: "1 click", "1,234 clicks". */
export function count(value: number, thing: string): string {
  return `${figure(value)} ${thing}${value === 1 ? '' : 's'}`;
}
