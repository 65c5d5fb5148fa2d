import { beforeEach, expect, test, vi } from 'vitest';
import { readSelectedText } from '../../../src/browser/read-page.ts';

// @vitest-environment happy-dom

const executeScript = vi.hoisted(() => vi.fn());
vi.mock('../../../src/browser/browser.ts', () => ({ default: { scripting: { executeScript } } }));

beforeEach(() => {
  executeScript.mockImplementation(async ({ func }: { func: () => unknown }) => [{ result: func() }]);
  getSelection()?.removeAllRanges();
});

/** Selects the value of a focused text field, and returns the field. */
function selectField<T extends 'input' | 'textarea'>(name: T, value: string): HTMLElementTagNameMap[T] {
  const field = document.createElement(name);
  document.body.replaceChildren(field);
  field.value = value;
  field.focus();
  field.setSelectionRange(0, value.length);
  return field;
}

test('the selected text of a page keeps its line breaks', async () => {
  document.body.innerHTML = '<pre>example.com/a\nexample.com/b</pre>';
  getSelection()?.selectAllChildren(document.body);
  expect(await readSelectedText(7, 0, 'example.com/a example.com/b')).toBe('example.com/a\nexample.com/b');
});

test('the selected text of a text field keeps its line breaks', async () => {
  selectField('textarea', 'example.com/a\nexample.com/b\nexample.com/c').setSelectionRange(0, 27);
  expect(await readSelectedText(7, 0, 'example.com/a example.com/b')).toBe('example.com/a\nexample.com/b');
});

test('a selection that the browser reports only in part is complete', async () => {
  const text = 'https://x.example/long/ '.repeat(1_000).trim();
  selectField('textarea', text);
  expect(await readSelectedText(7, 0, text.slice(0, 16_384))).toBe(text);
});

test('the text of a page is read even if a text field has another selection', async () => {
  selectField('input', 'elsewhere');
  const text = document.createElement('p');
  text.textContent = 'example.com/a';
  document.body.append(text);
  getSelection()?.selectAllChildren(text);
  document.querySelector('input')?.focus();
  expect(await readSelectedText(7, 0, 'example.com/a')).toBe('example.com/a');
});

test('a password is never read', async () => {
  const field = selectField('input', 'secret');
  field.type = 'password';
  await readSelectedText(7, 0, 'secret');
  expect(await executeScript.mock.results[0]?.value).not.toContainEqual({ result: expect.arrayContaining(['secret']) });
});
