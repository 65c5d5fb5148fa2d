import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PopupModel } from '../../../../src/pages/popup/use-popup.ts';
import { type PopupActions, usePopupActions } from '../../../../src/pages/popup/use-popup-actions.ts';
import { NO_OPTIONS } from '../../../../src/queue/add-replace-delete-connection.ts';
import { CONNECTION, queue, queuesView, SECOND_CONNECTION } from '../../../gallery/fixtures.ts';
import { type Given, order, popupProps, TAB } from '../../../gallery/popup-states.tsx';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

const request = vi.fn<(asked: unknown) => Promise<boolean>>();
const commands = {
  place: vi.fn<PopupModel['commands']['place']>(),
  askAgain: vi.fn<PopupModel['commands']['askAgain']>(),
  show: vi.fn<PopupModel['commands']['show']>(),
  showFlash: vi.fn<PopupModel['commands']['showFlash']>(),
  change: vi.fn<PopupModel['commands']['change']>(),
  choose: vi.fn<PopupModel['commands']['choose']>(),
};
let handlers: PopupActions;

function Page({ given, shortenOnOpen }: { given: Given; shortenOnOpen: boolean }) {
  const { handlers: _, ...shown } = popupProps(given);
  handlers = usePopupActions({ ...shown, order: given.order ?? null, commands }, shortenOnOpen);
  return null;
}

beforeEach(() => {
  vi.resetAllMocks();
  commands.change.mockResolvedValue(true);
  Object.assign((globalThis as unknown as { browser: object }).browser, { permissions: { request } });
});

const open = (given: Given = {}, shortenOnOpen = false) =>
  render(<Page given={{ links: [], ...given }} shortenOnOpen={shortenOnOpen} />);
const does = (what: () => unknown) => act(async () => void (await what()));
const THIS_PAGE = { url: TAB.url ?? '', title: TAB.title, userInfoRemoved: false };

test('a command uses the chosen connection, and creates a second link only on request', async () => {
  await open({ view: queuesView([queue(), queue({ connection: SECOND_CONNECTION })]), chosen: SECOND_CONNECTION.id });
  handlers.shorten(THIS_PAGE);
  handlers.shortenAnew(THIS_PAGE);
  const connectionId = SECOND_CONNECTION.id;
  expect(commands.place.mock.calls).toEqual([
    [{ ...THIS_PAGE, options: null, connectionId, anew: false }],
    [{ ...THIS_PAGE, options: null, connectionId, anew: true }],
  ]);
});

test('the chosen connection becomes the default for the next popup', async () => {
  await open({ view: queuesView([queue(), queue({ connection: SECOND_CONNECTION })]) });
  handlers.choose(SECOND_CONNECTION.id);
  expect(commands.choose).toHaveBeenCalledWith(SECOND_CONNECTION.id);
  const connectionId = SECOND_CONNECTION.id;
  expect(commands.change.mock.calls).toEqual([[{ type: 'set-default-connection', connectionId }]]);
});

test('a command that replaces a request contains its id, and no other message is sent', async () => {
  await open();
  const options = { ...NO_OPTIONS, shortCode: 'mine' };
  await does(() => handlers.shorten({ ...THIS_PAGE, options, insteadOf: 'failed' }));
  expect(commands.change).not.toHaveBeenCalled();
  expect(commands.place.mock.calls).toEqual([
    [{ ...THIS_PAGE, options, connectionId: CONNECTION.id, anew: false, insteadOf: 'failed' }],
  ]);
});

describe('shortening when the popup opens', () => {
  test.each([{}, { removeTracking: true }, { expiry: 'week' as const }])(
    'sends a command for the page, with the link defaults %j',
    async (formDefaults) => {
      await open({ formDefaults }, true);
      expect(commands.place.mock.calls).toEqual([
        [{ ...THIS_PAGE, options: null, connectionId: CONNECTION.id, anew: false }],
      ]);
    },
  );

  test.each([
    ['for a page that cannot be shortened', { tab: { ...TAB, url: 'about:blank' } }],
    ['after a command from a menu', { order: order({ handed: true, state: 'refused', code: 'storage_full' }) }],
    ['without a connection', { view: queuesView([]) }],
  ] satisfies [string, Given][])('sends no command %s', async (_name, given) => {
    await open(given, true);
    expect(commands.place).not.toHaveBeenCalled();
  });
});

test('a canceled request is no longer shown; a request that cannot be canceled stays', async () => {
  await open({ order: order() });
  commands.change.mockResolvedValue(false);
  await does(() => handlers.cancel('request-here'));
  expect(commands.show).not.toHaveBeenCalled();
  commands.change.mockResolvedValue(true);
  await does(() => handlers.cancel('request-other'));
  expect(commands.show).not.toHaveBeenCalled();
  await does(() => handlers.cancel('request-here'));
  expect(commands.change).toHaveBeenLastCalledWith({ type: 'cancel', ids: ['request-here'] });
  expect(commands.show).toHaveBeenCalledWith(null);
});

describe('a link that is opened', () => {
  const create = vi.fn(async (_properties: object) => {});
  const windows = {
    getAll: vi.fn(async (_filter: object) => [{ id: 7, incognito: true }]),
    update: vi.fn(async (_id: number, _properties: object) => {}),
  };
  const close = vi.fn();
  const url = 'https://go.example/a';

  beforeEach(() => {
    windows.getAll.mockResolvedValue([{ id: 7, incognito: true }]);
    Object.assign((globalThis as unknown as { browser: object }).browser, { tabs: { create }, windows });
    vi.stubGlobal('close', close);
  });
  afterEach(vi.unstubAllGlobals);

  test.each([
    ['from the popup over a private page', '', true, { url }],
    ['from a separate popup window for a private page', '?window=1', true, { url, windowId: 7 }],
    ['from a separate popup window for a normal page', '?window=1', false, { url }],
  ])('opens in a private window if it is private: %s', async (_name, search, isPrivate, opened) => {
    vi.stubGlobal('location', { search });
    await open({ tab: { ...TAB, private: isPrivate } });
    await does(() => handlers.open(url));
    expect(create.mock.calls).toEqual([[opened]]);
    await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  test('is shown in a message if the browser opens no private window', async () => {
    vi.stubGlobal('location', { search: '?window=1' });
    windows.getAll.mockRejectedValue(new Error('No private window is allowed.'));
    await open({ tab: { ...TAB, private: true } });
    await does(() => handlers.open(url));
    await vi.waitFor(() => expect(commands.showFlash).toHaveBeenCalledWith(expect.objectContaining({ url })));
    expect(create).not.toHaveBeenCalled();
    expect(close).not.toHaveBeenCalled();
  });
});

describe('access to a service', () => {
  test('is requested only for the address of the service, and then the queue resumes', async () => {
    request.mockResolvedValue(true);
    await open();
    await does(() => handlers.allowAccess(CONNECTION));
    expect(request).toHaveBeenCalledWith({ origins: ['https://links.example.com/*'] });
    expect(commands.change).toHaveBeenCalledWith({ type: 'try-now', connectionId: CONNECTION.id });
  });

  test.each([
    ['refused', () => request.mockResolvedValue(false)],
    [
      'never requested by the browser',
      () => request.mockRejectedValue(new Error('This function must be called by a gesture.')),
    ],
  ])('shows a message if it is %s', async (_name, answers) => {
    answers();
    await open();
    await does(() => handlers.allowAccess(CONNECTION));
    expect(commands.change).not.toHaveBeenCalled();
    expect(commands.showFlash).toHaveBeenCalledWith({ text: expect.stringMatching(/^Terse needs your permission/) });
  });
});
