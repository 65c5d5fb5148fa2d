import { beforeEach, expect, test, vi } from 'vitest';
import { COPY_MESSAGE } from '../../../../src/browser/clipboard-and-download.ts';

// @vitest-environment happy-dom

type Listener = (message: unknown, sender: object) => Promise<unknown> | undefined;
const { listeners } = vi.hoisted(() => ({ listeners: [] as Listener[] }));
vi.mock('../../../../src/browser/browser.ts', () => ({
  default: {
    runtime: { id: 'ours', onMessage: { addListener: (listener: Listener) => listeners.push(listener) } },
  },
}));

const copied: string[] = [];

beforeEach(async () => {
  copied.length = 0;
  document.execCommand = (command) => {
    const field = document.querySelector('textarea');
    if (command === 'copy' && field) copied.push(field.value);
    return true;
  };
  await import('../../../../src/pages/offscreen/index.ts');
});

function hear(message: unknown, sender: object = { id: 'ours' }): Promise<unknown> | undefined {
  return listeners[0]?.(message, sender);
}

test('text from the background is copied, and does not stay on the page', async () => {
  expect(await hear({ type: COPY_MESSAGE, text: 'https://s.example/a' })).toBe(true);
  expect(copied).toEqual(['https://s.example/a']);
  expect(document.querySelector('textarea')).toBeNull();
});

test('if the browser does not copy the text, the reply is false', async () => {
  document.execCommand = () => false;
  expect(await hear({ type: COPY_MESSAGE, text: 'x' })).toBe(false);
});

test.each([
  ['a message from another extension', { type: COPY_MESSAGE, text: 'x' }, { id: 'theirs' }],
  ['a message from a page in a tab', { type: COPY_MESSAGE, text: 'x' }, { id: 'ours', tab: { id: 1 } }],
  ['a message for the background', { type: 'resume' }, { id: 'ours' }],
  ['a message without text', { type: COPY_MESSAGE }, { id: 'ours' }],
  ['a message with a number instead of text', { type: COPY_MESSAGE, text: 7 }, { id: 'ours' }],
])('%s is ignored', (_name, message, sender) => {
  expect(hear(message, sender)).toBeUndefined();
  expect(copied).toEqual([]);
});
