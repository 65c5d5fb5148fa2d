// @vitest-environment happy-dom
import '../../gallery/stubbed.ts';

import { describe, expect, test, vi } from 'vitest';
import type { Actions } from '../../../src/popup/actions.ts';
import { Popup, type PopupProps } from '../../../src/popup/popup.tsx';
import { budget, LINKS, link, request, SPEC_ONLY, view } from '../../gallery/fixtures.ts';
import { DEFAULTS, POPUP_STATES, popupIn, TAB } from '../../gallery/popup-states.tsx';
import { control, press, render, rerender, submit, textOf, type } from './render.ts';

const stage = () => textOf(document.querySelector('.stage'));

function spied() {
  const calls: [keyof Actions, ...unknown[]][] = [];
  const spy =
    (name: keyof Actions) =>
    (...given: unknown[]) => {
      calls.push([name, ...given]);
    };
  const names = Object.keys(DEFAULTS.actions) as (keyof Actions)[];
  return { calls, actions: Object.fromEntries(names.map((name) => [name, spy(name)])) as unknown as Actions };
}

async function popup(state: string, change: Partial<PopupProps> = {}) {
  const { calls, actions } = spied();
  await render(<Popup {...DEFAULTS} {...POPUP_STATES[state]} actions={actions} {...change} />);
  return calls;
}

describe('what the popup says', () => {
  test.each([
    ['asking', 'Shortening…'],
    ['sending', 'Shortening…'],
    ['throttled', 'Sends in 0.6 s Cancel'],
    ['done', 'go.example /r1v3R8k 26 characters instead of 113 Copied Open'],
    ['earlier', 'go.example /r1v3R8k Made today Shorten again Copy Open'],
    ['offline', 'You are offline. It is sent when you are back. Cancel'],
    ['unreachable', 'The service cannot be reached. Tries again in 24 s Try again Cancel'],
    ['busy', 'The service is busy. Tries again in 40 min Try again Cancel'],
    ['busy-told', 'The service is busy. Tries again in 40 min Cancel'],
    [
      'resending',
      'No answer came yet. It will not be created twice. The service cannot be reached. Tries again in 24 s Try again Cancel',
    ],
    [
      'undecided',
      'It may have been created. Trying again may make a second link. The service did not answer in time. Try again Dismiss',
    ],
    [
      'failed',
      'The service refused this URL. The service says: Links to this host are not allowed here. Try again Dismiss',
    ],
    ['blocked-browser', 'This page belongs to the browser. It has no address on the web to shorten.'],
    ['blocked-file', 'This file is on your computer. Nobody else could open a link to it.'],
    ['blocked-own', 'This is one of your own short URLs already.'],
    ['connect-pending', 'Waits for a service: connect one in the options Connect a service Cancel'],
    ['halted-permission', 'Shorten this page It is sent once Terse may go on.'],
    ['connect', 'Terse shortens through a service of your own. Connect it once, and you are set. Connect a service'],
    ['lost', 'Terse did not answer. Nothing is lost: try again. Try again'],
    ['refused', 'The disk is full. Make room and try again. Dismiss'],
  ])('%s', async (state, expected) => {
    await render(popupIn(state));
    expect(stage()).toBe(expected);
  });

  test.each(Object.keys(POPUP_STATES))('%s uses no string that is missing', async (state) => {
    const page = await render(popupIn(state));
    expect(page.outerHTML).not.toMatch(/\?\w+\?/);
    expect(page.querySelector('[role="status"]')).not.toBeNull();
  });
});

