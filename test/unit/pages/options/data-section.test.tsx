import '../../../gallery/stubbed.ts';
import { ICON_PATHS, type IconName } from '@terse/design';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { t } from '../../../../src/format/i18n.ts';
import type { DataFiles, DataResult } from '../../../../src/pages/options/data-files.ts';
import { DataSection } from '../../../../src/pages/options/data-section.tsx';
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

test.each<[string, DataResult]>([
  ['warning', { isDone: false, text: t('importProblem_broken_json') }],
  ['check', { isDone: true, text: t('imported', '2', '1', '3') }],
])('the result of an import is shown with the icon "%s"', async (icon, result) => {
  const page = await section({ importFile: async () => result });
  await choose(page);
  expect(resultIn(page)).toBe(result.text);
  expect(page.querySelector('[role="status"] path')?.getAttribute('d')).toBe(ICON_PATHS[icon as IconName]);
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
