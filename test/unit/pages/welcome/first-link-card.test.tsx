import '../../../gallery/stubbed.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { WelcomePage } from '../../../../src/pages/welcome/welcome-page.tsx';
import type { WelcomeDeps } from '../../../../src/pages/welcome/welcome-store.ts';
import type { RequestStatus } from '../../../../src/queue/status.ts';
import { CONNECTION, request } from '../../../gallery/fixtures.ts';
import { welcomeIn, welcomeStore } from '../../../gallery/welcome-states.tsx';
import { control, press, render, rerender, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const ask = vi.fn();
const asked = () => ask.mock.calls.map(([message]) => message);

beforeEach(() => {
  ask.mockReset().mockResolvedValue({ ok: true, value: null });
});

function pending(status: RequestStatus, change: Parameters<typeof request>[0] = {}) {
  const listed = { request: request({ id: 'first', ...change }), status, connection: CONNECTION };
  const store = welcomeStore({ firstLink: { kind: 'pending', listed } }, { ask: ask as WelcomeDeps['ask'] });
  return <WelcomePage store={store} />;
}
const outcome = () => textOf(document.querySelector('.card .connecting-result'));

test('a first address that was refused can be corrected in the same form', async () => {
  await render(pending({ kind: 'failed' }, { state: 'failed', problem: { code: 'invalid_url', message: '' } }));
  expect(outcome()).toContain('The server does not accept this URL. Check it for mistakes.');
  await type(document.querySelector('#first-link') as HTMLInputElement, 'https://example.org/');
  await press('Shorten');
  expect(asked()).toMatchObject([{ type: 'shorten', orders: [{ url: 'https://example.org/' }] }]);
});

test('the finished link is announced and its copy button has the focus', async () => {
  await render(pending({ kind: 'sending' }));
  document.querySelector<HTMLElement>('form button')?.focus();
  await rerender(welcomeIn('done'));
  expect(document.activeElement).toBe(control('Copy'));
  expect(textOf(document.querySelector('.card [role="status"]'))).toMatch(/^Your short URL is ready: https:/);
});
