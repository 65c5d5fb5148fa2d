import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { t } from '../../../../src/format/i18n.ts';
import { DataSection } from '../../../../src/pages/options/data-section.tsx';
import type { DataFiles } from '../../../../src/pages/options/data-store.ts';
import { FILES, optionsStore } from '../../../gallery/options-states.tsx';
import { press, render, textOf } from '../../support/render.ts';

// @vitest-environment happy-dom

async function section(files: Partial<DataFiles> = {}) {
  const store = optionsStore({ deps: { files: { ...FILES, ...files } } });
  return render(<DataSection store={store} />);
}

async function choose(page: HTMLElement) {
  const input = page.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('The page has no file input.');
  Object.defineProperty(input, 'files', { value: [new File(['{}'], 'x.json')] });
  await act(() => void input.dispatchEvent(new Event('change', { bubbles: true })));
  await vi.waitFor(() => expect(resultIn(page) !== t('importReading')).toBe(true));
}

const resultIn = (page: HTMLElement) => textOf(page.querySelector('[role="status"]'));

test.each<[string, Awaited<ReturnType<DataFiles['importFile']>>, string]>([
  ['is damaged', { kind: 'problem', problem: 'broken_json' }, t('importProblem_broken_json')],
  ['is a list of URLs', { kind: 'problem', problem: 'not_an_export' }, t('importProblem_not_an_export')],
  ['cannot be stored', { kind: 'failed', code: 'storage_full' }, t('refusal_storage_full')],
  [
    'has new entries',
    { kind: 'imported', added: { links: 2, connections: 1 }, skipped: 3 },
    t('imported', '2', '1', '3'),
  ],
])('the result of an import is shown if the file %s', async (_what, result, message) => {
  const page = await section({ importFile: async () => result });
  await choose(page);
  expect(resultIn(page)).toBe(message);
});

test('all data is deleted only after the user confirms', async () => {
  const deleteEverything = vi.fn(FILES.deleteEverything);
  const page = await section({ deleteEverything });
  await press(t('deleteEllipsis'));
  expect(deleteEverything).not.toHaveBeenCalled();
  expect(textOf(page.querySelector('dialog'))).toContain(t('deleteEverythingText'));
  page.querySelector<HTMLElement>('dialog .is-danger')?.click();
  await vi.waitFor(() => expect(resultIn(page)).toBe(t('deletedEverything')));
  expect(deleteEverything).toHaveBeenCalledOnce();
});
