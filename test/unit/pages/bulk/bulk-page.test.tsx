import '../../../gallery/stubbed.ts';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BulkPage, type BulkPageProps } from '../../../../src/pages/bulk/bulk-page.tsx';
import { previewCost } from '../../../../src/pages/bulk/quota-preview.ts';
import type { BulkActions } from '../../../../src/pages/bulk/use-bulk-actions.ts';
import { EMPTY_STATE } from '../../../../src/queue/add-replace-delete-connection.ts';
import { DEFAULTS, HANDLERS, MANY_STATES } from '../../../gallery/bulk-states.tsx';
import { queue, TIME } from '../../../gallery/fixtures.ts';
import { control, press, render, rerender, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const calls: unknown[][] = [];
const recorded = Object.fromEntries(
  Object.keys(HANDLERS).map((name) => [
    name,
    (...given: unknown[]) => {
      calls.push([name, ...given.filter((one) => !(one instanceof Event))]);
      return true;
    },
  ]),
) as unknown as BulkActions;

beforeEach(() => {
  calls.length = 0;
});

function Page({ state, change = {} }: { state: string; change?: Partial<BulkPageProps> }) {
  const [text, setText] = useState('');
  const props: BulkPageProps = { ...DEFAULTS, ...MANY_STATES[state]?.props, handlers: recorded, ...change };
  const { compose, group } = props;
  const choose = (...given: unknown[]) => void calls.push(['choose', ...given]);
  return (
    <BulkPage
      {...props}
      compose={compose && { ...compose, handlers: props.handlers, choose, text, setText }}
      group={group && typeof group === 'object' ? { ...group, handlers: recorded } : group}
    />
  );
}

const page = (state: string, change?: Partial<BulkPageProps>) => <Page state={state} {...(change && { change })} />;

const rows = () => [...document.querySelectorAll('.row')];
const helps = () => [...document.querySelectorAll('.help')].map(textOf);

test('a fully canceled list shows that nothing was shortened, and has no result bar', async () => {
  await render(page('all-cancelled'));
  expect(textOf(document.querySelector('h1'))).toBe('0 of 3 shortened');
  expect(textOf(document.querySelector('.progress'))).toBe('3 were canceled or removed.');
  expect(document.querySelector('.dock')).toBeNull();
});

describe('a list that the user composes', () => {
  test('shows that the API key is missing instead of a send time', async () => {
    const compose = MANY_STATES.list?.props.compose;
    if (!compose) throw new Error('The gallery has no composed list.');
    const keyless = queue({ state: { ...EMPTY_STATE, blocked: 'key_missing' } });
    const plan = previewCost(keyless, compose.chosen, compose.known, 'never', TIME, true);
    await render(<BulkPage {...DEFAULTS} compose={{ ...compose, plan }} />);
    expect(textOf(document.querySelector('.dock-text'))).toMatch(/^Uses .* left today Waiting for the API key$/);
  });

  test('shows its entries, cost and send time, and the reason for each invalid line', async () => {
    await render(page('list'));
    expect(rows()).toHaveLength(7);
    expect(textOf(rows()[0] ?? null)).toContain('2 times in this list');
    expect(textOf(rows()[6] ?? null)).toContain('Already shortened: go.example/Kx3f9Qp');
    const boxes = rows().map((row) => row.querySelector('input')?.checked);
    expect(boxes).toEqual([true, true, false, true, true, true, false]);
    expect(textOf(document.querySelector('.dock-text'))).toBe(
      'Uses 1 of the 13 requests you have left today Ready in about 1 second.',
    );
    expect([...document.querySelectorAll('.invalid-line')].map(textOf)).toEqual([
      'Shopping list This is not a complete URL. It should look like example.com/page.',
      'mailto:jane@example.com This is an email address. Only web pages can be shortened.',
    ]);
  });

  test('shows when the rest is sent if the quota is too small', async () => {
    await render(page('spec-only'));
    expect(textOf(document.querySelector('.dock-text'))).toMatch(
      /^Needs 35 requests, but you have 15 left today Will be sent as your quota allows: 15 now and 20 tomorrow at \d\d:00\.$/,
    );
  });

  test('shows only that the quota is used up if no quota is left', async () => {
    const compose = MANY_STATES.list?.props.compose;
    if (!compose) throw new Error('The gallery has no composed list.');
    await render(<BulkPage {...DEFAULTS} compose={{ ...compose, quota: { ...compose.quota, left: 0 } }} />);
    expect(textOf(document.querySelector('.dock-text p'))).toBe('Your quota is used up');
  });

  test('has a checkbox for each entry and one for all entries', async () => {
    await render(page('list'));
    rows()[0]?.querySelector('input')?.click();
    control('All addresses').click();
    expect(calls).toEqual([
      ['choose', ['entry-1'], false],
      ['choose', ['entry-1', 'entry-2', 'entry-3', 'entry-4', 'entry-5', 'entry-6', 'entry-7'], true],
    ]);
  });

  test('is sent when the user presses its button', async () => {
    await render(page('list'));
    await press('Shorten 5 addresses');
    expect(calls).toEqual([['send']]);
  });

  test('accepts 1,000 addresses, shows 100 at first, and explains the limit', async () => {
    await render(page('thousand'));
    expect(rows()).toHaveLength(100);
    await press('Show more');
    expect(rows()).toHaveLength(200);
    expect(helps()).toContain('A list can have up to 1,000 addresses. Send these first. The rest stay here.');
    await press('Shorten 1,000 addresses');
    expect(calls).toEqual([['send']]);
  });

  const field = () => control('Paste addresses, or drop a file here') as HTMLTextAreaElement;

  test('focuses the empty field, and adds pasted text immediately', async () => {
    await render(page('empty'));
    expect(document.activeElement).toBe(field());
    const transfer = { getData: () => 'https://b.example/', files: [] };
    const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: transfer });
    await act(() => void field().dispatchEvent(paste));
    expect(calls).toEqual([['addTransfer', transfer]]);
    expect(paste.defaultPrevented).toBe(true);
  });

  test('adds a pasted list immediately, even beside typed text, and completes the text with a single line', async () => {
    await render(page('empty'));
    await type(field(), 'https://');
    const pasted = async (text: string) => {
      const transfer = { getData: () => text, files: [] };
      const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: transfer });
      await act(() => void field().dispatchEvent(paste));
      return paste.defaultPrevented;
    };
    expect(await pasted('a.example/')).toBe(false);
    expect(await pasted('https://b.example/\nhttps://c.example/')).toBe(true);
    expect(calls.map(([name]) => name)).toEqual(['addTransfer']);
    expect(field().value).toBe('https://');
  });

  test.each([
    [
      'Enter',
      () => act(() => void field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))),
    ],
    ['the Add button', () => submit(document.querySelector('form'))],
  ])('adds the text in the field with %s', async (_name, add) => {
    await render(page('empty'));
    await type(field(), 'https://a.example/');
    expect(control('Add')).toBeTruthy();
    await add();
    expect(field().value).toBe('');
    expect(calls).toEqual([['addText', 'https://a.example/']]);
  });

  test('keeps text in the field if it cannot be added', async () => {
    await render(page('empty', { handlers: { ...HANDLERS, addText: () => false } }));
    await type(field(), 'https://a.example/');
    await submit(document.querySelector('form'));
    expect(field().value).toBe('https://a.example/');
  });

  test('ignores Enter in the empty field', async () => {
    await render(page('list'));
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    await act(() => void field().dispatchEvent(enter));
    expect(enter.defaultPrevented).toBe(true);
    expect(calls).toEqual([]);
  });

  test('keeps the invalid lines that the user edits while the rest is sent', async () => {
    await render(page('list'));
    await press('Edit');
    await rerender(page('list', { group: MANY_STATES.progress?.props.group ?? null }));
    expect(document.querySelector('textarea')).toBeNull();
    await rerender(page('list'));
    expect(field().value).toBe('Shopping list\nmailto:jane@example.com');
  });

  test('puts invalid lines back into the field when the user presses "Edit"', async () => {
    const compose = MANY_STATES.list?.props.compose;
    if (!compose) throw new Error('The gallery has no composed list.');
    const removeInvalid = vi.fn();
    await render(page('list', { compose: { ...compose, removeInvalid } }));
    await press('Edit');
    expect(field().value).toBe('Shopping list\nmailto:jane@example.com');
    expect(document.activeElement).toBe(field());
    expect(removeInvalid).toHaveBeenCalledOnce();
    await press('Remove');
    expect(removeInvalid).toHaveBeenCalledTimes(2);
  });

  test('is replaced by a button to connect a server if there is no connection', async () => {
    await render(page('unconnected'));
    await press('Connect a server');
    expect(calls).toEqual([['openOptions']]);
  });
});

