import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Popup } from '../../../../src/pages/popup/popup.tsx';
import type { Shorten } from '../../../../src/pages/popup/popup-store.ts';
import { NO_OPTIONS } from '../../../../src/queue/accept.ts';
import { type Given, POPUP_STATES, popupStore, TAB } from '../../../gallery/popup-states.tsx';
import { acting, control, press, render, submit, textOf, type } from '../../support/render.ts';
import { shortenCommands } from '../../support/shorten-commands.ts';

// @vitest-environment happy-dom

const request = vi.fn<(asked: unknown) => Promise<boolean>>();
const shorten = vi.fn<(what: Shorten) => Promise<boolean>>();
const shortenAnew = vi.fn<(what: Shorten) => Promise<boolean>>();

beforeEach(() => {
  vi.resetAllMocks();
  const { browser } = globalThis as unknown as { browser: { runtime: object } };
  Object.assign(browser, { permissions: { request } });
  request.mockResolvedValue(true);
  shorten.mockResolvedValue(true);
});

const form = () => document.querySelector<HTMLFormElement>('.link-form');
/** The address that will be sent. */
const address = () => textOf(document.querySelector('.form-address'));
const field = (id: string) => document.getElementById(id) as HTMLInputElement;
/** Waits until the page has painted the data that it loaded or received. */
const painted = (holds: () => unknown) =>
  vi.waitFor(async () => {
    await act(async () => undefined);
    holds();
  });

function show(state: string, change: Given = {}) {
  const store = popupStore({ ...POPUP_STATES[state], ...change }, shortenCommands(shorten, shortenAnew));
  return render(<Popup store={store} />);
}

/** Renders the popup with its form open. */
async function opened(state: string, change: Given = {}, button: string | null = 'Customize'): Promise<void> {
  await show(state, change);
  if (button !== null) await press(button);
  await painted(() => expect(form()).not.toBeNull());
}

