import '../../../gallery/stubbed.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import type { FlashMessage } from '../../../../src/components/error-toast.tsx';
import { MAX_ENTRIES } from '../../../../src/import-export/import-limits.ts';
import type { Found } from '../../../../src/pages/bulk/list-model.ts';
import { type BulkActions, useBulkActions } from '../../../../src/pages/bulk/use-bulk-actions.ts';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

const added: string[] = [];
let flash: FlashMessage | null;
let handlers: BulkActions;

const add = (found: Found[]) => void added.push(...found.map(({ text }) => text));
const show = (next: FlashMessage | null) => {
  flash = next;
};
const request = vi.fn<(asked: unknown) => Promise<boolean>>();
const query = vi.fn<(asked: unknown) => Promise<object[]>>();
const remove = vi.fn<(given: unknown) => Promise<boolean>>().mockResolvedValue(true);
const rest = {
  send: vi.fn(),
  showList: vi.fn(),
  choose: vi.fn(),
  announce: vi.fn(),
  change: vi.fn(),
  copy: vi.fn(),
  tabIds: [],
  selectionTabId: null,
};

function Page(part: Partial<Parameters<typeof useBulkActions>[0]>) {
  handlers = useBulkActions({ add, show, ...rest, ...part });
  return null;
}

Object.assign((globalThis as unknown as { browser: object }).browser, {
  extension: { inIncognitoContext: false },
  permissions: { request, remove },
  runtime: { getURL: (path: string) => `chrome-extension://own/${path}` },
  tabs: { query },
});

beforeEach(async () => {
  added.length = 0;
  flash = null;
  await render(<Page />);
});

const TOO_MUCH = 'https://a.example/\n'.repeat(MAX_ENTRIES + 1);
const WHY = {
  text: 'This is too large: the maximum is 50,000 entries and 32 MB. Nothing was added. Split the file or text into smaller parts and add them one by one.',
};
const pasted = (text: string) =>
  ({ files: [], getData: (type: string) => (type === 'text/plain' ? text : '') }) as unknown as DataTransfer;

test('typed or pasted text that is too long is refused with a message', () => {
  expect(handlers.addText(TOO_MUCH)).toBe(false);
  expect(flash).toEqual(WHY);
  expect(handlers.addText('https://a.example/')).toBe(true);
  expect(flash).toBeNull();
  // The handler returns true, so the browser does not insert the pasted text into the text box.
  expect(handlers.addTransfer(pasted(TOO_MUCH))).toBe(true);
  expect(flash).toEqual(WHY);
  expect(added).toEqual(['https://a.example/']);
  expect(handlers.addTransfer(pasted(''))).toBe(false);
});

test('an error in one of several files is shown, and the other files are added', async () => {
  const fine = new File(['https://b.example/'], 'fine.txt');
  handlers.addFiles([new File([TOO_MUCH], 'long.txt'), new File([''], 'empty.txt'), fine]);
  await vi.waitFor(() => expect(added).toEqual(['https://b.example/']));
  expect(flash).toEqual(WHY);
  handlers.addFiles([fine]);
  await vi.waitFor(() => expect(flash).toBeNull());
});

test('a file without URLs shows a message, even if the list has entries', async () => {
  handlers.addText('https://a.example/');
  handlers.addFiles([new File(['<p>No links</p>'], 'page.html')]);
  await vi.waitFor(() => expect(flash).toEqual({ text: 'Nothing found' }));
});

test('if the user denies access to tabs, a message asks for the permission', async () => {
  request.mockResolvedValue(false);
  handlers.addTabs();
  const text = 'Terse needs your permission to do this. Try again and choose Allow.';
  await vi.waitFor(() => expect(flash).toEqual({ text }));
  expect(added).toEqual([]);
});

test.each([
  ['are read', async () => [{ id: 1, url: 'https://a.example/', incognito: false }]],
  ['cannot be read', async () => Promise.reject(new Error('No window'))],
])('the permission to read tabs is removed after the tabs %s', async (_what, answer) => {
  request.mockResolvedValue(true);
  remove.mockClear();
  query.mockImplementation(answer);
  handlers.addTabs();
  await vi.waitFor(() => expect(remove.mock.calls).toEqual([[{ permissions: ['tabs'] }]]));
});

test('tabs are added even if the permission to read them cannot be removed', async () => {
  request.mockResolvedValue(true);
  remove.mockRejectedValueOnce(new Error('Not removable'));
  query.mockResolvedValue([{ id: 1, url: 'https://a.example/', incognito: false }]);
  handlers.addTabs();
  await vi.waitFor(() => expect(added).toEqual(['https://a.example/']));
});