describe('a list that was sent', () => {
  const progress = () => textOf(document.querySelector('.progress'));
  const tabs = () => [...document.querySelectorAll('.segment')].map(textOf);

  test('shows its progress in the heading, and when the rest is sent', async () => {
    await render(page('progress'));
    expect(textOf(document.querySelector('h1'))).toBe('12 of 30 shortened');
    const bar = document.querySelector('progress');
    expect([bar?.value, bar?.max]).toEqual([12, 30]);
    expect(progress()).toMatch(
      /^Will be sent as your quota allows: 8 now and 10 tomorrow at \d\d:00\. You can close this page\.$/,
    );
  });

  test('shows why it waits if the reason is not the quota', async () => {
    await render(page('held'));
    expect(progress()).toContain('Paused by you');
  });

  test('has a tab with a count for each state', async () => {
    await render(page('progress'));
    expect(tabs()).toEqual(['All 30', 'Done 12', 'Waiting 18']);
    await press('Done 12');
    expect(rows()).toHaveLength(12);
    await press('Waiting 18');
    expect(rows()).toHaveLength(18);
    expect(control('Waiting 18').getAttribute('aria-pressed')).toBe('true');
    await render(page('ended'));
    expect(tabs()).toEqual(['All 6', 'Done 5', 'Failed 1']);
  });

  test('can be copied in several formats and exported as far as it is finished', async () => {
    await render(page('progress'));
    await press('Copy 12');
    await press('Export');
    await press('Copy as…');
    await press('Markdown');
    const links = expect.objectContaining({ length: 12 });
    expect(calls).toEqual([
      ['copyResult', 'text', links],
      ['exportCsv', links],
      ['copyResult', 'markdown', links],
    ]);
  });

  test('cancels its remaining requests after the user confirms', async () => {
    await render(page('progress'));
    await press('Cancel the rest');
    expect(calls).toEqual([]);
    [...document.querySelectorAll<HTMLElement>('dialog button')].at(-1)?.click();
    expect(calls).toEqual([['cancel', expect.objectContaining({ length: 18 })]]);
  });

  test('shows at the end how many links were shortened and how many were removed', async () => {
    await render(page('ended'));
    expect(textOf(document.querySelector('h1'))).toBe('5 of 6 shortened');
    expect(progress()).toBe('2 were canceled or removed.');
    expect(control('Back to the list')).toBeTruthy();
  });

  test('shows requests that need the user first, with buttons for them', async () => {
    await render(page('ended'));
    const [row] = rows();
    const names = [...(row?.querySelectorAll('button') ?? [])].map((button) => button.getAttribute('aria-label') ?? '');
    expect(names.map((name) => name.split(':')[0])).toEqual(['Try again', 'Dismiss']);
    for (const name of names) await press(name);
    const [retried, cancelled] = calls;
    expect([retried?.[0], cancelled]).toEqual(['retry', ['cancel', [retried?.[1]]]]);
  });

  test('offers a new list if it is no longer stored', async () => {
    await render(page('forgotten'));
    await press('New list');
    expect(calls).toEqual([['backToList']]);
  });
});