async function choose(select: HTMLElement, value: string): Promise<void> {
  await act(() => {
    (select as HTMLSelectElement).value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

describe('the link form', () => {
  test("sends its contents, with the page's title as the default", async () => {
    await opened('ready');
    expect(field('link-title').value).toBe(TAB.title);
    await type(field('link-code'), 'river');
    await choose(field('link-expiry'), 'day');
    await submit(form());
    const [{ options, ...what } = {}] = shorten.mock.calls[0] ?? [];
    expect(what).toMatchObject({ url: TAB.url, title: TAB.title });
    expect(options).toMatchObject({ shortCode: 'river', title: TAB.title });
    expect(Date.parse(options?.expiresAt ?? '')).toBeGreaterThan(Date.now() + 22 * 3_600_000);
    expect(form()).toBeNull();
  });

  test('does not send an invalid short code or an expiry in the past', async () => {
    await opened('ready');
    await type(field('link-code'), 'not one');
    await submit(form());
    expect(field('link-code').getAttribute('aria-invalid')).toBe('true');
    expect(textOf(form())).toContain('Use 3 to 64 letters');
    field('link-title').focus();
    await submit(form());
    expect(document.activeElement).toBe(field('link-code'));
    await type(field('link-code'), '');
    await choose(field('link-expiry'), 'own');
    await type(document.querySelector<HTMLElement>('[type="datetime-local"]') as HTMLElement, '2020-01-01T00:00');
    await submit(form());
    expect(textOf(form())).toContain('Choose a date and time in the future.');
    expect(shorten).not.toHaveBeenCalled();
  });

  test('sends valid tags, and does not send invalid tags', async () => {
    await opened('ready');
    await type(field('link-tags'), 'x'.repeat(51));
    await submit(form());
    expect(shorten).not.toHaveBeenCalled();
    expect(textOf(form())).toContain('Enter up to 10 tags');
    expect(document.activeElement).toBe(field('link-tags'));
    await type(field('link-tags'), 'birds، long reads');
    await submit(form());
    expect(shorten.mock.lastCall?.[0].options?.tags).toEqual(['birds', 'long reads']);
  });

  test('removes tracking parameters and highlighted text if chosen, and shows the resulting URL', async () => {
    await opened('form-tracking', { formDefaults: {} });
    expect(address()).toContain('utm_source=newsletter');
    const [tracking, highlight] = document.querySelectorAll<HTMLInputElement>('.check input');
    await act(() => tracking?.click());
    await act(() => highlight?.click());
    expect(address()).toBe(TAB.url);
    await submit(form());
    expect(shorten).toHaveBeenCalledWith(expect.objectContaining({ url: TAB.url }));
  });

  test('stays closed until the user opens it, and starts with the link defaults', async () => {
    await show('form-tracking');
    expect(form()).toBeNull();
    await press('Shorten this page');
    expect(shorten).toHaveBeenCalledOnce();
    expect(shorten.mock.lastCall?.[0].options, 'options without the form').toBeNull();
    await press('Customize');
    await painted(() => expect(form()).not.toBeNull());
    expect(address()).not.toContain('utm_source');
    expect(document.activeElement).toBe(field('link-code'));
    expect(field('link-expiry').value).toBe('week');
    const moment = textOf(document.querySelector('#link-expiry-help'));
    expect(moment).toMatch(/^Expires on /);
    expect(moment, 'expiry without seconds').not.toMatch(/:\d\d:\d\d/);
  });

  test('shows no options for a service without options, and its button has the focus', async () => {
    await opened('form-no-options');
    expect(document.activeElement).toBe(form()?.querySelector('[type="submit"]'));
    expect(field('link-code')).toBeNull();
    await submit(form());
    expect(shorten).toHaveBeenCalledWith(expect.objectContaining({ url: TAB.url, options: NO_OPTIONS }));
  });

  test('opens with the refused values, and its request replaces the refused request', async () => {
    await opened('failed-code');
    expect(field('link-code').value).toBe('river');
    await type(field('link-code'), 'river-2');
    await submit(form());
    const options = expect.objectContaining({ shortCode: 'river-2' });
    expect(shorten).toHaveBeenCalledWith(expect.objectContaining({ insteadOf: 'request-here', options }));
  });

  test('sends all options of the refused request that the user does not change', async () => {
    const chosen = { title: 'River', expiresAt: '2099-01-31T09:30:00.000Z', tags: ['birds', 'long reads'] };
    const { view } = POPUP_STATES['failed-code'] ?? {};
    const queues = (view?.queues ?? []).map((queue) => ({
      ...queue,
      requests: queue.requests.map((request) => ({ ...request, options: { ...request.options, ...chosen } })),
    }));
    await opened('failed-code', { view: { queues } });
    await submit(form());
    expect(shorten.mock.lastCall?.[0].options).toEqual({ shortCode: 'river', ...chosen });
  });

  test.each([
    ['ready', 'Shorten this page'],
    ['failed-code', 'Customize'],
  ])('closes without a request, and moves the focus to the main button (%s)', async (state, focused) => {
    await opened(state);
    control('Close').focus();
    await press('Close');
    expect(form()).toBeNull();
    expect(document.activeElement).toBe(control(focused));
    expect(shorten).not.toHaveBeenCalled();
  });

  test('keeps its contents until the request is accepted, and shows why it was refused', async () => {
    const answer = Promise.withResolvers<boolean>();
    shorten.mockReturnValue(answer.promise);
    await opened('ready');
    await type(field('link-code'), 'river');
    await submit(form());
    await submit(form());
    expect(shorten).toHaveBeenCalledOnce();
    expect(form()?.querySelector('[type="submit"]')?.getAttribute('aria-busy')).toBe('true');
    await acting(() => answer.resolve(false));
    expect(textOf(document.querySelector('[role="alert"]'))).toBe('The disk is full. Free some space and try again.');
    expect(field('link-code').value).toBe('river');
    expect(form()?.querySelector('[type="submit"]')?.getAttribute('aria-busy')).toBe('false');
  });

  test('no longer shows or announces an old refusal once the user changes something', async () => {
    const said = () => [...document.querySelectorAll('[role="alert"], [role="status"]')].map(textOf).join('');
    await show('failed-code');
    expect(said()).toContain('taken');
    await press('Customize');
    await painted(() => expect(form()).not.toBeNull());
    expect(said()).toBe('');
    shorten.mockResolvedValue(false);
    await type(field('link-code'), 'river-2');
    await submit(form());
    await painted(() => expect(said()).toBe('The disk is full. Free some space and try again.'));
    await type(field('link-code'), 'river-3');
    expect(said()).toBe('');
    await submit(form());
    await painted(() => expect(said()).toBe('The disk is full. Free some space and try again.'));
  });
});
