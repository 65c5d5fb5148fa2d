import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { describe, expect, test, vi } from 'vitest';
import type { OptionsDeps, OptionsStart, OptionsStore } from '../../../../src/pages/options/options-store.ts';
import { EMPTY_STATE } from '../../../../src/queue/user-actions.ts';
import { CONNECTION, queue, queuesView, request, SECOND_CONNECTION } from '../../../gallery/fixtures.ts';
import { FOUND, OPTIONS_STATES, optionsIn, optionsStore, pageOf } from '../../../gallery/options-states.tsx';
import { control, press, render, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const NONE = queuesView([]);
const outcome = () => textOf(document.querySelector('.connection-body .connecting-result'));
const field = (name: string) => control(name) as HTMLInputElement;
const address = () => document.querySelector<HTMLInputElement>('#address') as HTMLInputElement;
/** Buttons that open and close the rows. */
const heads = () => [...document.querySelectorAll<HTMLElement>('button.connection-head')];
const forms = () => document.querySelectorAll('form');

type Save = OptionsDeps['saveConnection'];
let store: OptionsStore;

/** Renders the page. `deps` are what a test replaces of what the page can do. */
async function options(start: Partial<OptionsStart> = {}, deps: Partial<OptionsDeps> = {}) {
  store = optionsStore({ start, deps });
  await render(pageOf(store));
}

/** Shows other stored data, as after a change in another tab. */
async function show(view: OptionsStart['view']) {
  await act(() => {
    store.view.value = view;
  });
}

/** Renders the page and opens the first connection, if it is closed. */
async function editing(...given: Parameters<typeof options>) {
  await options(...given);
  await open(0);
}

async function open(index: number) {
  await act(async () => {
    const head = heads()[index];
    if (head?.getAttribute('aria-expanded') === 'false') head.click();
  });
}

describe('the browser asks before the page closes', () => {
  const isAskedFirst = () => {
    const event = new Event('beforeunload', { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  };
  /** Preact runs effects after the next paint. */
  const askedFirst = (expected: boolean) => vi.waitFor(() => expect(isAskedFirst()).toBe(expected));

  test('if a new connection was typed, until it is saved', async () => {
    await options({ view: NONE });
    expect(isAskedFirst()).toBe(false);
    await type(address(), 'links.example.com');
    await type(field('API key'), 'terse_abc');
    await askedFirst(true);
    await submit(document.querySelector('form'));
    await askedFirst(false);
  });

  test('not after the user has canceled a new connection, which discards what was typed', async () => {
    await options();
    await press('Add connection');
    await type(address(), 'links.example.com');
    await press('Cancel');
    await askedFirst(false);
    await press('Add connection');
    expect(address().value).toBe('');
  });

  test('if the name or key of a stored connection was changed, until the change is undone', async () => {
    await editing();
    const name = field('Name');
    await type(name, 'Work');
    await askedFirst(true);
    await type(name, CONNECTION.name);
    await askedFirst(false);
    await type(field('API key'), 'terse_abc');
    await askedFirst(true);
  });

  test('if the kind, domain or limits of a stored connection were changed', async () => {
    await editing();
    const kind = document.querySelector<HTMLSelectElement>('#server-kind') as HTMLSelectElement;
    await act(() => {
      kind.value = 'kutt';
      kind.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await askedFirst(true);
  });

  test('even if the form is closed, which keeps what was typed', async () => {
    await editing();
    await type(field('Name'), 'Work');
    await act(() => heads()[0]?.click());
    expect(forms()).toHaveLength(0);
    await askedFirst(true);
    await act(() => heads()[0]?.click());
    expect(field('Name').value).toBe('Work');
  });
});

test('the stored key is not sent to another address', async () => {
  const save = vi.fn<Save>();
  await editing({}, { saveConnection: save });
  await type(address(), 'https://other.example');
  await submit(document.querySelector('form'));
  expect(save).not.toHaveBeenCalled();
  expect(textOf(document.querySelector('[role="alert"]'))).toBe('Enter the API key for this address.');
});

test.each([0, 1])(
  'saving a connection does not reopen its form if the user pressed row %i meanwhile',
  async (pressed) => {
    const answer = Promise.withResolvers<Awaited<ReturnType<Save>>>();
    const view = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
    await editing({ view }, { saveConnection: () => answer.promise });
    await press('Save');
    await act(async () => heads()[pressed]?.click());
    if (pressed === 1) await type(field('Name'), 'At work');
    await act(async () => answer.resolve({ ok: true, value: { ...FOUND, connectionId: CONNECTION.id } }));
    expect([...document.querySelectorAll<HTMLInputElement>('#connection-name')].map(({ value }) => value)).toEqual(
      pressed === 1 ? ['At work'] : [],
    );
  },
);

test('a failed save is reported over the page if its form was closed', async () => {
  const answer = Promise.withResolvers<Awaited<ReturnType<Save>>>();
  const view = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
  await editing({ view }, { saveConnection: () => answer.promise });
  await press('Save');
  await act(async () => heads()[0]?.click());
  await act(async () => answer.resolve({ ok: false, code: 'storage_full' }));
  await vi.waitFor(() =>
    expect(textOf(document.querySelector('.toast p'))).toBe('The disk is full. Free some space and try again.'),
  );
});

describe('the result of a save', () => {
  const MOVED = { ...CONNECTION, baseUrl: 'https://b.example' };
  const viewOf = (connection = CONNECTION) => queuesView([queue({ connection })]);
  const saved = { ...FOUND, connectionId: CONNECTION.id };
  const save = async () => ({ ok: true, value: saved }) as const;

  test('is not shown if the address was changed before the result arrived', async () => {
    const answer = Promise.withResolvers<Awaited<ReturnType<Save>>>();
    await editing({}, { saveConnection: () => answer.promise });
    await press('Save');
    await type(address(), 'https://other.example');
    await act(async () => answer.resolve({ ok: true, value: saved }));
    await vi.waitFor(() => expect(outcome()).toBe(''));
    expect(address().value).toBe('https://other.example');
  });

  test('is shown after a failed save, even if the form was changed, until the next save', async () => {
    const failed = Promise.withResolvers<Awaited<ReturnType<Save>>>();
    const asked = vi.fn<Save>().mockReturnValueOnce(failed.promise).mockImplementation(save);
    await options({}, { saveConnection: asked });
    await open(0);
    await type(field('API key'), 'terse_old');
    await press('Save');
    await type(field('API key'), 'terse_olds');
    await act(async () => failed.resolve({ ok: false, code: 'key_refused' }));
    expect(outcome()).toBe("The server does not accept this API key. Copy it again from the server's dashboard.");
    await type(field('API key'), 'terse_older');
    expect(outcome()).not.toBe('');
    expect(field('API key').value).toBe('terse_older');
    await press('Save');
    expect(outcome()).toMatch(/^Connected\./);
  });

  test('arrives before another save can start', async () => {
    const answer = Promise.withResolvers<Awaited<ReturnType<Save>>>();
    const asked = vi.fn<Save>().mockReturnValueOnce(answer.promise);
    await editing({}, { saveConnection: asked });
    await press('Save');
    expect(outcome()).toBe('Testing…');
    expect(control('Save').getAttribute('aria-disabled')).toBe('true');
    await type(field('API key'), 'terse_new');
    await press('Save');
    expect(asked).toHaveBeenCalledOnce();
    await act(async () => answer.resolve({ ok: false, code: 'lost' }));
    expect(outcome()).not.toBe('');
  });

  test('stays if the page reads the saved connection before or after the reply', async () => {
    for (const learnsBefore of [true, false]) {
      const moving = {
        saveConnection: async () => {
          if (learnsBefore) await show(viewOf(MOVED));
          return { ok: true, value: saved } as const;
        },
      };
      await options({}, moving);
      await open(0);
      await type(address(), MOVED.baseUrl);
      await type(field('API key'), `terse_${CONNECTION.lastFour}`);
      await press('Save');
      await show(viewOf(MOVED));
      expect(outcome()).toMatch(/^Connected\./);
    }
  });
});

test('a connection that another page changes is shown in the form, but replaces nothing that was typed', async () => {
  const named = (name: string) => queuesView([queue({ connection: { ...CONNECTION, name } })]);
  await editing();
  await show(named('Work'));
  await vi.waitFor(() => expect(field('Name').value).toBe('Work'));
  await type(address(), 'https://typed.example');
  await show(named('Home'));
  expect([field('Name').value, address().value]).toEqual(['Home', 'https://typed.example']);
});

test('an imported connection is not saved without a key, although its address is unchanged', async () => {
  const save = vi.fn<Save>();
  const keyless = { ...EMPTY_STATE, blocked: 'key_missing' as const };
  await editing({ view: queuesView([queue({ state: keyless })]) }, { saveConnection: save });
  await press('Save');
  expect(save).not.toHaveBeenCalled();
  expect(textOf(document.querySelector('form'))).toContain('Enter the API key for this address.');
});

test('the key shows only its last four characters, and is kept if its field is empty', async () => {
  const save = vi.fn<Save>().mockResolvedValue({ ok: true, value: FOUND });
  await editing({}, { saveConnection: save });
  expect([field('API key').value, field('API key').placeholder]).toEqual(['', '•••• x7Qd']);
  expect(textOf(document.querySelector('#key-help'))).toContain('To replace it, paste a new key.');
  await press('Save');
  expect(save.mock.lastCall?.[0].apiKey).toBeNull();
});

test.each([
  ['saved', /^Connected\. You can shorten links now\.$/],
  ['spec-only', /^Saved\. This address responds, but doesn't identify itself as a link shortener\./],
  ['unreachable', /^Saved, but the server didn't respond\. .* Nothing responds at this address\./],
  ['unavailable', /^Saved, but the server didn't respond\. .* temporarily unavailable\./],
  ['denied', /^Terse needs your permission to do this\./],
])('the result of saving says and announces what the test of the server found: %s', async (state, expected) => {
  await render(optionsIn(state));
  await open(0);
  await press('Save');
  expect(outcome()).toMatch(expected);
  expect(document.querySelectorAll('.connecting-result .is-good')).toHaveLength(state === 'saved' ? 1 : 0);
  expect(textOf(document.querySelector('main > p[role="status"]'))).toMatch(expected);
});

test('closing a form moves the focus to the button that opens it', async () => {
  await options({ view: queuesView([queue(), queue({ connection: SECOND_CONNECTION })]) });
  const [, work] = heads();
  work?.focus();
  await act(async () => work?.click());
  await act(async () => work?.click());
  expect(document.activeElement).toBe(work);
  expect(forms()).toHaveLength(0);
  control('Add connection').focus();
  await press('Add connection');
  expect(document.activeElement).toBe(address());
  control('Cancel').focus();
  await press('Cancel');
  await vi.waitFor(() => expect(document.activeElement).toBe(control('Add connection')));
});

describe('removing a connection', () => {
  test('asks for confirmation, and says how many waiting links are canceled', async () => {
    const forget = vi.fn<OptionsDeps['forgetConnection']>().mockResolvedValue({ ok: true, value: null });
    await editing(
      { view: queuesView([queue({ requests: [request(), request(), request()] })]) },
      { forgetConnection: forget },
    );
    await press('Remove');
    expect(textOf(document.querySelector('dialog'))).toMatch(
      /Waiting links: 3\. They will be canceled\. Links that are being sent may still be created on the server\./,
    );
    expect(document.activeElement).toBe(control('Cancel'));
    await press('Cancel');
    expect(forget).not.toHaveBeenCalled();
    await press('Remove');
    document.querySelector<HTMLElement>('dialog .is-danger')?.click();
    expect(forget.mock.calls).toEqual([[CONNECTION.id]]);
  });

  test('shows a message, and moves the focus to the address field', async () => {
    const forget = async () => {
      store.view.value = NONE;
      return { ok: true, value: null } as const;
    };
    await options({}, { readQueues: async () => NONE, forgetConnection: forget });
    await open(0);
    await press('Remove');
    await act(async () => document.querySelector<HTMLElement>('dialog .is-danger')?.click());
    await vi.waitFor(() =>
      expect(textOf(document.querySelector('main > p[role="status"]'))).toBe('The connection was removed.'),
    );
    expect(document.activeElement).toBe(address());
  });
});

test('the row of a connection is closed if the connection works, and open if it needs the user', async () => {
  await render(optionsIn('two'));
  expect(forms()).toHaveLength(0);
  await render(optionsIn('two-key-refused'));
  expect(heads().map((head) => head.getAttribute('aria-expanded'))).toEqual(['false', 'true']);
});

describe('the problem of a connection', () => {
  const hintOf = (id: string) => textOf(document.querySelector(`#${id}-help`));

  test.each([
    ['key-refused', 'key', 'The server refused the key ending in x7Qd. Create a new one on its dashboard.'],
    ['key-missing', 'key', /^This connection was imported without its key\./],
    ['access-missing', 'address', 'The browser no longer lets Terse access this address.'],
    ['not-a-service', 'address', 'There is no link shortener at this address. Correct the address and save.'],
    ['redirected', 'address', 'This address redirects elsewhere. Enter the new address.'],
    ['not-reachable', 'address', "The server isn't responding. Waiting links will be sent once it does."],
  ])('is shown beside its field: %s', async (state, id, expected) => {
    await render(optionsIn(state));
    await open(0);
    expect(hintOf(id)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(document.querySelectorAll('.problem')).toHaveLength(1);
  });

  test.each(['key-refused', 'key-missing'])('leaves the field for the new key empty and focused: %s', async (state) => {
    await render(optionsIn(state));
    expect(document.activeElement).toBe(field('API key'));
    expect(field('API key').placeholder).toBe('Paste the new key');
    expect(field('API key').value).toBe('');
    expect([...document.querySelectorAll('main .button.is-primary')].map(textOf)).toEqual(['Save']);
  });

  test('is shown without the last characters of the key if the key is too short', async () => {
    const refused = queue({
      connection: { ...CONNECTION, lastFour: '' },
      state: { ...EMPTY_STATE, blocked: 'unauthorized' },
    });
    await options({ view: queuesView([refused]) });
    expect(hintOf('key')).toBe('The server refused this key. Create a new one on its dashboard.');
  });

  test('disappears as soon as the user changes the field', async () => {
    await render(optionsIn('not-a-service'));
    await type(address(), 'https://b.example');
    expect(hintOf('address')).toBe('');
    await render(optionsIn('key-refused'));
    await type(field('API key'), 'terse_new');
    expect(hintOf('key')).toBe('It stays in this browser and is never shown again.');
  });

  test('with a missing key shows which data is sent to the server', async () => {
    await render(optionsIn('key-missing'));
    expect(textOf(document.querySelector('form'))).toContain('their titles if you choose, and your API key');
  });

  test('with missing access has one primary button, which requests access and shows a refusal', async () => {
    const requestHost = vi.fn<OptionsDeps['requestHost']>().mockResolvedValue(false);
    await options(OPTIONS_STATES['access-missing']?.given?.start, { requestHost });
    expect([...document.querySelectorAll('main .button.is-primary')].map(textOf)).toEqual(['Allow']);
    await press('Allow');
    expect(requestHost).toHaveBeenCalledExactlyOnceWith(CONNECTION.baseUrl);
    expect(textOf(document.querySelector('.toast'))).toContain('Terse needs your permission to do this.');
  });

  test('hides the result of saving while the key is refused', async () => {
    await render(optionsIn('key-refused'));
    await type(field('API key'), 'terse_new');
    await press('Save');
    expect(outcome()).toBe('');
  });
});

describe('the list of connections', () => {
  const TWO = queuesView([queue({ requests: [request()] }), queue({ connection: SECOND_CONNECTION })]);

  test('shows their names, and which connection is the default', async () => {
    const ask = vi.fn().mockResolvedValue({ ok: true, value: null });
    await options({ view: TWO }, { ask });
    expect(heads().map(textOf)).toEqual(['links.example.com Default Connected', 'Work Connected']);
    await open(1);
    control('Make default').focus();
    await press('Make default');
    await show({ queues: TWO.queues.toReversed() });
    expect(document.activeElement).toBe(heads()[0]);
    expect(ask).toHaveBeenCalledExactlyOnceWith({
      type: 'set-default-connection',
      connectionId: SECOND_CONNECTION.id,
    });
  });

  test('has one open form at a time, and keeps it open after saving', async () => {
    await options({ view: TWO });
    await open(0);
    await open(1);
    expect(address().value).toBe(SECOND_CONNECTION.baseUrl);
    expect(document.querySelectorAll('form')).toHaveLength(1);
    await press('Save');
    expect(outcome()).toMatch(/^Connected\. You can shorten links now\./);
  });

  test('does not promise after saving that links can be shortened if the queue is paused', async () => {
    await editing({ view: queuesView([queue({ state: { ...EMPTY_STATE, paused: true } })]) });
    await press('Save');
    expect(outcome()).toMatch(/^Saved\. You paused this queue\. Nothing is sent until you resume it\./);
    expect(document.querySelector('.notice > .button')).toBeNull();
  });
});

test('after an import on a page without connections, the form of the first imported connection is open', async () => {
  const keyless = { ...EMPTY_STATE, blocked: 'key_missing' as const };
  const two = [queue({ state: keyless }), queue({ connection: SECOND_CONNECTION, state: keyless })];
  await options({ view: NONE }, { readQueues: async () => queuesView(two) });
  await act(async () => void (await store.importFile(new File([], 'terse.json'))));
  expect(heads().map((head) => head.getAttribute('aria-expanded'))).toEqual(['true', 'false']);
  expect(forms()).toHaveLength(1);
  expect(address().value).toBe(CONNECTION.baseUrl);
});

test('a new connection takes the place of its form, and its row shows the result', async () => {
  const view = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
  const save = async () => {
    await show(view);
    return { ok: true, value: { ...FOUND, connectionId: SECOND_CONNECTION.id } } as const;
  };
  await options({}, { saveConnection: save, readQueues: async () => view });
  await press('Add connection');
  await type(address(), SECOND_CONNECTION.baseUrl);
  await type(field('API key'), `terse_${SECOND_CONNECTION.lastFour}`);
  control('Connect').focus();
  await press('Connect');
  await vi.waitFor(() => expect(heads().map((head) => head.getAttribute('aria-expanded'))).toEqual(['false', 'true']));
  expect(outcome()).toBe('Connected. You can shorten links now.');
  expect(textOf(document.querySelector('main > p[role="status"]'))).toBe(outcome());
  expect(forms()).toHaveLength(1);
  expect(document.activeElement?.closest('.connection-list')).not.toBeNull();
  await show(queuesView([queue()]));
  await press('Add connection');
  expect([address().value, field('API key').value, outcome()]).toEqual(['', '', '']);
});
