import '../../../gallery/stubbed.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { WelcomePage } from '../../../../src/pages/welcome/welcome-page.tsx';
import type { RequestStatus } from '../../../../src/queue/status/request-status.ts';
import { CONNECTION, NOW, request } from '../../../gallery/fixtures.ts';
import { WELCOME_DEFAULTS, welcomeIn } from '../../../gallery/welcome-states.tsx';
import { control, press, render, rerender, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const [shorten, cancel, retry, tryNow] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];

beforeEach(() => {
  vi.clearAllMocks();
});

function pending(status: RequestStatus, change: Parameters<typeof request>[0] = {}) {
  const listed = { request: request({ id: 'first', ...change }), status, connection: CONNECTION };
  const handlers = { ...WELCOME_DEFAULTS.handlers, cancel, retry, tryNow };
  return <WelcomePage {...WELCOME_DEFAULTS} firstLink={{ kind: 'pending', listed }} {...{ shorten, handlers }} />;
}
const outcome = () => textOf(document.querySelector('.card .connecting-result'));

test('a first address that was refused can be corrected in the same form', async () => {
  await render(pending({ kind: 'failed' }, { state: 'failed', problem: { code: 'invalid_url', message: '' } }));
  expect(outcome()).toBe('The server does not accept this URL. Check it for mistakes.');
  await type(document.querySelector('#first-link') as HTMLInputElement, 'https://example.org/');
  await press('Shorten');
  expect(shorten).toHaveBeenCalledWith('https://example.org/');
});

test('a waiting first link shows why it waits', async () => {
  await render(pending({ kind: 'waiting', reason: 'offline', at: null }));
  expect(outcome()).toBe("You're offline. Sending once you're back online. Cancel");
});

const buttons = () => [...document.querySelectorAll('.card .connecting-result button')].map(textOf);

test('an uncertain first link can be sent again or canceled', async () => {
  await render(pending({ kind: 'uncertain' }, { state: 'uncertain', problem: { code: 'timeout', message: '' } }));
  expect(buttons()).toEqual(['Send again', 'Cancel']);
  await press('Send again');
  expect(retry.mock.calls).toEqual([['first']]);
  await press('Cancel');
  expect(cancel.mock.calls).toEqual([[['first']]]);
});

test('a waiting first link can be canceled, and tried again if the server is unreachable', async () => {
  await render(pending({ kind: 'waiting', reason: 'offline', at: null }));
  expect(buttons()).toEqual(['Cancel']);
  await rerender(pending({ kind: 'waiting', reason: 'unreachable', at: NOW + 60_000, guessed: true }));
  expect(buttons()).toEqual(['Try again', 'Cancel']);
  await press('Try again');
  expect(tryNow.mock.calls).toEqual([[CONNECTION.id]]);
  await rerender(pending({ kind: 'waiting', reason: 'delayed', at: NOW + 60_000, guessed: true }));
  await press('Try again');
  expect(retry.mock.calls).toEqual([['first']]);
});

test('the form has the focus after the first link is canceled', async () => {
  await render(pending({ kind: 'waiting', reason: 'offline', at: null }));
  control('Cancel').focus();
  await rerender(welcomeIn('connected'));
  expect(document.activeElement).toBe(document.querySelector('#first-link'));
});

test('a first link that is being sent cannot be canceled', async () => {
  await render(pending({ kind: 'sending' }));
  expect(buttons()).toEqual([]);
});

test('the finished link is announced and its copy button has the focus', async () => {
  await render(pending({ kind: 'sending' }));
  document.querySelector<HTMLElement>('form button')?.focus();
  await rerender(welcomeIn('done'));
  expect(document.activeElement).toBe(control('Copy'));
  expect(textOf(document.querySelector('.card [role="status"]'))).toMatch(/^Your short URL is ready: https:/);
});
