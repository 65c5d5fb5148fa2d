import { expect } from 'vitest';

/** A command in a guide, with the response that the guide shows below it. */
export interface Example {
  command: string;
  form: string;
  answer: string;
}

/** Returns each shell block of a Markdown text with the block that follows it. */
export function examplesOf(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, form = '', text = '']) => ({ form, text }));
  return blocks.flatMap(({ form, text }, at) => {
    const next = blocks[at + 1];
    return form === 'sh' ? [{ command: text, form: next?.form ?? '', answer: next?.text ?? '' }] : [];
  });
}

/** Compares the output of a command with the guide. Values that change on each run are ignored. */
export function compareAnswer({ form, answer }: Example, printed: string): void {
  const [expected, actual] = form === 'http' ? [split(answer), split(printed)] : [jsonOnly(answer), jsonOnly(printed)];
  expect(actual.statusLine).toBe(expected.statusLine);
  for (const line of expected.headers) expect(actual.headers).toContain(line);
  expect(steady(actual.body)).toEqual(steady(expected.body));
}

interface Message {
  statusLine: string;
  headers: string[];
  body: unknown;
}

function jsonOnly(text: string): Message {
  return { statusLine: '', headers: [], body: JSON.parse(text) };
}

function split(text: string): Message {
  const [head = '', body = ''] = text.replaceAll('\r', '').split(/\n\n(.*)/s);
  const [statusLine = '', ...lines] = head.trim().split('\n');
  // The comparison ignores the case of header names.
  const headers = lines.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()));
  return { statusLine, headers, body: body.trim() ? JSON.parse(body) : null };
}

/** Patterns of values that change on each run, by name. */
const CHANGING: Record<string, RegExp> = {
  createdAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  version: /^\d+\.\d+\.\d+$/,
  lastFour: /^[0-9A-Za-z]{4}$/,
  resetSeconds: /^\d{1,5}$/,
};
const GENERATED = /^(https:\/\/t\.example\/)?[2-9A-HJ-NP-Za-hjkm-z]{7}$/;

function steady(value: unknown, name = ''): unknown {
  const changing = CHANGING[name];
  if (changing) return changing.test(String(value)) ? `some ${name}` : value;
  if (typeof value === 'string') return value.replace(GENERATED, '$1(generated)');
  if (Array.isArray(value)) return value.map((item) => steady(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, steady(item, key)]));
}
