import { FEATURE } from '@terse/contract/service-capabilities';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DeletionFailure } from '../../../../src/messages/protocol.ts';
import { useCommit, useDeleteWithUndo } from '../../../../src/pages/links/delete-with-undo.tsx';
import { CONNECTION, link } from '../../../gallery/fixtures.ts';
import { browser, resetBrowser } from '../../support/fake-browser.ts';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));

const LISTING = {
  ...CONNECTION,
  service: { name: 'T', shortBaseUrl: 'https://go.example', features: [FEATURE.links] },
};
const OTHER_SERVER = { ...LISTING, id: 'other', name: 'Other', baseUrl: 'https://other.example' };
const CONNECTIONS = [LISTING, OTHER_SERVER];
const [one, two, three] = ['one', 'two', 'three'].map((code) => link({ shortUrl: `https://go.example/${code}` })) as [
  ReturnType<typeof link>,
  ReturnType<typeof link>,
  ReturnType<typeof link>,
];
const elsewhere = link({ connectionId: 'other', shortUrl: 'https://o.example/x' });
const local = link({ connectionId: null });

const show = vi.fn();
const refresh = vi.fn();
let commit: ReturnType<typeof useCommit>;
let removal: ReturnType<typeof useDeleteWithUndo>;

function Page() {
  commit = useCommit({ show }, refresh, CONNECTIONS);
  removal = useDeleteWithUndo(commit);
  return null;
}

beforeEach(async () => {
  resetBrowser();
  show.mockReset();
  refresh.mockReset().mockResolvedValue(undefined);
  await render(<Page />);
});

const { sendMessage } = browser.runtime;
const answers = (...value: DeletionFailure[]) => sendMessage.mockResolvedValue({ ok: true, value });
const codesOf = (...links: (typeof one)[]) => links.map(({ id, shortCode, shortUrl }) => ({ id, shortCode, shortUrl }));
/** Messages that were shown. Calls that only hide a message are skipped. */
const shown = () => show.mock.calls.map(([flash]) => flash).filter((flash) => flash !== null);

test('one message deletes links on all servers, and links that no server lists', async () => {
  answers();
  expect(await commit([one, elsewhere, two, local])()).toEqual([]);
  expect(sendMessage.mock.calls).toEqual([
    [
      {
        type: 'delete-links',
        localIds: [local.id],
        servers: [
          { connectionId: LISTING.id, baseUrl: LISTING.baseUrl, links: codesOf(one, two) },
          { connectionId: 'other', baseUrl: 'https://other.example', links: codesOf(elsewhere) },
        ],
      },
    ],
  ]);
  expect(shown()).toEqual([]);
});

test('all deletions are requested before the page closes', () => {
  sendMessage.mockReturnValue(new Promise(() => {}));
  removal.remove([one, two]);
  dispatchEvent(new Event('pagehide'));
  // The page is gone when this event ends, so the message must have been sent.
  expect(sendMessage).toHaveBeenCalledTimes(1);
  expect(sendMessage).toHaveBeenCalledWith(
    expect.objectContaining({ servers: [expect.objectContaining({ links: codesOf(one, two) })] }),
  );
});

test('leaving the page needs no confirmation, because the background finishes the deletion', () => {
  removal.remove([one, two]);
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

test('links that could not be deleted stay, and one message counts them for all servers', async () => {
  answers(
    { connectionId: LISTING.id, problem: 'unreachable', left: [two.id, three.id] },
    { connectionId: 'other', problem: 'forbidden', left: [elsewhere.id] },
  );
  expect(await commit([one, two, three, elsewhere])()).toEqual([two, three, elsewhere]);
  expect(shown()).toEqual([{ text: expect.stringContaining('linksNotDeleted') }]);
  for (const reason of ['serviceUnreachable', 'serviceForbiddenManage']) expect(shown()[0].text).toContain(reason);
});

test('if one link could not be deleted, the message names it', async () => {
  answers({ connectionId: LISTING.id, problem: 'unreachable', left: [two.id] });
  expect(await commit([one, two])()).toEqual([two]);
  expect(shown()).toEqual([{ text: expect.stringContaining('serviceUnreachable'), url: two.shortUrl }]);
});

test.each([
  ['the background stops', () => sendMessage.mockRejectedValue(new Error('gone')), 'noReply'],
  [
    'the history cannot be changed',
    () => sendMessage.mockResolvedValue({ ok: false, code: 'internal' }),
    'refusal_internal',
  ],
])('if %s, the links are re-read before they are shown again', async (_why, fail, text) => {
  fail();
  const read = Promise.withResolvers<void>();
  refresh.mockReturnValue(read.promise);
  const settled = vi.fn<(left: unknown) => void>();
  void commit([one, two])().then(settled);
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(1));
  expect(settled).not.toHaveBeenCalled();
  read.resolve();
  await vi.waitFor(() => expect(settled).toHaveBeenCalledExactlyOnceWith([one, two]));
  expect(shown()).toEqual([{ text: expect.stringContaining(text) }]);
});

test('a successful deletion keeps the message about another deletion', async () => {
  answers();
  const done = commit([one]);
  show.mockReset();
  await done();
  expect(show).not.toHaveBeenCalled();
});
