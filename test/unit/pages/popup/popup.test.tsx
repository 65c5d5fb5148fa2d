import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { describe, expect, test } from 'vitest';
import { Popup } from '../../../../src/pages/popup/popup.tsx';
import type { PopupDeps } from '../../../../src/pages/popup/popup-store.ts';
import {
  CONNECTION,
  LINKS,
  limits,
  link,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
} from '../../../gallery/fixtures.ts';
import { testDeps } from '../../../gallery/page-deps.ts';
import { become, type Given, order, POPUP_STATES, popupIn, popupStore, TAB } from '../../../gallery/popup-states.tsx';
import { acting, control, press, render, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

/** Returns the text of the main area, without the letter in place of the site's icon. */
const state = () =>
  [...document.querySelectorAll('.stage-text, .stage-actions, .stage-note')].map(textOf).join(' ').trim();
const TITLE_AND_URL = `${TAB.title} www.theriverjournal.example ${TAB.url?.slice('https://www.theriverjournal.example'.length)}`;
const rows = () => [...document.querySelectorAll('[data-request]')].map(textOf);
const bottomLine = () => {
  const line = document.querySelector('.bottom > .bottom-line');
  return line ? textOf(line) : '';
};
const field = () => control('Address') as HTMLInputElement;

const shorten = (url: string, part = {}) => ({ type: 'shorten', orders: [{ url }], ...part });
const page = (name: string) => expect.stringContaining(`/pages/${name}/`);

/** Shows a state of the popup. `calls` are the messages and the opened pages, in order. */
async function open(name: string, change: Given = {}, part: Partial<PopupDeps> = {}) {
  const calls: unknown[] = [];
  const given = { ...POPUP_STATES[name], ...change };
  const deps = testDeps({ view: given.view ?? queuesView(), isOnline: () => given.online ?? true, ...part });
  const store = popupStore(given, {
    ...deps,
    ask: (message) => {
      calls.push(message);
      return deps.ask(message);
    },
    openTab: async (url) => void calls.push(url),
    openOptions: async () => void calls.push('options'),
  });
  await render(<Popup store={store} />);
  const changeTo = (next: string, other: Given = {}) => act(() => become(store, { ...POPUP_STATES[next], ...other }));
  return { calls, store, written: deps.written, become: changeTo };
}

const popup = async (name: string, change: Given = {}) => (await open(name, change)).calls;

describe('the text of the popup', () => {
  test.each([
    ['ready', `${TITLE_AND_URL} Shorten this page Copies the short URL Customize`],
    ['sending', `${TITLE_AND_URL} Shortening… You can close this popup. The link will still be created.`],
    ['done', `go.example /r1v3R8k Copied ${TAB.title} Copy again QR code Open`],
    ['done-not-copied', `go.example /r1v3R8k ${TAB.title} Copy QR code Open`],
    ['earlier', `go.example /r1v3R8k ${TAB.title} Copy QR code Open`],
    ['done-other-host', `tiny.elsewhere.example /r1v3R8k Different host ${TAB.title} Copy QR code Open`],
    ['offline', `${TAB.title} You're offline. Sending once you're back online. Cancel`],
    [
      'minted-offline',
      `go.example /r1v3R8k Not active yet ${TAB.title} You're offline. Sending once you're back online. Copy`,
    ],
    [
      'minted-unreachable',
      `go.example /r1v3R8k Not active yet ${TAB.title} The server can't be reached. Retrying in a few seconds. Copy`,
    ],
    ['minted-taken', `${TAB.title} This code is taken. Shorten again? Try again`],
    ['unreachable', `${TAB.title} The server can't be reached. Retrying in a few seconds. Try now`],
    ['busy', `${TAB.title} The server is busy. Retrying in 40 min. Try now`],
    ['busy-named', `${TAB.title} The server is busy. Retrying in 40 min. Cancel`],
    ['unknown', `${TAB.title} The server can't be reached. Retrying in a few seconds. Try now`],
    ['delayed', `${TAB.title} The server has a problem with this link. Retrying in 8 min. Try again`],
    ['lost-answer', `${TAB.title} Sent. Waiting for the server's answer. Checking again in 8 min. Try again`],
    [
      'minted-lost-answer',
      `go.example /r1v3R8k ${TAB.title} Sent. Waiting for the server's answer. Checking again in 8 min. Copy`,
    ],
    ['uncertain', `${TAB.title} This link may already exist. Sending it again may create a second one. Send again`],
    [
      'failed',
      `${TAB.title} The server refused this URL. The server says: Links to this host are not allowed here. Edit address`,
    ],
    [
      'failed-target',
      `${TAB.title} The server blocks this address. The server says: This address is in a private network. Edit address`,
    ],
    ['failed-key', `${TAB.title} The server refused your API key. Enter a valid one in the options. Try again`],
    ['failed-code', `${TAB.title} This short code is taken. Choose another one. Customize`],
    ['blocked-browser', "Settings Browser pages can't be shortened. Shorten"],
    ['blocked-file', "notes.txt Files on your computer can't be shortened. Shorten"],
    ['blocked-own', 'A field guide This is already one of your short URLs. Shorten'],
    ['halted-unauthorized', `${TITLE_AND_URL} Save for later Copies the short URL Customize`],
    ['halted-saved', `go.example /r1v3R8k Not active yet ${TAB.title} Waiting for a valid API key Copy`],
    ['connect', 'Connect your server once After that, shortening a page takes one click. Connect a server'],
    ['lost', `${TAB.title} Terse didn't respond. Nothing was lost. Try again. Try again`],
    ['refused', `${TAB.title} The disk is full. Free some space and try again. Try again`],
    [
      'refused-handed',
      'ftp://files.example/a Only addresses that start with http or https can be shortened. Edit address',
    ],
  ])('is correct in the state %s', async (name, expected) => {
    await render(popupIn(name));
    expect(state()).toBe(expected);
  });

  test("has at most 14 words without links, not counting the page's title and address", async () => {
    const page = await render(popupIn('ready-new'));
    for (const other of page.querySelectorAll('.visually-hidden, .tile, bdi')) other.remove();
    const words = textOf(page).split(' ');
    expect(words).toContain('Shorten');
    expect(words.length).toBeLessThanOrEqual(14);
  });
});

describe('the popup', () => {
  test('focuses its button, which shortens the page', async () => {
    const calls = await popup('ready');
    expect(document.activeElement).toBe(control('Shorten this page'));
    await press('Shorten this page');
    expect(calls).toMatchObject([{ type: 'shorten', orders: [{ url: TAB.url, title: TAB.title }] }]);
  });

  test('focuses the field for another URL if the page cannot be shortened, with the reason', async () => {
    await popup('blocked-file');
    expect(document.activeElement).toBe(field());
    expect(textOf(document.getElementById(field().getAttribute('aria-describedby') ?? ''))).toMatch(/^Files on/);
  });

  test.each([
    ['javascript:alert(1)', 'Only addresses that start with http or https can be shortened.'],
    ['someone@example.com', 'This is an email address. Only web pages can be shortened.'],
    ['go.example/abc', 'This is already one of your short URLs.'],
  ])('shows what is wrong with another URL, and keeps the text: %s', async (text, sentence) => {
    const calls = await popup('ready');
    await press('Shorten another URL');
    await type(field(), text);
    await submit(document.querySelector('form'));
    expect(calls).toEqual([]);
    expect(textOf(document.querySelector('[role="alert"]'))).toBe(sentence);
    expect(field().getAttribute('aria-invalid')).toBe('true');
  });

  test('lets the user edit a refused address, and the new request replaces the old one', async () => {
    const calls = await popup('failed-target');
    await press('Edit address');
    expect(field().value).toBe(TAB.url);
    await type(field(), 'https://shop.example/');
    await submit(document.querySelector('form'));
    expect(calls).toMatchObject([shorten('https://shop.example/', { insteadOf: 'request-here' })]);
  });

  test('removes the password from an address, and says so', async () => {
    const calls = await popup('user-info');
    expect(document.body.outerHTML).not.toContain('secret');
    expect(state()).toContain('Username and password removed');
    await press('Shorten this page');
    expect(calls).toMatchObject([shorten('https://intranet.example/report')]);
    await press('Shorten another URL');
    await type(field(), 'https://alice:secret@shop.example/');
    await submit(document.querySelector('form'));
    expect(calls[1]).toMatchObject(shorten('https://shop.example/'));
  });

  test('announces to screen readers that a password was removed', async () => {
    const typed = order({ url: 'https://shop.example/', title: '', userInfoRemoved: true });
    await popup('ready', {
      order: typed,
      view: queuesView([queue({ requests: [request({ id: typed.id, url: typed.url, state: 'sending' })] })]),
    });
    expect(textOf(document.querySelector('[role="status"]'))).toBe(
      'The username and password were removed from the address. Shortening…',
    );
  });

  test('has a busy button until the request is stored, and ignores another press', async () => {
    const calls = await popup('asking');
    const button = control('Shorten this page');
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(document.body.textContent).not.toContain('Shortening');
    await press('Shorten this page');
    expect(calls).toEqual([]);
  });

  test('keeps the typed URL until the background has replied', async () => {
    const answer = Promise.withResolvers<never>();
    const { calls } = await open('ready', {}, { ask: () => answer.promise });
    await press('Shorten another URL');
    await type(field(), 'https://shop.example/');
    await submit(document.querySelector('form'));
    await submit(document.querySelector('form'));
    expect(calls).toHaveLength(1);
    expect(field().value).toBe('https://shop.example/');
    expect(document.querySelector('.url-field button')?.getAttribute('aria-busy')).toBe('true');
    await acting(() => answer.resolve({ ok: false, code: 'storage_full' } as never));
    expect(document.querySelector('.url-field')).toBeNull();
  });

  const HERE = 'request-here';
  const cancel = { type: 'cancel', ids: [HERE] };
  const retry = { type: 'retry', id: HERE, isUncertain: false };
  const tryNow = { type: 'try-now', connectionId: CONNECTION.id };
  test.each<[string, string, unknown]>([
    ['offline', 'Cancel', cancel],
    ['minted-offline', `Cancel: ${TAB.title}`, cancel],
    ['minted-unreachable', 'Try now', tryNow],
    ['unknown', `Cancel: ${TAB.title}`, cancel],
    ['unknown', 'Try now', tryNow],
    ['delayed', 'Try again', retry],
    ['busy', 'Try now', tryNow],
    ['failed', 'Try again', retry],
    ['failed', `Dismiss: ${TAB.title}`, cancel],
    ['uncertain', 'Send again', { ...retry, isUncertain: true }],
    ['uncertain', `Dismiss: ${TAB.title}`, cancel],
    ['lost', 'Try again', shorten(TAB.url ?? '')],
    ['refused', 'Try again', shorten(TAB.url ?? '')],
    ['connect', 'Connect a server', page('welcome')],
    ['halted-permission', 'Allow', tryNow],
    ['halted-unauthorized', 'Replace key', 'options'],
    ['halted-unauthorized', 'Try again', tryNow],
    ['halted-unauthorized', 'Save for later', shorten(TAB.url ?? '')],
    ['halted-not-a-service', 'Try again', tryNow],
    ['ready', 'All links', page('links')],
    ['ready', 'Links', page('links')],
    ['done', 'Open', 'https://go.example/r1v3R8k'],
    ['earlier', 'Shorten again', { type: 'shorten', anew: true }],
  ])('in the state %s, runs the action of the button "%s"', async (name, button, call) => {
    const calls = await popup(name);
    await press(button);
    expect(calls).toMatchObject([call]);
  });

  test.each([
    ['refused', 'Close'],
    ['typed', 'Back to this page'],
  ])('in the state %s, shows the current page again after "%s"', async (name, button) => {
    await popup(name);
    await press(button);
    control('Shorten this page');
  });

  test.each([
    ['Queue', page('queue')],
    ['Bulk shorten', page('bulk')],
    ['Options', 'options'],
  ])('has a menu with the item "%s"', async (item, call) => {
    const calls = await popup('ready');
    await press('More');
    await press(item);
    expect(calls).toEqual([call]);
  });

  test('has no button to cancel a request that is being sent', async () => {
    await popup('sending');
    const names = [...document.querySelectorAll('.stage button')].map(textOf);
    expect(names).toEqual(['', 'Shortening…']);
  });

  test('focuses no button that cancels a request or may create a second link', async () => {
    for (const name of ['uncertain', 'offline']) {
      await popup(name);
      expect(document.activeElement, name).toBe(document.body);
    }
  });

  test('copies the result, and any of the latest links', async () => {
    const { written } = await open('earlier');
    await press('Copy');
    await press('Copy https://go.example/Kx3f9Qp');
    expect(written).toEqual(['https://go.example/r1v3R8k', 'https://go.example/Kx3f9Qp']);
  });

  test('shows the first three requests of a long queue, and a button for all', async () => {
    const requests = Array.from({ length: 5_000 }, () => request({ state: 'uncertain' }));
    const calls = await popup('ready', { view: queuesView([queue({ requests })]) });
    expect(rows()).toHaveLength(3);
    await press('Show all');
    expect(calls).toEqual([page('queue')]);
  });

  test('does not take the focus from a user who is typing', async () => {
    const { become } = await open('ready');
    await press('Shorten another URL');
    await become('done-not-copied');
    expect(document.activeElement).toBe(field());
    await press('Close');
    expect(state()).toMatch(/^go\.example/);
  });

  test('moves the focus to the pencil if the focused field disappears', async () => {
    await popup('uncertain');
    await press('Shorten another URL');
    await act(() => control('Close').focus());
    await press('Close');
    expect(document.activeElement).toBe(control('Shorten another URL'));
  });

  test('moves the focus from the pressed button to the button that replaces it', async () => {
    const { become } = await open('ready');
    await become('done-not-copied');
    expect(document.activeElement).toBe(control('Copy'));
  });
});

describe('the popup in a private window', () => {
  const failed = (isUncertain: boolean) =>
    order({
      state: 'finished',
      result: { problem: { code: 'no_answer', message: '' }, isUncertain, isRefused: false },
    });

  test('first says that the server will list the link', async () => {
    await popup('ready');
    expect(state()).not.toContain("Your server's list will include this link.");
    await popup('private');
    expect(state()).toContain("Your server's list will include this link.");
    await press('Shorten another URL');
    expect(document.querySelector('.url-field')).not.toBeNull();
    expect(state()).toContain("Your server's list will include this link.");
  });

  test('says that it waits for the answer of the server, wherever the user started', async () => {
    const ask = () => new Promise<never>(() => {});
    const isSending = () => textOf(document.querySelector('[type="submit"], .is-large')) === 'Shortening…';

    await open('private', {}, { ask });
    await press('Shorten this page');
    expect(isSending()).toBe(true);
    expect(state()).toContain("Your server's list will include this link.");

    await open('private-failed', { order: failed(false) }, { ask });
    await press('Try again');
    expect(isSending()).toBe(true);
  });

  test('shows the link of a request that is stored nowhere, as plain text', async () => {
    await popup('private-done');
    expect(textOf(document.querySelector('.stage-url'))).toBe('go.example /r1v3R8k');
    expect(document.querySelector('.stage-url a')).toBeNull();
  });

  test('says why there is no link, and sends the same command again only on request', async () => {
    const result = { problem: { code: 'no_answer', message: '' }, isUncertain: false, isRefused: false } as const;
    const failed = order({ state: 'finished', result, server: { ...CONNECTION, revision: 1 } });
    const ask = async () => ({ ok: true as const, value: result as never });
    const { calls } = await open('private-failed', { order: failed }, { ask });
    expect(state()).toContain('The connection was lost before a response arrived.');
    expect(calls).toEqual([]);
    await press('Try again');
    const { id, at, url, server } = failed;
    expect(calls).toMatchObject([{ type: 'shorten-privately', id, at, url, server }]);
  });

  test('says that its server has changed, and then sends a new command to the changed server', async () => {
    const server = { ...CONNECTION, revision: 1 };
    const refused = order({ state: 'refused', code: 'server_changed', server: CONNECTION, anew: true });
    const { calls } = await open('private-failed', {
      order: refused,
      view: queuesView([queue({ connection: server })]),
    });
    expect(state()).toContain('Sending this link again may create a second one.');
    expect(document.activeElement).toBe(document.body);
    await press('Send again');
    const again = { type: 'shorten-privately', url: refused.url, options: refused.options, anew: true, server };
    expect(calls).toMatchObject([again]);
    expect(calls).not.toMatchObject([{ id: refused.id }]);
  });

  test('warns if another send may create a second link', async () => {
    await popup('private-failed', { order: failed(true) });
    expect(state()).toContain('Sending it again may create a second one.');
    expect(control('Send again')).not.toBeNull();
    expect(document.activeElement).toBe(document.body);
  });

  test('does not offer to save a page for later, because it stores none', async () => {
    await popup('halted-unauthorized');
    expect(state()).toContain('Save for later');
    await popup('halted-unauthorized', { tab: { ...TAB, private: true } });
    expect(state()).not.toContain('Save for later');
  });
});

describe('the popup with one or more connections', () => {
  const chooser = () => document.querySelector('select');

  test('has no selector for a single connection, and does not name it in requests', async () => {
    await popup('queue-mixed');
    expect(chooser()).toBeNull();
    expect(document.querySelector('.row-connection')).toBeNull();
  });

  test('selects the default connection, and lets the user choose the other', async () => {
    const calls = await popup('two-connections');
    const options = [...(chooser()?.options ?? [])].map(textOf);
    expect(options).toEqual(['links.example.com', 'Work']);
    expect(chooser()?.value).toBe(CONNECTION.id);
    await act(() => {
      (chooser() as HTMLSelectElement).value = SECOND_CONNECTION.id;
      chooser()?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(calls).toEqual([{ type: 'set-default-connection', connectionId: SECOND_CONNECTION.id }]);
  });

  test('lists the requests of all queues, each with its connection', async () => {
    await popup('two-connections');
    const named = [...document.querySelectorAll('.row-connection')].map(textOf);
    expect(named).toEqual(['links.example.com', 'Work', 'Work']);
  });

  test('shows the quota of the chosen connection', async () => {
    await popup('two-connections');
    expect(bottomLine()).toBe('');
    await popup('two-second-chosen');
    expect(bottomLine()).toMatch(/^4 links left today · more tomorrow at /);
  });
});

test.each([
  ['queue-mixed', /^The server does not accept this URL\. Check it for mistakes\.$/],
  ['hostile', /^The server refused this URL\. The server says: <script>/],
])('a failed request has its reason first, and no server message that repeats it: %s', async (name, text) => {
  await popup(name);
  expect(textOf(document.querySelector('[data-request] .row-note'))).toMatch(text);
});

describe('the line at the bottom', () => {
  test.each([
    ['ready', ''],
    ['done', ''],
    ['ready-low', '3 links left today · more tomorrow at TIME'],
    ['ready-not-loaded', "Your existing links aren't loaded yet. An address may already have a short link."],
    ['ready-used-up', 'No links left today · more tomorrow at TIME'],
    ['minted-unreachable', ''],
    ['quota', ''],
    ['earlier', 'Already shortened today Shorten again Customize'],
    ['earlier-low', '3 links left today · more tomorrow at TIME Shorten again Customize'],
    ['sending-low', ''],
    ['done-low', ''],
    ['halted-permission', 'Terse no longer has access to links.example.com. Allow'],
    ['halted-unauthorized', 'links.example.com no longer accepts your API key. Replace key'],
    ['two-one-halted', 's.company.example no longer accepts your API key. Replace key'],
    ['failed-key', 'links.example.com no longer accepts your API key. Replace key'],
  ])('is correct in the state %s', async (name, expected) => {
    await popup(name);
    expect(bottomLine().replace(/at \d+:\d+/, 'at TIME')).toBe(expected);
  });

  test('shows a low quota only on the next page, not directly after a new link', async () => {
    const { become } = await open('ready', { view: queuesView([queue({ limits: limits(5) })]) });
    const view = queuesView([queue({ limits: limits(4) })]);
    await become('done', { view });
    expect(bottomLine()).toBe('');
    // The popup then opens for another page.
    await become('ready', { view });
    expect(bottomLine()).toMatch(/^4 links left today/);
  });
});

test('requests that wait for quota show once when they are sent', async () => {
  await popup('quota');
  expect(state()).toMatch(/No links left today\. Sending tomorrow at \S+( AM)?\. Cancel$/);
  expect(textOf(document.querySelector('.list'))).toMatch(/^2 waiting Show all Quota used up · sending \S/);
  expect([...document.querySelectorAll('.row-note')].map(textOf)).toEqual(['', '']);
});

describe('untrusted text', () => {
  test('is shown only as text, isolated from the text around it', async () => {
    const page = await render(popupIn('hostile'));
    expect(page.querySelectorAll('img, script, iframe, a[href]')).toHaveLength(0);
    const foreign = [...page.querySelectorAll(':not(option)')].filter(
      (element) => element.children.length === 0 && /alert\(1\)|annoying|aaaa/.test(element.textContent ?? ''),
    );
    expect(foreign.length).toBeGreaterThan(4);
    for (const element of foreign) expect(element.closest('bdi')).not.toBeNull();
  });

  test('cannot reverse the direction of the text around it', async () => {
    await render(popupIn('hostile'));
    const isolated = [...document.querySelectorAll('bdi')];
    expect(isolated.length).toBeGreaterThan(4);
    for (const element of isolated) {
      expect(`${element.textContent}${element.getAttribute('title')}`).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    }
  });

  test('in a short URL cannot be opened if it is not a web address', async () => {
    await popup('ready', { links: [link({ shortUrl: 'javascript:alert(1)' })] });
    expect(document.querySelector<HTMLButtonElement>('.row-open')?.disabled).toBe(true);
  });
});

test('the popup shows only the three latest links', async () => {
  await popup('ready', { links: [...LINKS, link()] });
  expect(document.querySelectorAll('.row')).toHaveLength(3);
});

test.each([
  ['done-copy-refused', 'The browser blocked copying. Copy this text manually: https://go.example/r1v3R8k'],
  ['not-cancelled', 'The disk is full. Free some space and try again.'],
])('an error message is shown over the page until the user dismisses it: %s', async (name, text) => {
  await popup(name);
  expect(document.querySelector('.toast p')?.textContent.trim()).toBe(text);
  expect(textOf(document.querySelector('[role="status"]'))).toBe(text.replace(/ https:.*$/, ''));
  await press('Dismiss');
  expect(document.querySelector('.toast')).toBeNull();
});
