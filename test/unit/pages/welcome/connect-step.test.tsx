import '../../../gallery/stubbed.ts';
import { describe, expect, test } from 'vitest';
import { WelcomePage } from '../../../../src/pages/welcome/welcome-page.tsx';
import { EMPTY_STATE } from '../../../../src/queue/add-replace-delete-connection.ts';
import type { Queue } from '../../../../src/queue/types.ts';
import { CONNECTION, queue, SECOND_CONNECTION } from '../../../gallery/fixtures.ts';
import { FOUND } from '../../../gallery/options-states.tsx';
import { WELCOME_DEFAULTS } from '../../../gallery/welcome-states.tsx';
import { control, press, render, rerender, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const outcome = () => textOf(document.querySelector('.step .connecting-result'));

function page(shown: Queue | null, isRefused = false) {
  const found = { ok: true, value: { ...FOUND, connectionId: CONNECTION.id } } as const;
  const save = async () => (isRefused ? ({ ok: false, code: 'key_refused' } as const) : found);
  return <WelcomePage {...WELCOME_DEFAULTS} queue={shown} handlers={{ ...WELCOME_DEFAULTS.handlers, save }} />;
}

async function connect(isRefused = false) {
  await render(page(null, isRefused));
  await type(control('Server address'), CONNECTION.baseUrl);
  await type(control('API key'), `terse_${CONNECTION.lastFour}`);
  await press('Accept and connect');
}

test('what is sent is said right above the button that accepts it', async () => {
  await render(page(null));
  const sent = document.querySelector('#data-sent');
  expect(textOf(sent)).toMatch(/the addresses you shorten, their titles if you choose, and your API key/);
  const button = document.querySelector('form button[type="submit"]');
  expect(textOf(button)).toBe('Accept and connect');
  expect(button?.getAttribute('aria-describedby')).toBe('data-sent');
  expect(sent?.nextElementSibling?.contains(button)).toBe(true);
});

describe('what was found of a service', () => {
  test('stays beside its connection', async () => {
    await connect();
    await rerender(page(queue()));
    expect(outcome()).toMatch(/^Connected\. .* Server Terse 1\.0\.0/);
  });

  test.each([
    ['another connection', queue({ connection: SECOND_CONNECTION })],
    ['another address', queue({ connection: { ...CONNECTION, baseUrl: 'https://b.example' } })],
    ['a connection that fails', queue({ state: { ...EMPTY_STATE, halt: 'unauthorized' } })],
    ['the form of the first one', null],
  ])('is gone from beside %s', async (_what, next) => {
    await connect();
    await rerender(page(queue()));
    await rerender(page(next));
    expect(outcome()).toBe('');
  });

  test('has the focus once the form with the focused button is gone, and not on a page without a form', async () => {
    await connect();
    control('Accept and connect').focus();
    await rerender(page(queue()));
    expect(document.activeElement).toBe(document.querySelector('.welcome-connection'));
    await render(page(queue()));
    expect(document.activeElement).toBe(document.body);
  });

  test('is gone from beside a connection that was made elsewhere meanwhile', async () => {
    await connect(true);
    expect(outcome()).not.toBe('');
    await rerender(page(queue({ connection: SECOND_CONNECTION }), true));
    expect(outcome()).toBe('');
  });
});
