import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { describe, expect, test, vi } from 'vitest';
import type { PopupActions } from '../../../../src/pages/popup/use-popup-actions.ts';
import { EMPTY_STATE } from '../../../../src/queue/add-replace-delete-connection.ts';
import {
  attempt,
  CONNECTION,
  LINKS,
  link,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
} from '../../../gallery/fixtures.ts';
import { CLIPBOARD, type Given, HANDLERS, order, POPUP_STATES, popupIn, TAB } from '../../../gallery/popup-states.tsx';
import { control, press, render, rerender, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const state = () => textOf(document.querySelector('.state'));
const rows = () => [...document.querySelectorAll('.request')].map(textOf);

function spied() {
  const calls: [keyof PopupActions, ...unknown[]][] = [];
  const spy =
    (name: keyof PopupActions) =>
    (...given: unknown[]) => {
      calls.push([name, ...given]);
    };
  const names = Object.keys(HANDLERS) as (keyof PopupActions)[];
  return { calls, handlers: Object.fromEntries(names.map((name) => [name, spy(name)])) as unknown as PopupActions };
}

async function popup(name: string, change: Given = {}) {
  const { calls, handlers } = spied();
  await render(popupIn(name, { handlers, ...change }));
  return calls;
}

describe('what the popup says', () => {
  test.each([
    ['undecided', { code: 'server_error', message: '' }, 'The server had an internal error.'],
    [
      'undecided',
      { code: 'not_understood', message: '' },
      'The server sent a response that Terse does not understand.',
    ],
    ['failed', { code: 'invalid_url', message: 'Please enter a valid URL.' }, 'Please enter a valid URL.'],
  ] as const)('about a request that is %s: %o', async (state, problem, sentence) => {
    const requests = [request({ id: 'request-here', state, problem })];
    await popup('undecided', { view: queuesView([queue({ requests })]) });
    expect(textOf(document.querySelector('.state'))).toContain(sentence);
  });

  test.each([
    ['sending', 'Shortening…'],
    ['throttled', 'Sends in 0.6 s Cancel'],
    ['done', 'go.example /r1v3R8k 26 characters instead of 113 Copied Open'],
    ['earlier', 'go.example /r1v3R8k Made today Shorten again More Copy Open'],
    ['existing-handed', 'go.example /r1v3R8k Made today Shorten again More Copied Open'],
    ['done-other-host', 'tiny.elsewhere.example /r1v3R8k On another host: tiny.elsewhere.example Copy Open'],
    ['offline', 'You are offline. It will be sent when you are back online. Cancel'],
    ['minted-sending', 'go.example /r1v3R8k Shortening… Copy now'],
    [
      'minted-offline',
      'go.example /r1v3R8k It works once it is sent. You are offline. It will be sent when you are back online. Copy now',
    ],
    [
      'minted-failed',
      'The server refused this URL. https://go.example/tAk3n9Q, which you copied, will not work until ' +
        'this is sent. The server says: Not this host. Dismiss Try again',
    ],
    ['unreachable', 'The server cannot be reached. Retrying in 24 s. Try again Cancel'],
    ['busy', 'The server is busy. Retrying in 40 min. Try again Cancel'],
    ['busy-named', 'The server is busy. Retrying in 40 min. Cancel'],
    [
      'unanswered',
      'No response yet. It will not be created twice. The server cannot be reached. Retrying in 24 s. Try again Cancel',
    ],
    [
      'parked',
      'No response yet. It will not be created twice. The server has a problem with this link. Retrying in 8 min. Try again Cancel',
    ],
    [
      'undecided',
      'It may have been created already. Sending it again may create a second link. The server did not respond in time. Send again Dismiss',
    ],
    [
      'failed',
      'The server refused this URL. The server says: Links to this host are not allowed here. Dismiss Try again',
    ],
    [
      'failed-target',
      'The server blocks this address. The server says: This address is in a private network. Dismiss Try again',
    ],
    ['failed-code', 'This short code is taken. Choose another one. Change Dismiss'],
    ['blocked-browser', 'This is a browser page. It has no web address to shorten.'],
    ['blocked-file', 'This file is on your computer. Nobody else could open a link to it.'],
    ['blocked-own', 'This is already one of your own short URLs.'],
    ['connect-pending', 'Waiting for a server: connect one in the options Connect a server Cancel'],
    ['halted-permission', 'Shorten this page It will be sent once this is fixed. More'],
    ['connect', 'Terse shortens links through a server you choose. Connect it once to get started. Connect a server'],
    ['lost', 'Terse did not respond. Nothing is lost. Try again. Try again'],
    ['refused', 'The disk is full. Free some space and try again. Dismiss'],
    ['refused-handed', 'Only addresses that start with http or https can be shortened. Dismiss'],
  ])('%s', async (name, expected) => {
    await render(popupIn(name));
    expect(state()).toBe(expected);
  });

  test('that a link which would expire before its turn is not sent, without a short URL to copy', async () => {
    await render(popupIn('expires-before'));
    expect(state()).toMatch(
      /^It expires at \d\d:42, before it can be sent, so it will not be sent\. .* Change Cancel$/,
    );
    expect(state()).not.toContain('go.example');
  });

  test('that what waits for budget works once it is sent, and not to use what was copied before', async () => {
    const wait = 'It works once it is sent, tomorrow at \\S+( AM)? at the earliest: the quota is used up\\.';
    await render(popupIn('minted-quota'));
    expect(state()).toMatch(new RegExp(`^go\\.example /r1v3R8k ${wait} Copied$`));
    const warning =
      'Do not use https://go\\.example/tAk3n9Q anymore\\. It may belong to someone else\\. Use the new short URL\\.';
    await render(popupIn('minted-replaced'));
    expect(state()).toMatch(new RegExp(`^go\\.example /r1v3R8k ${wait} ${warning} Copy now$`));
    expect(rows()[0]).toMatch(new RegExp(warning));
    await render(popupIn('done-replaced'));
    expect(state()).toMatch(new RegExp(warning));
  });

  test.each(Object.keys(POPUP_STATES))('%s uses no string that is missing', async (name) => {
    const page = await render(popupIn(name));
    expect(page.outerHTML).not.toMatch(/\?\w+\?/);
    expect(page.querySelector('[role="status"]')).not.toBeNull();
  });
});

describe('what the popup does', () => {
  test('Enter is the whole way: the button has the focus, and its press asks for the page', async () => {
    const calls = await popup('ready');
    expect(document.activeElement).toBe(control('Shorten this page'));
    await press('Shorten this page');
    expect(calls).toMatchObject([['shorten', { url: TAB.url, title: TAB.title }]]);
  });

  test('where the page cannot be shortened, the box for another URL has the focus, and says why', async () => {
    await popup('blocked-file');
    const box = control('Another URL');
    expect(document.activeElement).toBe(box);
    expect(textOf(document.getElementById(box.getAttribute('aria-describedby') ?? ''))).toMatch(/^This file is on/);
  });

  test('a short URL can be copied before it works, and shown as a QR code: both are noted', async () => {
    const copy = vi.fn();
    const calls = await popup('minted-offline', { clipboard: { copied: null, copy } });
    await press('Copy now');
    await press('QR code');
    expect(copy).toHaveBeenCalledExactlyOnceWith('https://go.example/r1v3R8k');
    const noted = ['handOut', expect.objectContaining({ id: 'request-here' }), 'https://go.example/r1v3R8k'];
    expect(calls).toEqual([noted, noted]);
  });

  test('so can that of each request in the list', async () => {
    const copy = vi.fn();
    const calls = await popup('minted-replaced', { clipboard: { copied: null, copy } });
    await press('Copy https://go.example/r1v3R8k now. It works once it is sent.');
    expect(copy).toHaveBeenCalledExactlyOnceWith('https://go.example/r1v3R8k');
    expect(calls).toMatchObject([['handOut', {}, 'https://go.example/r1v3R8k']]);
  });

  test('takes any other URL', async () => {
    const calls = await popup('ready');
    await type(control('Another URL'), 'shop.example/sale');
    await submit(document.querySelector('form'));
    expect(calls).toEqual([['shorten', { url: 'https://shop.example/sale', title: '', userInfoRemoved: false }]]);
  });

  test.each([
    ['javascript:alert(1)', 'Only addresses that start with http or https can be shortened.'],
    ['someone@example.com', 'This is an email address. Only web pages can be shortened.'],
    ['go.example/abc', 'This is already one of your own short URLs.'],
  ])('says what is wrong with another URL, and keeps it to be mended: %s', async (text, sentence) => {
    const calls = await popup('ready');
    await type(control('Another URL'), text);
    await submit(document.querySelector('form'));
    expect(calls).toEqual([]);
    expect(textOf(document.querySelector('[role="alert"]'))).toBe(sentence);
    expect(control('Another URL').getAttribute('aria-invalid')).toBe('true');
  });

  test('leaves a password in an address out of what it asks for, and says so', async () => {
    const calls = await popup('user-info');
    expect(document.body.outerHTML).not.toContain('secret');
    expect(textOf(document.querySelector('.target-note'))).toBe('Username and password removed');
    await press('Shorten this page');
    expect(calls).toMatchObject([['shorten', { url: 'https://intranet.example/report', userInfoRemoved: true }]]);
    await type(control('Another URL'), 'https://alice:secret@shop.example/');
    await submit(document.querySelector('form'));
    expect(calls[1]).toMatchObject(['shorten', { url: 'https://shop.example/', userInfoRemoved: true }]);
  });

  test('says to who cannot see it that a password was left out', async () => {
    const typed = order({ url: 'https://shop.example/', title: '', userInfoRemoved: true });
    await popup('ready', {
      order: typed,
      view: queuesView([queue({ requests: [request({ id: typed.id, url: typed.url, state: 'sending' })] })]),
    });
    expect(textOf(document.querySelector('[role="status"]'))).toBe(
      'The username and password were removed from the address. Shortening…',
    );
  });

  test('says nothing until the request is stored: its button is busy, and pressed again it asks nothing', async () => {
    const calls = await popup('asking');
    const button = control('Shorten this page');
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(document.body.textContent).not.toContain('Shortening');
    await press('Shorten this page');
    expect(calls).toEqual([]);
  });

  test.each([false, true])('keeps what was typed until it is accepted: %s', async (isAccepted) => {
    const answer = Promise.withResolvers<boolean>();
    const shorten = vi.fn(() => answer.promise);
    await render(popupIn('ready', { handlers: { ...HANDLERS, shorten } }));
    const box = () => control('Another URL') as HTMLInputElement;
    await type(box(), 'https://shop.example/');
    await submit(document.querySelector('form'));
    await submit(document.querySelector('form'));
    expect(shorten).toHaveBeenCalledOnce();
    expect(box().value).toBe('https://shop.example/');
    expect(document.querySelector('.other button')?.getAttribute('aria-busy')).toBe('true');
    await act(async () => answer.resolve(isAccepted));
    expect(box().value).toBe(isAccepted ? '' : 'https://shop.example/');
    expect(document.querySelector('.other button')?.getAttribute('aria-busy')).toBeNull();
  });

  test.each([
    ['throttled', `Cancel: ${TAB.title}`, ['cancel', 'request-here']],
    ['unanswered', `Cancel: ${TAB.title}`, ['cancel', 'request-here']],
    ['unanswered', `Try again: ${TAB.title}`, ['tryNow', CONNECTION.id]],
    ['parked', `Try again: ${TAB.title}`, ['retry', 'request-here']],
    ['busy', `Try again: ${TAB.title}`, ['tryNow', CONNECTION.id]],
    ['failed', `Try again: ${TAB.title}`, ['retry', 'request-here']],
    ['failed', `Dismiss: ${TAB.title}`, ['cancel', 'request-here']],
    ['undecided', `Send again: ${TAB.title}`, ['retry', 'request-here']],
    ['undecided', `Dismiss: ${TAB.title}`, ['cancel', 'request-here']],
    ['lost', 'Try again', ['askAgain']],
    ['refused', 'Dismiss', ['leaveOrder']],
    ['typed', 'Back to this page', ['leaveOrder']],
    ['connect', 'Connect a server', ['openWelcome']],
    ['connect-pending', 'Connect a server', ['openOptions']],
    ['halted-permission', 'Allow', ['allowAccess', CONNECTION]],
    ['halted-unauthorized', 'Open options', ['openOptions']],
    ['halted-unauthorized', 'Try again', ['tryNow', CONNECTION.id]],
    ['halted-not-a-service', 'Try again', ['tryNow', CONNECTION.id]],
    ['ready', 'All links', ['openLinks']],
    ['ready', 'Options', ['openOptions']],
    ['done', 'Open', ['open', 'https://go.example/r1v3R8k']],
    ['earlier', 'Shorten again', ['shortenAnew']],
  ])('%s: %s', async (name, button, call) => {
    const calls = await popup(name);
    await press(button);
    expect(calls.map((one) => one.slice(0, call.length))).toEqual([call]);
  });

  test('a request on its way cannot be called back', async () => {
    await popup('sending');
    expect(document.querySelector('.state button')).toBeNull();
  });

  test('copies the result, and any of the latest links', async () => {
    const copy = vi.fn();
    await popup('earlier', { clipboard: { ...CLIPBOARD, copy } });
    await press('Copy');
    await press('Copy https://go.example/Kx3f9Qp');
    expect(copy.mock.calls).toEqual([['https://go.example/r1v3R8k'], ['https://go.example/Kx3f9Qp']]);
  });

  test('shows the QR code as elements, and closes it again', async () => {
    await popup('done');
    await press('QR code');
    const dialog = await vi.waitUntil(() => document.querySelector('dialog[open]'));
    expect(dialog?.querySelector('svg[role="img"]')?.getAttribute('aria-label')).toBe(
      'QR code of https://go.example/r1v3R8k',
    );
    const drawn = () => dialog?.querySelector('.qr path')?.getAttribute('d');
    expect(drawn()).toMatch(/^M4 4h7v1h-7z/);
    await press('Close');
    expect(document.querySelector('dialog')).toBeNull();
  });

  test('remembers how QR codes are saved, and says what a picture without a margin needs', async () => {
    await popup('done');
    await press('QR code');
    const isOpen = () => vi.waitUntil(() => document.querySelector('dialog[open]'));
    const dialog = await isOpen();
    const choices = () => [...document.querySelectorAll<HTMLSelectElement>('dialog select')];
    expect(choices().map(({ value }) => value)).toEqual(['1024', 'standard']);
    for (const [index, value] of ['512', 'none'].entries()) {
      const select = choices()[index] as HTMLSelectElement;
      select.value = value;
      await act(() => void select.dispatchEvent(new Event('change', { bubbles: true })));
    }
    expect(textOf(dialog)).toContain('Keep white space around the code');
    await press('Close');
    await press('QR code');
    await isOpen();
    expect(choices().map(({ value }) => value)).toEqual(['512', 'none']);
    // The displayed code always has a margin of four modules, even if the saved picture has none.
    expect(document.querySelector('.qr path')?.getAttribute('d')).toMatch(/^M4 4h7v1h-7z/);
  });

  test('says so where the browser does not copy a picture', async () => {
    vi.stubGlobal('ClipboardItem', undefined);
    await popup('done');
    await press('QR code');
    const dialog = await vi.waitUntil(() => document.querySelector('dialog[open]'));
    await press('Copy image');
    await vi.waitFor(() =>
      expect(textOf(dialog?.querySelector('.problem') ?? null)).toBe(
        'The browser blocked copying the image. Save it instead.',
      ),
    );
    expect(textOf(dialog?.querySelector('[role="status"]') ?? null)).toContain('blocked');
    // The test environment has no canvas, so the popup cannot create a PNG.
    await press('Save as PNG');
    await vi.waitFor(() => expect(textOf(dialog?.querySelector('.problem') ?? null)).toContain('Save it as SVG'));
    vi.unstubAllGlobals();
  });

  test('shows the first of a long queue, and the rest when asked', async () => {
    const requests = Array.from({ length: 12 }, () => request());
    await popup('ready', { view: queuesView([queue({ requests })]) });
    expect(rows()).toHaveLength(3);
    await press('Show all 12');
    expect(rows()).toHaveLength(12);
    await press('Show fewer');
    expect(rows()).toHaveLength(3);
  });

  test('leaves a queue that a file has made long to the page of the queue', async () => {
    const imported = Array.from({ length: 5_000 }, () => request({ state: 'undecided' }));
    const calls = await popup('ready', { view: queuesView([queue({ requests: imported })]) });
    expect(rows()).toHaveLength(3);
    expect(textOf(document.querySelector('.request-why'))).toBe(
      'Imported. The other browser may have shortened it since.',
    );
    await press('Show all 5,000');
    expect(rows()).toHaveLength(3);
    expect(calls).toEqual([['openQueue']]);
  });

  test('shows all of a private window where the page of the queue, in an ordinary one, has none of it', async () => {
    const hushed = Array.from({ length: 60 }, () => request({ private: true }));
    const tab = { ...TAB, private: true };
    const calls = await popup('ready', { tab, view: queuesView([queue({ requests: hushed })]) });
    await press('Show all 60');
    expect(rows()).toHaveLength(60);
    await press('Show fewer');
    expect(rows()).toHaveLength(3);
    expect(calls).toEqual([]);
  });

  test('the focus is not taken from who is typing', async () => {
    await popup('ready');
    control('Another URL').focus();
    await rerender(popupIn('done-not-copied'));
    expect(state()).toMatch(/^go\.example/);
    expect(document.activeElement).toBe(control('Another URL'));
  });

  test('the focus goes from the pressed button to the one that takes its place', async () => {
    await popup('ready');
    await rerender(popupIn('done-not-copied'));
    expect(document.activeElement).toBe(control('Copy'));
  });
});

describe('several connections', () => {
  const chooser = () => document.querySelector('select');

  test('one alone needs no choice, and no request names it', async () => {
    await popup('queue-mixed');
    expect(chooser()).toBeNull();
    expect(document.querySelector('.request-connection')).toBeNull();
  });

  test('of two the default comes first, and the other is a choice away', async () => {
    const calls = await popup('two-connections');
    const options = [...(chooser()?.options ?? [])].map(textOf);
    expect(options).toEqual(['links.example.com', 'Work']);
    expect(chooser()?.value).toBe(CONNECTION.id);
    await act(() => {
      (chooser() as HTMLSelectElement).value = SECOND_CONNECTION.id;
      chooser()?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(calls).toEqual([['choose', SECOND_CONNECTION.id]]);
  });

  test('the requests of every queue are listed, each with its connection', async () => {
    await popup('two-connections');
    const named = [...document.querySelectorAll('.request-connection')].map(textOf);
    expect(named).toEqual(['links.example.com', 'Work', 'Work']);
  });

  test('budget and state are those of the chosen one', async () => {
    await popup('two-connections');
    expect(textOf(document.querySelector('.foot'))).toMatch(/^13 of 20 left .* Connected last response 12 min ago$/);
    await popup('two-second-chosen');
    expect(textOf(document.querySelector('.foot'))).toMatch(/^4 of 20 left .* Connected last response yesterday at /);
  });

  test('one that cannot send says so in the choice, and why when it is chosen', async () => {
    await popup('two-one-halted');
    expect([...(chooser()?.options ?? [])].map(textOf)).toEqual(['links.example.com', 'Work: Key refused']);
    expect(textOf(document.querySelector('.notice'))).toMatch(/^s\.company\.example refused your API key\./);
    expect(textOf(document.querySelector('.connection-state'))).toMatch(/^Key refused /);
  });

  test('what waits for a connection is listed too', async () => {
    await popup('unassigned');
    expect(rows().map((row) => row.replace(/^How.*water /, ''))).toEqual([
      'Sends in a moment',
      'Waiting for a server: connect one in the options',
    ]);
  });
});

describe('how a connection is doing', () => {
  const shown = () => textOf(document.querySelector('.connection-state'));
  const showing = (change: Parameters<typeof queue>[0]) => popup('ready', { view: queuesView([queue(change)]) });

  test('is never said to be connected before its service answered well', async () => {
    await showing({ connection: { ...CONNECTION, lastSeenWellAt: null } });
    expect(shown()).toBe('Not tested yet');
  });

  test.each([
    ['unauthorized', 'Key refused'],
    ['permission', 'Permission missing'],
    ['not_a_service', 'Not a link shortener'],
    ['redirected', 'Redirects to another address'],
  ] as const)('with %s', async (halt, expected) => {
    await showing({ state: { ...EMPTY_STATE, halt } });
    expect(shown()).toBe(`${expected} last response 12 min ago`);
  });

  test('where nothing answers', async () => {
    const pause = { until: NOW + 24_000, reason: 'unreachable', named: false } as const;
    await showing({ state: { ...EMPTY_STATE, pause } });
    expect(shown()).toBe('Not reachable last response 12 min ago');
  });
});

describe('what the popup tells of the budget', () => {
  test('what is left, and when there is more', async () => {
    await popup('ready');
    expect(textOf(document.querySelector('.meter-text'))).toMatch(/^13 of 20 left more /);
    expect(document.querySelector('meter')?.getAttribute('aria-valuetext')).toBe('13 of 20 left');
    expect(document.querySelectorAll('.meter-unit.is-left')).toHaveLength(13);
  });

  test('many units are one bar', async () => {
    await popup('large-quota');
    expect(document.querySelectorAll('.meter-unit')).toHaveLength(0);
    expect(document.querySelector<HTMLElement>('.meter-bar')?.style.inlineSize).toBe('61.2%');
  });

  test('what waits for it says when there is more, and promises nobody a turn', async () => {
    await popup('quota');
    expect(state()).toMatch(/^20 of 20 used\. Resets \S.*\. Cancel$/);
    const waits = [...document.querySelectorAll('.request-why')].map(textOf);
    expect(waits).toEqual([
      expect.stringMatching(/^Waiting for quota: \S/),
      expect.stringMatching(/^Waiting for quota: \S/),
    ]);
  });
});

test('a request that is held back alone says so, while the others go on', async () => {
  const stuck = request({ state: 'unanswered', attempts: 2, problem: { code: 'server_error', message: '' } });
  const attempts = [attempt([stuck], { parkedUntil: NOW + 8 * 60_000 })];
  await popup('ready', { view: queuesView([queue({ requests: [stuck, request()], attempts })]) });
  expect([...document.querySelectorAll('.request-why')].map(textOf)).toEqual([
    'No response yet. It will not be created twice. The server has a problem with this link. Retrying in 8 min.',
    'Sends in a moment',
  ]);
});

describe('untrusted text', () => {
  test('is only ever text, isolated from what stands beside it', async () => {
    const page = await render(popupIn('hostile'));
    expect(page.querySelectorAll('img, script, iframe, a[href]')).toHaveLength(0);
    const foreign = [...page.querySelectorAll(':not(option)')].filter(
      (element) => element.children.length === 0 && /alert\(1\)|annoying|aaaa/.test(element.textContent ?? ''),
    );
    expect(foreign.length).toBeGreaterThan(4);
    for (const element of foreign) expect(element.closest('bdi')).not.toBeNull();
  });

  test('cannot turn around what stands beside it', async () => {
    await render(popupIn('hostile'));
    const isolated = [...document.querySelectorAll('bdi')];
    expect(isolated.length).toBeGreaterThan(4);
    for (const element of isolated) {
      expect(`${element.textContent}${element.getAttribute('title')}`).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    }
  });

  test('a title of any length is bounded', async () => {
    await popup('ready', { tab: { ...TAB, title: 'long '.repeat(100_000) } });
    expect(document.body.outerHTML.length).toBeLessThan(30_000);
  });

  test('a short URL that is no web address is not opened', async () => {
    await popup('ready', { links: [link({ shortUrl: 'javascript:alert(1)' })] });
    expect(document.querySelector<HTMLButtonElement>('.latest-open')?.disabled).toBe(true);
  });
});

test('shows five of the latest links and no more', async () => {
  await popup('ready', { links: [...LINKS, link()] });
  expect(document.querySelectorAll('.latest')).toHaveLength(5);
});

test.each([
  [
    'done-copy-refused',
    'The browser blocked copying. Select this text and copy it yourself: https://go.example/r1v3R8k',
  ],
  ['not-cancelled', 'The disk is full. Free some space and try again.'],
])('what went wrong is said over the page, whatever the page shows, until it is dismissed: %s', async (name, text) => {
  const calls = await popup(name);
  expect(textOf(document.querySelector('.toast p'))).toBe(text);
  expect(textOf(document.querySelector('[role="status"]'))).toBe(text.replace(/ https:.*$/, ''));
  await press('Dismiss');
  expect(calls.map(([one]) => one)).toEqual(['dismissFlash']);
});

test('the header and the budget are outside what scrolls', async () => {
  await popup('queue-long');
  for (const fixed of ['.bar', '.foot']) {
    expect(document.querySelector(fixed), fixed).not.toBeNull();
    expect(document.querySelector(`.scroll ${fixed}`), fixed).toBeNull();
  }
  for (const scrolled of ['.focus', '.list']) expect(document.querySelector(`.scroll ${scrolled}`)).not.toBeNull();
});

describe('a URL that is pasted outside of any field, or dropped on the popup', () => {
  const box = () => document.querySelector<HTMLInputElement>('#other-url');
  const problem = () => textOf(document.querySelector('#other-url-problem'));
  type Way = [name: string, event: string, transfer: string, format: string];
  const WAYS: Way[] = [
    ['pasted', 'paste', 'clipboardData', 'text/plain'],
    ['dropped', 'drop', 'dataTransfer', 'text/uri-list'],
  ];
  const [PASTED, DROPPED] = WAYS as [Way, Way];

  async function give([, type, transfer, format]: Way, text: string, to: Element = document.body, files: File[] = []) {
    const event = new Event(type, { bubbles: true, cancelable: true });
    const getData = (wanted: string) => (wanted === format ? text : '');
    Object.assign(event, { [transfer]: { getData, types: [format], files } });
    await act(() => void to.dispatchEvent(event));
    return event;
  }

  test.each(WAYS)('(%s) is offered, and Enter shortens it', async (...way) => {
    const calls = await popup('ready');
    const event = await give(way, ' https://www.example.com/a\n');
    expect(event.defaultPrevented).toBe(true);
    expect(box()?.value).toBe('https://www.example.com/a');
    expect(document.activeElement).toBe(control('Shorten'));
    expect(calls).toEqual([]);
    await submit(document.querySelector('form'));
    expect(calls).toMatchObject([['shorten', { url: 'https://www.example.com/a' }]]);
  });

  test.each(WAYS)('(%s) is found in the words around it', async (...way) => {
    await popup('ready');
    await give(way, 'See https://www.example.com/a, or not.');
    expect(box()?.value).toBe('https://www.example.com/a');
  });

  test.each(WAYS)('(%s) that is none is refused with the reason', async (...way) => {
    await popup('ready');
    await give(way, 'How to read a river');
    expect(problem()).toBe('This is not a complete URL. It should look like example.com/page.');
    await give(way, 'https://go.example/known');
    expect(problem()).toBe('This is already one of your own short URLs.');
  });

  test.each(WAYS)('(%s) among several opens the page for many at once', async (...way) => {
    const calls = await popup('ready');
    await give(way, 'https://a.example\nhttps://b.example');
    expect(calls).toEqual([['openList', 'https://a.example\nhttps://b.example']]);
    expect(box()?.value).toBe('');
  });

  test.each(WAYS)(
    '(%s) in more text than is handed over is not looked for: the page for many says so',
    async (...way) => {
      const calls = await popup('ready');
      const text = `https://a.example/${'\n words'.repeat(100_000)}`;
      await give(way, text);
      expect(calls.map(([name]) => name)).toEqual(['openList']);
      expect(box()?.value).toBe('');
    },
  );

  test('is taken before the picture that a browser gives with it; a file alone opens the page that takes files', async () => {
    const calls = await popup('ready');
    const files = [new File(['https://a.example'], 'a.txt')];
    await give(DROPPED, 'https://www.example.com/a', document.body, files);
    expect(box()?.value).toBe('https://www.example.com/a');
    expect(calls).toEqual([]);
    await give(DROPPED, '', document.body, files);
    expect(calls).toEqual([['openList', '']]);
  });

  test('is left to a field that it is pasted into, and nothing is made of nothing', async () => {
    await popup('ready');
    const event = await give(PASTED, 'https://www.example.com/a', box() ?? undefined);
    expect(event.defaultPrevented).toBe(false);
    expect((await give(PASTED, ' ')).defaultPrevented).toBe(false);
    expect(box()?.value).toBe('');
  });

  test('shows where it goes while it is dragged over the popup, until it is dropped or given up', async () => {
    await popup('ready');
    const drag = (type: string) => act(() => void document.body.dispatchEvent(new Event(type, { bubbles: true })));
    await drag('dragover');
    expect(document.querySelector('.is-drop-target')).not.toBeNull();
    await give(DROPPED, 'https://www.example.com/a');
    expect(document.querySelector('.is-drop-target')).toBeNull();
    await drag('dragover');
    // If the user starts a drag in the page and cancels it with Escape, Firefox fires only `dragend`.
    await drag('dragend');
    expect(document.querySelector('.is-drop-target')).toBeNull();
  });
});
