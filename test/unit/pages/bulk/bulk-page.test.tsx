import '../../../gallery/stubbed.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { BulkPage, type BulkPageProps } from '../../../../src/pages/bulk/bulk-page.tsx';
import { previewCost } from '../../../../src/pages/bulk/cost-preview.ts';
import type { BulkActions } from '../../../../src/pages/bulk/use-bulk-actions.ts';
import { EMPTY_STATE } from '../../../../src/queue/add-replace-delete-connection.ts';
import { DEFAULTS, HANDLERS, MANY_STATES } from '../../../gallery/bulk-states.tsx';
import { queue, TIME } from '../../../gallery/fixtures.ts';
import { control, press, render, submit, textOf, type } from '../../support/render.ts';

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

function page(state: string) {
  const props: BulkPageProps = { ...DEFAULTS, ...MANY_STATES[state]?.props, handlers: recorded };
  const { compose, group } = props;
  const choose = (...given: unknown[]) => void calls.push(['choose', ...given]);
  return (
    <BulkPage
      {...props}
      compose={compose && { ...compose, handlers: recorded, choose }}
      group={group && typeof group === 'object' ? { ...group, handlers: recorded } : group}
    />
  );
}

const rows = () => [...document.querySelectorAll('.row')];
const helps = () => [...document.querySelectorAll('.help')].map(textOf);

test('a list of which all was cancelled is not done', async () => {
  await render(page('all-cancelled'));
  expect(textOf(document.querySelector('.progress h2'))).toBe('A list of 3 addresses');
  expect(textOf(document.querySelector('.progress'))).toContain('3 were canceled or removed.');
  expect(textOf(document.querySelector('.progress'))).not.toContain('0 of 0');
});

describe('a list that is put together', () => {
  test('promises no time where it waits for the API key, and says that it does', async () => {
    const compose = MANY_STATES.list?.props.compose;
    if (!compose) throw new Error('The gallery has no list.');
    const keyless = queue({ state: { ...EMPTY_STATE, halt: 'key_missing' } });
    const plan = previewCost(keyless, compose.chosen, compose.known, false, 'never', TIME, true);
    await render(<BulkPage {...DEFAULTS} compose={{ ...compose, plan }} />);
    expect(textOf(document.querySelector('.send-text'))).toMatch(/^Uses .* left today\. Waiting for the API key$/);
  });

  test('shows what will be sent, what that costs and when it is sent, and what cannot be sent and why', async () => {
    await render(page('list'));
    expect(rows()).toHaveLength(7);
    expect(textOf(rows()[0] ?? null)).toContain('2 times in the list, sent once');
    expect(textOf(rows()[6] ?? null)).toContain('Already has a short URL: go.example/Kx3f9Qp');
    expect(textOf(document.querySelector('.send-text'))).toBe(
      'Uses 1 of 13 requests left today. Sent in about 1 second.',
    );
    expect([...document.querySelectorAll('.invalid-line')].map(textOf)).toEqual([
      'Shopping list This is not a complete URL. It should look like example.com/page.',
      'mailto:jane@example.com This is an email address. Only web pages can be shortened.',
    ]);
  });

  test('says when the rest is sent, where the budget does not last', async () => {
    await render(page('spec-only'));
    expect(textOf(document.querySelector('.send-text'))).toMatch(
      /^Uses 35 requests\. 15 are left today\. Sent as your quota allows: 15 now and 20 tomorrow at \d\d:00\.$/,
    );
  });

  test('costs no part of a budget of which nothing is left', async () => {
    const compose = MANY_STATES.list?.props.compose;
    if (!compose) throw new Error('The gallery has no list.');
    await render(<BulkPage {...DEFAULTS} compose={{ ...compose, quota: { ...compose.quota, left: 0 } }} />);
    expect(textOf(document.querySelector('.send-text p'))).toBe('Your quota is used up');
  });

  test('is thinned one by one or all at once', async () => {
    await render(page('list'));
    rows()[0]?.querySelector('input')?.click();
    control('All addresses').click();
    expect(calls).toEqual([
      ['choose', ['entry-1'], false],
      ['choose', ['entry-1', 'entry-2', 'entry-3', 'entry-4', 'entry-5', 'entry-6', 'entry-7'], true],
    ]);
  });

  test('is sent by its one button', async () => {
    await render(page('list'));
    await press('Shorten 6 addresses');
    expect(calls).toEqual([['send']]);
  });

  test('takes a thousand, of which the page holds what the window shows, and says that the others stay', async () => {
    await render(page('thousand'));
    expect(rows().length).toBeLessThan(100);
    expect(rows()[0]?.getAttribute('aria-setsize')).toBe('1200');
    expect(helps()).toContain('A list can have at most 1,000 addresses. Send these first. The others stay here.');
    await press('Shorten 1,000 addresses');
    expect(calls).toEqual([['send']]);
  });

  test('takes what is typed into the box, and what is pasted into it at once', async () => {
    await render(page('empty'));
    const box = document.querySelector('textarea') as HTMLTextAreaElement;
    await type(box, 'https://a.example/');
    await submit(document.querySelector('form'));
    expect(box.value).toBe('');
    const transfer = { getData: () => 'https://b.example/', files: [] };
    const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: transfer });
    box.dispatchEvent(paste);
    expect(calls).toEqual([
      ['addText', 'https://a.example/'],
      ['addTransfer', transfer],
    ]);
    expect(paste.defaultPrevented).toBe(true);
  });

  test('leaves in the box what is not taken', async () => {
    const compose = MANY_STATES.empty?.props.compose;
    if (!compose) throw new Error('The gallery has no empty list.');
    await render(<BulkPage {...DEFAULTS} compose={{ ...compose, handlers: { ...HANDLERS, addText: () => false } }} />);
    const box = document.querySelector('textarea') as HTMLTextAreaElement;
    await type(box, 'https://a.example/');
    await submit(document.querySelector('form'));
    expect(box.value).toBe('https://a.example/');
  });

  test('has nothing to offer without a connection but the way to one', async () => {
    await render(page('unconnected'));
    await press('Connect a server');
    expect(calls).toEqual([['openOptions']]);
  });
});

