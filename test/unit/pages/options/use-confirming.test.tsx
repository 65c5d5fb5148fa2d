import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { confirmImported } from '../../../../src/link-sync/confirm-imported.ts';
import { useConfirming } from '../../../../src/pages/options/connections-section.tsx';
import type { ImportExportActions } from '../../../../src/pages/options/use-import-export.ts';
import type { Connection } from '../../../../src/queue/types.ts';
import { CONNECTION, SECOND_CONNECTION } from '../../../gallery/fixtures.ts';
import { render, rerender } from '../../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/link-sync/confirm-imported.ts', () => ({ confirmImported: vi.fn(async () => {}) }));

const add = vi.fn<ImportExportActions['add']>();
const handlers = { add } as unknown as ImportExportActions;
let data: ImportExportActions;

function Page({ connections, enabled = true }: { connections: Connection[]; enabled?: boolean }) {
  data = useConfirming(connections, enabled, handlers);
  return null;
}

const asked = () =>
  vi.mocked(confirmImported).mock.calls.map(([connections]) => connections.map(({ id, lastFour }) => [id, lastFour]));
const imported = () => act(async () => void (await data.add({} as Parameters<ImportExportActions['add']>[0], null)));
const own = [CONNECTION.id, CONNECTION.lastFour];

beforeEach(() => {
  vi.mocked(confirmImported).mockClear();
  add.mockReset().mockResolvedValue({ ok: true, value: { connections: 0, requests: 0, links: 1 } });
});

test('services are asked at first, and again after an import, with the connections that are there by then', async () => {
  await render(<Page connections={[CONNECTION]} />);
  await rerender(<Page connections={[{ ...CONNECTION }]} />);
  expect(asked()).toEqual([[own]]);
  await rerender(<Page connections={[CONNECTION, SECOND_CONNECTION]} />);
  await imported();
  const both = [own, [SECOND_CONNECTION.id, SECOND_CONNECTION.lastFour]];
  expect(asked()).toEqual([[own], both, both]);
});

test('a connection that gets its key is asked then', async () => {
  await render(<Page connections={[{ ...CONNECTION, lastFour: '', service: null }]} />);
  await rerender(<Page connections={[CONNECTION]} />);
  expect(asked()).toEqual([[[CONNECTION.id, '']], [own]]);
});

test('nobody is asked after an import that failed, in a private window, or without a network', async () => {
  await render(<Page connections={[CONNECTION]} enabled={false} />);
  await imported();
  expect(asked().flat()).toEqual([]);
  await rerender(<Page connections={[CONNECTION]} />);
  add.mockResolvedValue({ ok: false, code: 'storage_full' });
  await imported();
  expect(asked().flat()).toEqual([own]);
});