describe('what the popup does', () => {
  test('Enter is the whole way: the button has the focus, and its press asks for the page', async () => {
    const calls = await popup('ready');
    expect(document.activeElement).toBe(control('Shorten this page'));
    await press('Shorten this page');
    expect(calls).toEqual([['shorten', TAB.url, TAB.title]]);
  });

  test('takes any other URL', async () => {
    const calls = await popup('ready');
    await type(control('Any other URL'), 'shop.example/sale');
    await submit(document.querySelector('form'));
    expect(calls).toEqual([['shorten', 'https://shop.example/sale', '']]);
    expect((control('Any other URL') as HTMLInputElement).value).toBe('');
  });

  test('says what is wrong with another URL, and keeps it to be mended', async () => {
    const calls = await popup('ready');
    await type(control('Any other URL'), 'javascript:alert(1)');
    await submit(document.querySelector('form'));
    expect(calls).toEqual([]);
    expect(textOf(document.querySelector('[role="alert"]'))).toBe(
      'Only addresses that start with http or https can be shortened.',
    );
    expect(control('Any other URL').getAttribute('aria-invalid')).toBe('true');
  });

  test.each([
    ['throttled', `Cancel: ${TAB.title}`, ['cancel', 'request-here']],
    ['resending', `Cancel: ${TAB.title}`, ['cancel', 'request-here']],
    ['resending', `Try again: ${TAB.title}`, ['resume']],
    ['busy', `Try again: ${TAB.title}`, ['resume']],
    ['failed', `Try again: ${TAB.title}`, ['retry', 'request-here']],
    ['failed', `Dismiss: ${TAB.title}`, ['cancel', 'request-here']],
    ['undecided', `Try again: ${TAB.title}`, ['retry', 'request-here']],
    ['undecided', `Dismiss: ${TAB.title}`, ['cancel', 'request-here']],
    ['lost', 'Try again', ['askAgain']],
    ['refused', 'Dismiss', ['leaveWish']],
    ['typed', 'Back to this page', ['leaveWish']],
    ['connect', 'Connect a service', ['openOptions']],
    ['connect-pending', 'Connect a service', ['openOptions']],
    ['halted-permission', 'Allow', ['allowService', 'https://links.example.com']],
    ['halted-unauthorized', 'Open options', ['openOptions']],
    ['halted-unauthorized', 'Try again', ['resume']],
    ['ready', 'All links', ['openLinks']],
    ['ready', 'Options', ['openOptions']],
    ['done', 'Open', ['open', 'https://go.example/r1v3R8k']],
  ])('%s: %s', async (state, name, call) => {
    const calls = await popup(state);
    await press(name);
    expect(calls.map((one) => one.slice(0, call.length))).toEqual([call]);
  });

  test('a request on its way cannot be called back', async () => {
    await popup('sending');
    expect(document.querySelector('.stage button')).toBeNull();
  });

  test('copies the result, and any of the latest links', async () => {
    const copy = vi.fn();
    await popup('earlier', { clipboard: { ...DEFAULTS.clipboard, copy } });
    await press('Copy');
    await press('Copy https://go.example/Kx3f9Qp');
    expect(copy.mock.calls).toEqual([['https://go.example/r1v3R8k'], ['https://go.example/Kx3f9Qp']]);
  });

  test('shows the QR code as elements, and closes it again', async () => {
    await popup('done');
    await press('QR code');
    const dialog = document.querySelector('dialog');
    expect(dialog?.querySelector('svg[role="img"]')?.getAttribute('aria-label')).toBe(
      'QR code of https://go.example/r1v3R8k',
    );
    const drawn = () => dialog?.querySelector('.qr path')?.getAttribute('d');
    await vi.waitFor(() => expect(drawn()).toMatch(/^M4 4h7v1h-7z/));
    await press('Close');
    expect(document.querySelector('dialog')).toBeNull();
  });

  test('shows the first of a long queue, and the rest when asked', async () => {
    const requests = Array.from({ length: 12 }, () => request());
    await popup('ready', { view: view({ requests }) });
    expect(document.querySelectorAll('.request')).toHaveLength(3);
    await press('Show all 12');
    expect(document.querySelectorAll('.request')).toHaveLength(12);
    await press('Show fewer');
    expect(document.querySelectorAll('.request')).toHaveLength(3);
  });

  test('the focus is not taken from who is typing', async () => {
    const { wish, view: arrived } = { ...DEFAULTS, ...POPUP_STATES.done };
    await popup('ready');
    control('Any other URL').focus();
    await rerender(<Popup {...DEFAULTS} wish={wish} view={arrived} />);
    expect(stage()).toMatch(/^go\.example/);
    expect(document.activeElement).toBe(control('Any other URL'));
  });

  test('the focus goes from the pressed button to the one that takes its place', async () => {
    const { wish, view: arrived } = { ...DEFAULTS, ...POPUP_STATES.done };
    await popup('ready');
    await rerender(<Popup {...DEFAULTS} wish={wish} view={arrived} />);
    expect(document.activeElement).toBe(control('Copy'));
  });
});

const ONE_BY_ONE = { requests: [request(), request()], budget: budget(0) };

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

  test('the request that waits for it says so', async () => {
    await popup('quota');
    expect(stage()).toMatch(/^20 of 20 used\. It is sent \S.*\. Cancel$/);
    const rows = [...document.querySelectorAll('.request-why')].map(textOf);
    expect(rows).toEqual([expect.stringMatching(/^Sends \S/), expect.stringMatching(/^Sends \S/)]);
  });

  test('one by one, only the next in the queue is told a time', async () => {
    await popup('quota', { view: { ...view({ connection: SPEC_ONLY }), ...ONE_BY_ONE } });
    const rows = [...document.querySelectorAll('.request-why')].map(textOf);
    expect(rows).toEqual([expect.stringMatching(/^Sends \S/), 'Waits its turn']);
  });
});

describe('untrusted text', () => {
  test('is only ever text, isolated from what stands beside it', async () => {
    const page = await render(popupIn('hostile'));
    expect(page.querySelectorAll('img, script, iframe, a[href]')).toHaveLength(0);
    const foreign = [...page.querySelectorAll('*')].filter(
      (element) => element.children.length === 0 && /alert\(1\)|annoying|aaaa/.test(element.textContent ?? ''),
    );
    expect(foreign.length).toBeGreaterThan(4);
    for (const element of foreign) expect(element.closest('bdi')).not.toBeNull();
  });

  test('a short URL that is no web address is not opened', async () => {
    await popup('ready', { view: view({ links: [link({ shortUrl: 'javascript:alert(1)' })] }) });
    expect(document.querySelector<HTMLButtonElement>('.latest-open')?.disabled).toBe(true);
  });
});

test('shows five of the latest links and no more', async () => {
  await popup('ready', { view: view({ links: [...LINKS, link()] }) });
  expect(document.querySelectorAll('.latest')).toHaveLength(5);
});

test.each([
  ['done-copy-refused', 'The browser refused to copy. Select this and copy it yourself: https://go.example/r1v3R8k'],
  ['not-cancelled', 'The disk is full. Make room and try again.'],
])('what went wrong is said over the page, whatever the page shows, until it is put away: %s', async (state, text) => {
  const calls = await popup(state);
  expect(textOf(document.querySelector('.toast p'))).toBe(text);
  expect(textOf(document.querySelector('[role="status"]'))).toBe(text.replace(/ https:.*$/, ''));
  await press('Dismiss');
  expect(calls.map(([name]) => name)).toEqual(['dismiss']);
});
