// @vitest-environment happy-dom
import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CopyPlan } from '../../../../src/link-sync/plan-copy-to-server.ts';
import type { Message } from '../../../../src/messages/protocol.ts';
import { CopyDialog } from '../../../../src/pages/links/copy-to-server/copy-dialog.tsx';
import { useCopyDialog } from '../../../../src/pages/links/copy-to-server/use-copy-dialog.tsx';
import type { Connection, Link } from '../../../../src/queue/types.ts';
import { NOW, specOnly } from '../../queue/support/queue-builders.ts';
import { aLink } from '../../storage/stored.ts';
import { press, render, textOf } from '../../support/render.ts';

/** URLs that the background refuses. */
const refusedUrls = new Set<string>();
vi.mock('../../../../src/messages/ask-background.ts', async (original) => ({
  ...(await original<typeof import('../../../../src/messages/ask-background.ts')>()),
  sendToBackgroundWithRetry: async ({ orders }: Message & { type: 'shorten' }) => {
    const refused = orders.filter(({ url }) => refusedUrls.has(url)).map(({ id }) => ({ orderId: id }));
    return { ok: true, value: { requestIds: [], existing: [], refused, userInfoRemoved: false } };
  },
}));

const to = (id: string, kind: Connection['kind'] & string): Connection => ({
  ...specOnly,
  id,
  kind,
  name: `My ${kind}`,
  service: { name: kind, shortBaseUrl: `https://${id}.example`, features: [] },
});
const CONNECTIONS = [to('a', 'kutt'), to('b', 'yourls'), to('c', 'shlink')];

const link = (shortCode: string, part: Partial<Link> = {}): Link =>
  aLink(shortCode, { shortCode, connectionId: 'a', url: `https://x.example/${shortCode}`, title: 'A title', ...part });

const copy = vi.fn<(id: string, plan: CopyPlan) => void>();

beforeEach(() => {
  copy.mockClear();
});

const dialog = (links: Link[]) =>
  render(<CopyDialog links={links} known={links} connections={CONNECTIONS} now={NOW} copy={copy} close={() => {}} />);

test('the dialog offers the other servers, and lists what the copies will lose', async () => {
  const body = await dialog([link('Capital'), link('small', { expiresAt: NOW + 1, clicks: 2 })]);
  expect([...body.querySelectorAll('option')].map(textOf)).toEqual(['My yourls', 'My shlink']);
  expect([...body.querySelectorAll('li')].map(textOf)).toEqual([
    '2 links will be created. The old ones keep working.',
    '1 link will get a new short code because the old one is taken or not allowed on this server.',
    '1 link will lose its expiry date and never expire.',
    "2 clicks won't be copied to the new links.",
  ]);
  await press('Create the links');
  const [[id, plan] = []] = copy.mock.calls;
  expect([id, plan?.orders.map(({ options }) => options?.shortCode)]).toEqual(['b', [null, 'small']]);
});

test('no link is created if all links are skipped', async () => {
  const body = await dialog([link('old', { expiresAt: NOW - 1 })]);
  expect(textOf(body.querySelector('ul'))).toContain('1 link will be skipped');
  await press('Create the links');
  expect(copy).not.toHaveBeenCalled();
});

test('if the background refuses a copy, an error is reported and the page stays open', async () => {
  const links = [link('one'), link('two')];
  const failed = vi.fn<() => void>();
  let showCopy: ReturnType<typeof useCopyDialog>['showCopy'] | undefined;
  function Page() {
    const copies = useCopyDialog({ known: links, connections: CONNECTIONS, now: NOW, failed });
    showCopy = copies.showCopy;
    return <>{copies.copyDialog}</>;
  }
  await render(<Page />);
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  for (const refused of [[], [links[1]?.url ?? '']]) {
    for (const url of refused) refusedUrls.add(url);
    await act(() => showCopy?.(links));
    await press('Create the links');
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect([failed.mock.calls.length, assign.mock.calls.length]).toEqual([refused.length, 1]);
  }
});
