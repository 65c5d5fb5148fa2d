import '../../../gallery/stubbed.ts';
import { expect, test, vi } from 'vitest';
import { WelcomePage } from '../../../../src/pages/welcome/welcome-page.tsx';
import type { RequestStatus } from '../../../../src/queue/status/request-status.ts';
import { request } from '../../../gallery/fixtures.ts';
import { WELCOME_DEFAULTS, welcomeIn } from '../../../gallery/welcome-states.tsx';
import { control, press, render, rerender, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const shorten = vi.fn();

function pending(status: RequestStatus, change: Parameters<typeof request>[0] = {}) {
  const listed = { request: request(change), status, limit: 20, connection: null };
  return <WelcomePage {...WELCOME_DEFAULTS} firstLink={{ kind: 'pending', listed }} shorten={shorten} />;
}
const outcome = () => textOf(document.querySelector('.card .connecting-result'));

test('a first address that is refused can be corrected right there', async () => {
  await render(pending({ kind: 'failed' }, { state: 'failed', problem: { code: 'invalid_url', message: '' } }));
  expect(outcome()).toBe('The server does not accept this URL. Check it for mistakes.');
  await type(document.querySelector('#first-link') as HTMLInputElement, 'https://example.org/');
  await press('Shorten');
  expect(shorten).toHaveBeenCalledWith('https://example.org/');
});

test('waiting is explained', async () => {
  await render(pending({ kind: 'waiting', reason: 'offline', at: null }));
  expect(outcome()).toBe("You're offline. It's sent once you're back.");
});

test('the finished link is announced and its copy button has the focus', async () => {
  await render(pending({ kind: 'sending' }));
  document.querySelector<HTMLElement>('form button')?.focus();
  await rerender(welcomeIn('done'));
  expect(document.activeElement).toBe(control('Copy'));
  expect(textOf(document.querySelector('.card [role="status"]'))).toMatch(/^Your short URL is ready: https:/);
});
