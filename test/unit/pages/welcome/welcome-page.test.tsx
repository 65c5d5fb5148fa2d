import { readFileSync } from 'node:fs';
import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { describe, expect, test, vi } from 'vitest';
import { WelcomePage } from '../../../../src/pages/welcome/welcome-page.tsx';
import type { WelcomeDeps } from '../../../../src/pages/welcome/welcome-store.ts';
import type { RequestStatus } from '../../../../src/queue/status.ts';
import type { Queue } from '../../../../src/queue/types.ts';
import { EMPTY_STATE } from '../../../../src/queue/user-actions.ts';
import { CONNECTION, NOT_LOADED, queue, queuesView, request } from '../../../gallery/fixtures.ts';
import { FOUND } from '../../../gallery/options-states.tsx';
import { type WelcomeGiven, welcomeIn, welcomeStore } from '../../../gallery/welcome-states.tsx';
import { control, press, render, rerender, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const heading = () => textOf(document.querySelector('h1'));
const status = () => textOf(document.querySelector('.connecting-result'));

const saved = async () => ({ ok: true, value: { ...FOUND, connectionId: CONNECTION.id } }) as const;

/** Creates a store of the page. */
function storeOf(shown: Queue | null, given: WelcomeGiven = {}, deps: Partial<WelcomeDeps> = {}) {
  return welcomeStore({ ...given, queue: shown }, { saveConnection: saved, ...deps });
}

function page(...given: Parameters<typeof storeOf>) {
  return <WelcomePage store={storeOf(...given)} />;
}

/** Renders the page without a connection, then connects a server. The page then reads `connected`. */
async function connect(connected: Queue | null = null, deps: Partial<WelcomeDeps> = {}) {
  const view = queuesView(connected ? [connected] : []);
  const store = storeOf(null, {}, { readQueues: async () => view, ...deps });
  await render(<WelcomePage store={store} />);
  await type(control('Connection link or server address'), CONNECTION.baseUrl);
  await type(control('API key'), `terse_${CONNECTION.lastFour}`);
  control('Connect').focus();
  await press('Connect');
  return store;
}

describe('the welcome page without a server', () => {
  test('says directly above "Connect" which data is sent', async () => {
    await render(page(null));
    const sent = document.querySelector('#data-sent');
    expect(textOf(sent)).toMatch(/the addresses you shorten, their titles if you choose, and your API key/);
    const button = control('Connect');
    expect(button.getAttribute('aria-describedby')).toBe('data-sent');
    expect(sent?.nextElementSibling?.contains(button)).toBe(true);
  });

  test('says what a server needs, with the command of the documentation that starts one', async () => {
    await render(page(null));
    expect(textOf(document.querySelector('.welcome-choices .card:last-child > p'))).toMatch(/^You can run your own/);
    expect(readFileSync('README.md', 'utf8')).toContain(textOf(document.querySelector('pre')));
  });

  test.each(['', 'https://terse.example'])('links to the project only if the build has its URL: "%s"', async (url) => {
    vi.stubEnv('VITE_PROJECT_URL', url);
    await render(page(null));
    vi.unstubAllEnvs();
    expect([...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(url ? [url] : []);
  });

  test('fills in the connection link with which the page was opened, and saves nothing', async () => {
    const save = vi.fn();
    const offered = { baseUrl: 'http://127.0.0.1:8787', apiKey: 'terse_abc' };
    await render(page(null, { offered }, { saveConnection: save }));
    expect((control('Connection link or server address') as HTMLInputElement).value).toBe(offered.baseUrl);
    expect((control('API key') as HTMLInputElement).value).toBe(offered.apiKey);
    expect(save).not.toHaveBeenCalled();
  });
});

describe('once a server is connected', () => {
  test('the field for the first link has the focus, and typing replaces the example', async () => {
    await connect(queue());
    expect(heading()).toBe("You're connected");
    const field = control('Address to shorten') as HTMLInputElement;
    expect(document.activeElement).toBe(field);
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length]);
  });

  test('a server that does not identify itself is not called connected', async () => {
    const report = { ...FOUND, service: null, connectionId: CONNECTION.id } as const;
    const save = async () => ({ ok: true, value: report }) as const;
    const untested = queue({ connection: { ...NOT_LOADED, lastSeenWellAt: null } });
    await connect(untested, { saveConnection: save });
    expect(heading()).toBe('Welcome to Terse');
    expect(status()).toMatch(/^Saved\. This address responds, but doesn't identify itself/);
  });

  test('a connection that is removed on another page leaves no result and no input', async () => {
    const store = await connect(queue());
    await act(() => {
      store.view.value = queuesView([]);
    });
    expect(heading()).toBe('Welcome to Terse');
    expect(status()).toBe('');
    expect((control('Connection link or server address') as HTMLInputElement).value).toBe('');
    expect((control('API key') as HTMLInputElement).value).toBe('');
  });

  test('a server that can no longer be used shows the reason, with a button to fix it', async () => {
    const openOptions = vi.fn<WelcomeDeps['openOptions']>();
    const requestHost = vi.fn<WelcomeDeps['requestHost']>().mockResolvedValue(true);
    const deps = { openOptions, requestHost };
    await render(page(queue({ state: { ...EMPTY_STATE, blocked: 'unauthorized' } }), {}, deps));
    expect(textOf(document.querySelector('.notice'))).toBe('links.example.com no longer accepts your API key.');
    expect(document.querySelector('#first-link')).toBeNull();
    await press('Replace key');
    expect(openOptions).toHaveBeenCalledOnce();
    await render(page(queue({ state: { ...EMPTY_STATE, blocked: 'permission' } }), {}, deps));
    await press('Allow');
    expect(requestHost).toHaveBeenCalledExactlyOnceWith(CONNECTION.baseUrl);
  });
});

function pending(status: RequestStatus, change: Parameters<typeof request>[0] = {}, ask = vi.fn()) {
  const listed = { request: request({ id: 'first', ...change }), status, connection: CONNECTION };
  return <WelcomePage store={welcomeStore({ firstLink: { kind: 'pending', listed } }, { ask })} />;
}

test('a first address that was refused can be corrected in the same form', async () => {
  const ask = vi.fn().mockResolvedValue({ ok: true, value: null });
  const failed = { state: 'failed', problem: { code: 'invalid_url', message: '' } } as const;
  const card = await render(pending({ kind: 'failed' }, failed, ask));
  expect(textOf(card)).toContain('The server does not accept this URL. Check it for mistakes.');
  await type(document.querySelector('#first-link') as HTMLInputElement, 'https://example.org/');
  await press('Shorten');
  expect(ask.mock.calls).toMatchObject([[{ type: 'shorten', orders: [{ url: 'https://example.org/' }] }]]);
});

test('the finished link is announced and its copy button has the focus', async () => {
  await render(pending({ kind: 'sending' }));
  document.querySelector<HTMLElement>('form button')?.focus();
  await rerender(welcomeIn('done'));
  expect(document.activeElement).toBe(control('Copy'));
  expect(textOf(document.querySelector('.card [role="status"]'))).toMatch(/^Your short URL is ready: https:/);
});