describe('a list that was sent', () => {
  test('says how far it is, and when the rest is sent', async () => {
    await render(page('progress'));
    const bar = document.querySelector('progress');
    expect([bar?.value, bar?.max]).toEqual([12, 30]);
    expect(helps().join()).toMatch(/Sent as your quota allows: 8 now and 10 tomorrow at \d\d:00\./);
  });

  test('says what stands in its way, where that is not the budget', async () => {
    await render(page('held'));
    expect(helps()).toContain('Paused by you');
  });

  test('is copied in any form, as far as it is', async () => {
    await render(page('progress'));
    await press('Markdown');
    expect(calls).toEqual([['copyResult', 'markdown', expect.objectContaining({ length: 12 })]]);
  });

  test('has its rest given up once that was asked', async () => {
    await render(page('progress'));
    await press('Cancel the remaining 18');
    expect(calls).toEqual([]);
    [...document.querySelectorAll<HTMLElement>('dialog button')].at(-1)?.click();
    expect(calls).toEqual([['cancel', expect.objectContaining({ length: 18 })]]);
  });

  test('says when it is done, what needs the person and what is gone', async () => {
    await render(page('ended'));
    expect(textOf(document.querySelector('.progress'))).toBe(
      'Done: 5 short URLs 5 of 6 shortened 1 address needs your attention. 2 were canceled or removed. Back to the list',
    );
  });

  test('lists first what needs the user, with what can be done about it', async () => {
    await render(page('ended'));
    const [row] = rows();
    const names = [...(row?.querySelectorAll('button') ?? [])].map((button) => button.getAttribute('aria-label') ?? '');
    expect(names.map((name) => name.split(':')[0])).toEqual(['Try again', 'Dismiss']);
    for (const name of names) await press(name);
    const [retried, cancelled] = calls;
    expect([retried?.[0], cancelled]).toEqual(['retry', ['cancel', [retried?.[1]]]]);
  });

  test('that is forgotten is said to be', async () => {
    await render(page('forgotten'));
    await press('New list');
    expect(calls).toEqual([['backToList']]);
  });
});
