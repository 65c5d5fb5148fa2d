export interface Figure {
  name: string;
  value: string;
  target: string;
  /** True if the value meets its target. Null if there is no target. */
  met: boolean | null;
}

export function atLeast(name: string, value: number, least: number): Figure {
  return { name, value: value.toFixed(2), target: `>= ${least}`, met: value >= least };
}

export function atMost(name: string, value: number, most: number, unit: string, digits = 1, note = ''): Figure {
  return { name, value: `${value.toFixed(digits)}${unit}${note}`, target: `<= ${most}${unit}`, met: value <= most };
}

export function plain(name: string, value: string): Figure {
  return { name, value, target: '', met: null };
}

export function table(figures: Figure[]): string {
  const mark = (met: boolean | null) => (met === null ? '' : met ? 'met' : 'MISSED');
  const head = ['what', 'measured', 'target', ''];
  const body = figures.map(({ name, value, target, met }) => [name, value, target, mark(met)]);
  const widths = head.map((_, column) => Math.max(3, ...[head, ...body].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

export function median(values: number[]): number {
  return percentile(values, 50);
}

/** Returns a percentile of the values. If `percent` is 100, returns the maximum. */
export function percentile(values: ArrayLike<number>, percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
