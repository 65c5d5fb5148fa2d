// @vitest-environment happy-dom
import '../../../gallery/stubbed.ts';
import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { describe, expect, test, vi } from 'vitest';
import { ServerFields } from '../../../../src/components/connection-form/connection-form.tsx';
import { createConnectionForms, NEW } from '../../../../src/components/connection-form/connection-forms-store.ts';
import type { Connection } from '../../../../src/queue/types.ts';
import { newQueue } from '../../../../src/queue/user-actions.ts';
import { specOnly } from '../../queue/support/queue-builders.ts';
import { render, textOf, type } from '../../support/render.ts';

const save = vi.fn(async () => ({ ok: false, code: 'no_permission' }) as const);

function formsOf(connection: Connection | null) {
  const queues = signal(connection ? [newQueue(connection)] : []);
  return createConnectionForms({ queues, offered: null, save, refresh: async () => {}, announce: () => {} });
}

function Form({ connection, forms = formsOf(connection) }: { connection: Connection | null; forms?: Forms }) {
  return <ServerFields form={forms.formOf(connection?.id ?? NEW)} connection={connection} />;
}

type Forms = ReturnType<typeof formsOf>;

const labels = (body: HTMLElement) => [...body.querySelectorAll('label')].map(textOf);
const select = () => document.querySelector<HTMLSelectElement>('#server-kind') as HTMLSelectElement;

async function choose(kind: string): Promise<void> {
  await act(() => {
    select().value = kind;
    select().dispatchEvent(new Event('change', { bubbles: true }));
  });
}

describe('the fields for server settings', () => {
  test('ask only for the server software if there is no connection yet', async () => {
    expect(labels(await render(<Form connection={null} />))).toEqual(['Server software']);
    expect(textOf(select().selectedOptions[0] ?? null)).toBe('Detect automatically');
  });

  test('ask for the settings of the chosen software, and save them', async () => {
    const forms = formsOf(null);
    const body = await render(<Form connection={null} forms={forms} />);
    await choose('kutt');
    expect(labels(body)).toEqual(['Server software', 'Domain for new links', 'Links per second', 'Links per day']);
    await choose('yourls');
    expect(labels(body)).toEqual(['Server software', 'Links per second', 'Links per day']);
    await act(() => forms.formOf(NEW).enter({ address: 'https://a.example', apiKey: 'key-abcdef' }));
    await type(document.querySelector('#limit-perDay') as HTMLElement, '50');
    await act(() => forms.formOf(NEW).save());
    const limits = { perSecond: null, perDay: 50 };
    expect(save).toHaveBeenCalledWith(
      expect.objectContaining({ kind: 'yourls', domain: null, limits, apiKey: 'key-abcdef' }),
    );
  });

  test('show the detected software', async () => {
    const connection: Connection = { ...specOnly, kind: 'shlink', limits: { perSecond: 2, perDay: null } };
    await render(<Form connection={connection} />);
    expect(textOf(select().selectedOptions[0] ?? null)).toBe('Detected: Shlink');
    expect(document.querySelector<HTMLInputElement>('#limit-perSecond')?.value).toBe('2');
  });

  test('do not ask for limits if the server reports its own', async () => {
    expect(labels(await render(<Form connection={specOnly} />))).toEqual(['Server software']);
  });
});
