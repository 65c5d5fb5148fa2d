import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { describe, expect, test, vi } from 'vitest';
import { t } from '../../../../src/format/i18n.ts';
import { DataSection } from '../../../../src/pages/options/data-section.tsx';
import type { DataFiles } from '../../../../src/pages/options/data-store.ts';
import { FILES, OPTIONS_STATES, optionsStore } from '../../../gallery/options-states.tsx';
import { control, press, render, textOf } from '../../support/render.ts';

// @vitest-environment happy-dom

const preview = OPTIONS_STATES['importing-export']?.preview;
if (!preview) throw new Error('The gallery has no import preview.');

async function section(files: Partial<DataFiles> = {}) {
  const store = optionsStore({ deps: { files: { ...FILES, ...files } } });
  return render(<DataSection store={store} />);
}

async function choose(page: HTMLElement) {
  const input = page.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('The page has no file input.');
  Object.defineProperty(input, 'files', { value: [new File(['{}'], 'x.json')] });
  await act(() => void input.dispatchEvent(new Event('change', { bubbles: true })));
  await vi.waitFor(() => expect(result(page) !== t('importReading')).toBe(true));
}

const result = (page: HTMLElement) => textOf(page.querySelector('[role="status"]'));

test('the number of stored links is shown', async () => {
  const page = await section();
  const first = () => textOf(page.querySelector('.setting'));
  await vi.waitFor(() =>
    expect(first()).toBe("1,204 links Stored in this browser. Exports don't include API keys. Export"),
  );
});

describe('an import', () => {
  test('shows a message if the file is refused', async () => {
    const page = await section({ read: async () => ({ problem: 'broken_json' }) });
    await choose(page);
    expect(result(page)).toBe(t('importProblem_broken_json'));
  });

  test('says where a file with a list of URLs can be opened', async () => {
    const page = await section({ read: async () => ({ problem: 'not_an_export' }) });
    await choose(page);
    expect(result(page)).toContain(t('manyTitle'));
  });

  test('adds nothing before the user confirms, and imports options only if chosen', async () => {
    const add = vi.fn(FILES.add);
    const page = await section({ read: async () => preview, add });
    await choose(page);
    await vi.waitFor(() => control(t('importNow')));
    expect(add).not.toHaveBeenCalled();
    const box = page.querySelector<HTMLInputElement>('dialog input[type=checkbox]');
    box?.click();
    await vi.waitFor(() => expect(box?.checked).toBe(false));
    await press(t('importNow'));
    expect(add.mock.calls).toEqual([[preview.contents, null]]);
    await vi.waitFor(() => expect(result(page)).toBe(t('imported', '2', '0')));
  });

  test('shows the full address of every connection that would be added', async () => {
    const long = `https://links.example.com.${'long.'.repeat(20)}elsewhere.example`;
    const [connection] = preview.added.connections;
    if (!connection) throw new Error('The file has no connection.');
    const connections = [connection, { ...connection, id: 'second', baseUrl: long }];
    const added = { ...preview.added, connections };
    const page = await section({ read: async () => ({ ...preview, added }) });
    await choose(page);
    await vi.waitFor(() => control(t('importNow')));
    const named = [...page.querySelectorAll('dialog ul li')].map(textOf);
    expect(named).toEqual([connection.baseUrl, long]);
  });

  test('shows the number of skipped entries', async () => {
    const contents = { ...preview.contents, skipped: 3 };
    const page = await section({ read: async () => ({ ...preview, contents }) });
    await choose(page);
    await vi.waitFor(() => control(t('cancel')));
    expect(textOf(page.querySelector('dialog .report'))).toContain(`${t('importLeftOut')} 3`);
  });

  test('shows a message if the data cannot be stored', async () => {
    const page = await section({ read: async () => preview, add: async () => ({ ok: false, code: 'storage_full' }) });
    await choose(page);
    await vi.waitFor(() => control(t('importNow')));
    await press(t('importNow'));
    await vi.waitFor(() => expect(result(page)).toBe(t('refusal_storage_full')));
  });
});

test('all data is deleted only after the user confirms', async () => {
  const deleteEverything = vi.fn(FILES.deleteEverything);
  const page = await section({ deleteEverything });
  await press(t('deleteEllipsis'));
  expect(deleteEverything).not.toHaveBeenCalled();
  expect(textOf(page.querySelector('dialog'))).toContain(t('deleteEverythingText'));
  page.querySelector<HTMLElement>('dialog .is-danger')?.click();
  await vi.waitFor(() => expect(result(page)).toBe(t('deletedEverything')));
  expect(deleteEverything).toHaveBeenCalledOnce();
});
