/**
 * How far a journal is counted: all segments before this one, this one up to `start`, and of what lies between `start`
 * and `end` the first `done` aggregates. A part is added up in the same order each time, so that where its transactions
 * were cut short the rest of them can follow. An aggregate of that order adds up at most `most` clicks; in version 0.1
 * there was no such bound.
 */
export interface Progress {
  segment: number;
  start: number;
  end: number;
  done: number;
  most: number;
}

export const BEGINNING: Progress = { segment: 0, start: 0, end: 0, done: 0, most: Number.POSITIVE_INFINITY };

export function writeProgress({ segment, start, end, done, most }: Progress): string {
  return `${segment}:${start}:${end}:${done}:${most}`;
}

export function readProgress(text: string | null): Progress {
  if (text === null) return BEGINNING;
  const [segment = 0, start = 0, end = 0, done = 0, most = Number.POSITIVE_INFINITY] = text.split(':').map(Number);
  return { segment, start, end, done, most };
}
