import '../../../gallery/stubbed.ts';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { describe, expect, test, vi } from 'vitest';
import { OptionsPage, type OptionsProps } from '../../../../src/pages/options/options-page.tsx';
import type { OptionsActions } from '../../../../src/pages/options/use-options-actions.ts';
import { EMPTY_STATE } from '../../../../src/queue/add-replace-delete-connection.ts';
import { CONNECTION, queue, queuesView, request, SECOND_CONNECTION } from '../../../gallery/fixtures.ts';
import { DEFAULTS, FOUND, OPTIONS_STATES, optionsIn } from '../../../gallery/options-states.tsx';
import { control, press, render, rerender, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const NONE = queuesView([]);
const outcome = () => textOf(document.querySelector('.connection-body .connecting-result'));
const field = (name: string) => control(name) as HTMLInputElement;
const address = () => document.querySelector<HTMLInputElement>('#address') as HTMLInputElement;
/** Buttons that open and close the rows. */
const heads = () => [...document.querySelectorAll<HTMLElement>('button.connection-head')];
const forms = () => document.querySelectorAll('form');

async function options(change: Partial<OptionsProps> = {}, handlers: Partial<OptionsActions> = {}) {
  await render(
    <OptionsPage {...DEFAULTS} {...change} handlers={{ ...DEFAULTS.handlers, ...change.handlers, ...handlers }} />,
  );
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

const INSECURE =
  'With http, your key would be sent unencrypted. Use https, unless the server is localhost or 127.0.0.1.';

test('with the private view, the header leads to private pages, and files can still be imported', async () => {
  await options({ isPrivate: true });
  const addresses = [...document.querySelectorAll<HTMLAnchorElement>('.site-page')].map(({ href }) => href);
  expect(addresses).toHaveLength(4);
  for (const address of addresses) expect(new URL(address).searchParams.has('private')).toBe(true);
  expect(document.querySelector('input[type=file]')).not.toBeNull();
});

describe('before the page is left, the browser asks', () => {
  const isAskedFirst = () => {
    const event = new Event('beforeunload', { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  };
  /** Preact runs effects after the next paint. */
  const askedFirst = (expected: boolean) => vi.waitFor(() => expect(isAskedFirst()).toBe(expected));

  test('if a new connection was typed, until it is saved', async () => {
    await options({ view: NONE }, { save: async () => ({ ok: true, value: FOUND }) });
    expect(isAskedFirst()).toBe(false);
    await type(address(), 'links.example.com');
    await type(field('API key'), 'terse_abc');
    await askedFirst(true);
    await submit(document.querySelector('form'));
    await askedFirst(false);
  });

  test('if a name or a key of a stored connection was changed, until it is as before', async () => {
    await editing();
    const name = field('Name');
    await type(name, 'Work');
    await askedFirst(true);
    await type(name, CONNECTION.name);
    await askedFirst(false);
    await press('Replace key');
    expect(isAskedFirst()).toBe(false);
    await type(field('API key'), 'terse_abc');
    await askedFirst(true);
    await act(() => heads()[0]?.click());
    await askedFirst(false);
  });

  test('not if the form only shows an offered connection', async () => {
    await options({ view: NONE, offered: { baseUrl: 'https://links.example.com', apiKey: 'terse_abc' } });
    expect(isAskedFirst()).toBe(false);
    await type(field('API key'), 'terse_abcd');
    await askedFirst(true);
  });
});

describe('connecting', () => {
  test.each(['Connection link or server address', 'API key'])('a link pasted into "%s" fills both', async (name) => {
    await options({ view: NONE });
    await type(field(name), 'https://links.example.com/#key=terse_abc');
    expect(address().value).toBe('https://links.example.com');
    expect(field('API key').value).toBe('terse_abc');
    expect(field('API key').type).toBe('password');
  });

  test('a connection the page was opened with stands ready, and nothing is done with it unasked', async () => {
    const save = vi.fn<OptionsActions['save']>();
    await options({ view: NONE, offered: { baseUrl: 'http://127.0.0.1:8787', apiKey: 'terse_abc' } }, { save });
    expect(address().value).toBe('http://127.0.0.1:8787');
    expect(field('API key').value).toBe('terse_abc');
    expect(save).not.toHaveBeenCalled();
  });

  test('what was entered is connected, and what was found is told', async () => {
    const save = vi.fn<OptionsActions['save']>().mockResolvedValue({ ok: true, value: FOUND });
    await options({ view: NONE }, { save });
    await type(address(), 'links.example.com');
    await type(field('API key'), 'terse_abc');
    await submit(document.querySelector('form'));
    const settings = { kind: null, domain: null, limits: null };
    const input = {
      connectionId: null,
      name: '',
      baseUrl: 'https://links.example.com',
      apiKey: 'terse_abc',
      ...settings,
    };
    expect(save.mock.calls).toEqual([[input, expect.any(Function)]]);
    expect(outcome()).toBe('Connected. You can shorten links now.');
    expect(field('API key').value).toBe('');
  });

  test.each([
    [86_400, '20 per day, 1 per second'],
    [12 * 3_600, '20 per 12 hours, 1 per second'],
    [5_400, '20 per 90 minutes, 1 per second'],
  ])('a budget of %i seconds is told as it is', async (windowSeconds, text) => {
    if (!FOUND.reached || FOUND.key.state !== 'accepted' || !FOUND.key.quota)
      throw new Error('The fixture has no key.');
    const report = { ...FOUND, key: { ...FOUND.key, quota: { ...FOUND.key.quota, windowSeconds } } };
    await editing({}, { test: async () => ({ ok: true, value: report }) });
    await press('Test');
    expect(outcome()).toContain(text);
  });

  test('the time at which the budget resets stays the same while the page is open', async () => {
    await editing();
    await press('Test');
    const before = outcome();
    await rerender(<OptionsPage {...DEFAULTS} now={DEFAULTS.now + 60_000} />);
    expect(outcome()).toBe(before);
  });

  test('a service and a key tell their names, and nothing that turns or floods the page', async () => {
    if (!FOUND.reached || !FOUND.service || FOUND.key.state !== 'accepted') throw new Error('The fixture has no key.');
    const name = `\u202Eeman${'n'.repeat(100_000)}`;
    const report = { ...FOUND, service: { ...FOUND.service, name, version: name }, key: { ...FOUND.key, name } };
    await editing({}, { test: async () => ({ ok: true, value: report }) });
    await press('Test');
    expect(outcome()).toContain('eman');
    expect(outcome()).not.toContain('\u202E');
    expect(outcome().length).toBeLessThan(5_000);
  });

  test('permission is asked for in the click itself', async () => {
    const test_ = vi.fn<OptionsActions['test']>().mockReturnValue(new Promise(() => {}));
    await editing({}, { test: test_ });
    control('Test').click();
    expect(test_).toHaveBeenCalledOnce();
  });

  test.each([
    ['http://links.example.com', INSECURE],
    // `[::1]` is the local computer too, but no content security policy can contain an IPv6 address.
    ['http://[::1]:8787', INSECURE],
    ['ftp://links.example.com', 'The server address must start with https.'],
    ['', 'This is not an address. It should look like https://links.example.com.'],
  ])('refuses %s, and says why', async (entered, sentence) => {
    const save = vi.fn<OptionsActions['save']>();
    await options({ view: NONE }, { save });
    await type(address(), entered);
    await submit(document.querySelector('form'));
    expect(save).not.toHaveBeenCalled();
    expect(textOf(document.querySelector('[role="alert"]'))).toBe(sentence);
    expect(address().getAttribute('aria-invalid')).toBe('true');
  });

  test('the stored key is not sent to another address', async () => {
    const save = vi.fn<OptionsActions['save']>();
    await editing({}, { save });
    await type(address(), 'https://other.example');
    await submit(document.querySelector('form'));
    expect(save).not.toHaveBeenCalled();
    expect(textOf(document.querySelector('[role="alert"]'))).toBe('Enter the API key for this address.');
  });
});

test.each([0, 1])(
  'a connection that is saved does not open its form again after row %i was pressed',
  async (pressed) => {
    const answer = Promise.withResolvers<Awaited<ReturnType<OptionsActions['save']>>>();
    const view = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
    await editing({ view }, { save: () => answer.promise });
    await press('Save');
    await act(async () => heads()[pressed]?.click());
    if (pressed === 1) await type(field('Name'), 'At work');
    await act(async () => answer.resolve({ ok: true, value: { ...FOUND, connectionId: CONNECTION.id } }));
    expect([...document.querySelectorAll<HTMLInputElement>('#connection-name')].map(({ value }) => value)).toEqual(
      pressed === 1 ? ['At work'] : [],
    );
  },
);

test('a save that fails is said over the page where its form was left', async () => {
  const answer = Promise.withResolvers<Awaited<ReturnType<OptionsActions['save']>>>();
  const tell = vi.fn<OptionsActions['tell']>();
  const view = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
  await editing({ view }, { save: () => answer.promise, tell });
  await press('Save');
  await act(async () => heads()[0]?.click());
  await act(async () => answer.resolve({ ok: false, code: 'storage_full' }));
  expect(tell.mock.calls).toEqual([['The disk is full. Free some space and try again.']]);
});

test('a save that fails once something else was asked is said over the page', async () => {
  type Answered = Awaited<ReturnType<OptionsActions['save']>>;
  const [failed, tested] = [Promise.withResolvers<Answered>(), Promise.withResolvers<Answered>()];
  const tell = vi.fn<OptionsActions['tell']>();
  await editing({}, { save: () => failed.promise, test: () => tested.promise, tell });
  await press('Replace key');
  await type(field('API key'), 'terse_new');
  await press('Save');
  await type(field('API key'), 'terse_newer');
  await press('Test');
  await act(async () => failed.resolve({ ok: false, code: 'storage_full' }));
  await act(async () => tested.resolve({ ok: true, value: FOUND }));
  expect(tell.mock.calls).toEqual([['The disk is full. Free some space and try again.']]);
  expect(outcome()).toMatch(/^The server is responding\./);
});

describe('what was found', () => {
  const MOVED = { ...CONNECTION, baseUrl: 'https://b.example' };
  const page = (connection = CONNECTION, handlers: Partial<OptionsActions> = {}) => (
    <OptionsPage
      {...DEFAULTS}
      view={queuesView([queue({ connection })])}
      handlers={{ ...DEFAULTS.handlers, ...handlers }}
    />
  );
  const saved = { ...FOUND, connectionId: CONNECTION.id };
  const save = async () => ({ ok: true, value: saved }) as const;

  test.each(['Test', 'Save'])('is not shown beside what was typed before it was (%s)', async (button) => {
    const answer = Promise.withResolvers<Awaited<ReturnType<OptionsActions['test']>>>();
    const asked = () => answer.promise;
    await editing({}, { test: asked, save: asked });
    await press(button);
    await type(address(), 'https://other.example');
    await act(async () => answer.resolve({ ok: true, value: saved }));
    expect(outcome()).toBe('');
    expect(address().value).toBe('https://other.example');
  });

  test('a save that failed is said of a form that was changed meanwhile too, until it is saved again', async () => {
    const failed = Promise.withResolvers<Awaited<ReturnType<OptionsActions['save']>>>();
    const asked = vi.fn<OptionsActions['save']>().mockReturnValueOnce(failed.promise).mockImplementation(save);
    await render(page(CONNECTION, { save: asked }));
    await open(0);
    await press('Replace key');
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

  test('of an address before stands back behind what is found of the next one', async () => {
    type Answered = Awaited<ReturnType<OptionsActions['test']>>;
    const [first, second] = [Promise.withResolvers<Answered>(), Promise.withResolvers<Answered>()];
    const asked = vi
      .fn<OptionsActions['test']>()
      .mockReturnValueOnce(first.promise)
      .mockReturnValueOnce(second.promise);
    await editing({}, { test: asked });
    await press('Test');
    await press('Replace key');
    await type(field('API key'), 'terse_new');
    await press('Test');
    await act(async () => second.resolve({ ok: true, value: FOUND }));
    await act(async () => first.resolve({ ok: false, code: 'lost' }));
    expect(outcome()).toMatch(/^The server is responding\./);
  });

  test.each(['Test', 'Save'])('is gone once another address is stored elsewhere (%s)', async (button) => {
    await render(page(CONNECTION, { save }));
    await open(0);
    await press(button);
    expect(outcome()).not.toBe('');
    await rerender(page(MOVED, { save }));
    expect(outcome()).toBe('');
  });

  test('stays where the page learns of what was saved before or after the answer', async () => {
    for (const learnsBefore of [true, false]) {
      const moving = {
        save: async () => {
          if (learnsBefore) await rerender(page(MOVED, moving));
          return { ok: true, value: saved } as const;
        },
      };
      await render(page(CONNECTION, moving));
      await open(0);
      await type(address(), MOVED.baseUrl);
      await press('Replace key');
      await type(field('API key'), `terse_${CONNECTION.lastFour}`);
      await press('Save');
      await rerender(page(MOVED, moving));
      expect(outcome()).toMatch(/^Connected\./);
    }
  });

  test('of a key is gone once another one is stored elsewhere', async () => {
    await render(page(CONNECTION, { save }));
    await open(0);
    await press('Save');
    await rerender(page({ ...CONNECTION, name: 'Home' }, { save }));
    expect(outcome()).toMatch(/^Connected\./);
    await rerender(page({ ...CONNECTION, lastFour: 'zzzz' }, { save }));
    expect(outcome()).toBe('');
  });
});

describe('the key', () => {
  test('shows its last four and nothing else, until it is replaced', async () => {
    await editing();
    expect(field('API key').placeholder).toBe('•••• x7Qd');
    expect(field('API key').disabled).toBe(true);
    await press('Replace key');
    expect(field('API key').disabled).toBe(false);
    expect(document.activeElement).toBe(field('API key'));
  });
});

describe('what a test found', () => {
  test.each([
    [
      'tested',
      /^The server is responding\. .* Now 13 of 20 left · resets .* Bulk shorten Sent in batches \(1 request per 25 links\) If no response arrives Sent again without creating duplicates$/,
    ],
    [
      'spec-only',
      /^This address responds, but doesn't identify itself as a link shortener\. Create a link to find out whether it works\. Server Unknown software API key Will be verified with your first link Bulk shorten Sent one by one If no response arrives You'll be asked before it's sent again$/,
    ],
    ['unreachable', /^Nothing responds at this address\./],
    ['unavailable', /^The server at this address is temporarily unavailable\./],
    ['denied', /^Terse needs your permission to do this\./],
    ['hostile', /^The server is responding but does not accept this key\./],
  ])('%s', async (state, expected) => {
    const page = await render(optionsIn(state));
    await open(0);
    await press('Test');
    expect(outcome()).toMatch(expected);
    expect(page.querySelectorAll('img, script')).toHaveLength(0);
  });

  test('of one that does not say what it is, no more is said than that it is saved', async () => {
    await render(optionsIn('spec-only'));
    await open(0);
    await press('Save');
    expect(outcome()).toMatch(/^Saved\. This address responds, but doesn't identify itself as a link shortener\./);
    expect(document.querySelector('.connecting-result .is-good')).toBeNull();
  });

  test('a service out of reach is saved all the same, and that is said', async () => {
    await render(optionsIn('unreachable'));
    await open(0);
    await press('Save');
    expect(outcome()).toMatch(
      /^Saved, but the server didn't respond\. Links will be sent once it does\..* Nothing responds at this address\./,
    );
  });
});

test('a form that is closed leaves the focus on the button that opens it', async () => {
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

test('says that it asks the service only once the user has allowed it', async () => {
  const asked = vi.fn<OptionsActions['test']>().mockReturnValue(new Promise(() => {}));
  await editing({}, { test: asked });
  await press('Test');
  expect(outcome()).toBe('');
  expect(control('Test').getAttribute('aria-disabled')).toBe('true');
  await act(() => asked.mock.lastCall?.[1]());
  expect(outcome()).toBe('Testing…');
});

test('a screen reader is told the verdict without the times of the report', async () => {
  await editing();
  await press('Test');
  const live = [...document.querySelectorAll('.card [role="status"]')].map(textOf).filter(Boolean);
  expect(live).toEqual(['The server is responding.']);
});

describe('forgetting', () => {
  test('asks first, and says what becomes of what is waiting', async () => {
    const forget = vi.fn<OptionsActions['forget']>().mockResolvedValue({ ok: true, value: null });
    await editing({ view: queuesView([queue({ requests: [request(), request(), request()] })]) }, { forget });
    await press('Remove');
    expect(textOf(document.querySelector('dialog'))).toMatch(
      /Waiting links: 3\. What should happen to them\? Keep them for the next connection Discard them/,
    );
    expect(document.activeElement).toBe(control('Cancel'));
    await press('Cancel');
    expect(forget).not.toHaveBeenCalled();
    await press('Remove');
    await act(async () => document.querySelector<HTMLElement>('input[value="drop"]')?.click());
    document.querySelector<HTMLElement>('dialog .is-danger')?.click();
    expect(forget.mock.calls).toEqual([[CONNECTION.id, 'drop']]);
  });

  test('says nothing of a pause if no other connection takes over the requests', async () => {
    const paused = queue({ requests: [request()], state: { ...EMPTY_STATE, onHold: true } });
    const openQueue = vi.fn();
    await editing({ view: queuesView([paused]) }, { openQueue });
    expect(textOf(document.querySelector('.connection-paused'))).toMatch(/^You paused this queue\./);
    await press('Manage');
    expect(openQueue).toHaveBeenCalledOnce();
    await press('Remove');
    expect(textOf(document.querySelector('dialog'))).not.toContain('paused');
  });

  test('is said, and leaves the person where another address is entered', async () => {
    /** Renders the options page with a background worker that removes connections on command. */
    function Page() {
      const [shown, show] = useState(DEFAULTS.view);
      const forget = async () => {
        show(NONE);
        return { ok: true, value: null } as const;
      };
      return <OptionsPage {...DEFAULTS} view={shown} handlers={{ ...DEFAULTS.handlers, forget }} />;
    }
    await render(<Page />);
    await open(0);
    await press('Remove');
    await act(async () => document.querySelector<HTMLElement>('dialog .is-danger')?.click());
    expect(textOf(document.querySelector('.connection-list > .connecting-result'))).toBe('The connection was removed.');
    expect(document.activeElement).toBe(address());
    await press('Copy automatically');
    expect(textOf(document.querySelector('.connection-list > .connecting-result'))).toBe('');
  });
});

describe('a connection is one row', () => {
  test.each([
    ['connected', 'Connected'],
    ['not-tried', 'Not tested yet'],
    ['key-refused', 'Action needed'],
    ['key-missing', 'Action needed'],
    ['access-missing', 'Action needed'],
    ['not-a-service', 'Action needed'],
    ['redirected', 'Action needed'],
    ['not-reachable', 'Not reachable'],
    ['unprotected', 'Blocked by the browser'],
    ['on-hold', 'Paused by you'],
  ])('with its name and status: %s', async (state, expected) => {
    await render(optionsIn(state));
    expect(heads().map(textOf)).toEqual([`links.example.com ${expected}`]);
  });

  test('that is closed while it works, and open if it needs the user', async () => {
    await render(optionsIn('two'));
    expect(forms()).toHaveLength(0);
    await render(optionsIn('two-key-refused'));
    expect(heads().map((head) => head.getAttribute('aria-expanded'))).toEqual(['false', 'true']);
  });
});

describe('what is wrong with a connection stands beside its field', () => {
  const hintOf = (id: string) => textOf(document.querySelector(`#${id}-help`));

  test.each([
    ['key-refused', 'key', 'The server refused the key ending in x7Qd. Create a new one on its dashboard.'],
    ['key-missing', 'key', /^This connection was imported without its key\./],
    ['access-missing', 'address', 'The browser no longer lets Terse access this address.'],
    ['not-a-service', 'address', 'There is no link shortener at this address. Correct the address and save.'],
    ['redirected', 'address', 'This address redirects elsewhere. Enter the new address.'],
    ['not-reachable', 'address', "The server isn't responding. Waiting links will be sent once it does."],
    ['unprotected', 'address', /prevent duplicate links/],
  ])('%s', async (state, id, expected) => {
    await render(optionsIn(state));
    await open(0);
    expect(hintOf(id)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(document.querySelectorAll('.problem')).toHaveLength(1);
  });

  test.each(['key-refused', 'key-missing'])(
    'the field for the new key is empty and has the focus: %s',
    async (state) => {
      await render(optionsIn(state));
      expect(document.activeElement).toBe(field('API key'));
      expect(field('API key').placeholder).toBe('Paste the new key');
      expect(field('API key').value).toBe('');
      expect([...document.querySelectorAll('main .button.is-primary')].map(textOf)).toEqual(['Save']);
    },
  );

  test('a key that is too short to be shown in part is refused without its end', async () => {
    const refused = queue({
      connection: { ...CONNECTION, lastFour: '' },
      state: { ...EMPTY_STATE, halt: 'unauthorized' },
    });
    await options({ view: queuesView([refused]) });
    expect(hintOf('key')).toBe('The server refused this key. Create a new one on its dashboard.');
  });

  test('the message leaves as soon as the field is changed', async () => {
    await render(optionsIn('not-a-service'));
    await type(address(), 'https://b.example');
    expect(hintOf('address')).toBe('');
    await render(optionsIn('key-refused'));
    await type(field('API key'), 'terse_new');
    expect(hintOf('key')).toBe('Stored in this browser and never shown again.');
  });

  test('what is sent is said where an imported connection gets its key', async () => {
    await render(optionsIn('key-missing'));
    expect(textOf(document.querySelector('form'))).toContain('their titles if you choose, and your API key');
  });

  test('a missing access is asked for again by the one strong button', async () => {
    const allowAccess = vi.fn<OptionsActions['allowAccess']>();
    await options(OPTIONS_STATES['access-missing']?.props, { allowAccess });
    expect([...document.querySelectorAll('main .button.is-primary')].map(textOf)).toEqual(['Allow']);
    await press('Allow');
    expect(allowAccess).toHaveBeenCalledExactlyOnceWith(CONNECTION);
  });

  test('the result of saving is not shown while the key is refused', async () => {
    await render(optionsIn('key-refused'));
    await type(field('API key'), 'terse_new');
    await press('Save');
    expect(outcome()).toBe('');
  });
});

describe('several connections', () => {
  const TWO = queuesView([queue({ requests: [request()] }), queue({ connection: SECOND_CONNECTION })]);

  test('are named, and one of them is the default until another is chosen', async () => {
    const setDefault = vi.fn<OptionsActions['setDefault']>();
    await options({ view: TWO }, { setDefault });
    expect(heads().map(textOf)).toEqual(['links.example.com Default Connected', 'Work Connected']);
    await open(1);
    await press('Make default');
    expect(setDefault).toHaveBeenCalledExactlyOnceWith(SECOND_CONNECTION.id);
  });

  test('have one form open at a time, which keeps what came of saving', async () => {
    await options({ view: TWO });
    await open(0);
    await open(1);
    expect(address().value).toBe(SECOND_CONNECTION.baseUrl);
    expect(document.querySelectorAll('form')).toHaveLength(1);
    await press('Save');
    expect(outcome()).toMatch(/^Connected\. You can shorten links now\./);
  });

  test('promise no shortening over a queue that is paused', async () => {
    await editing({ view: queuesView([queue({ state: { ...EMPTY_STATE, onHold: true } })]) });
    await press('Save');
    expect(outcome()).toMatch(/^Saved\. You paused this queue\. Nothing is sent until you resume it\./);
    expect(document.querySelector('.connection-paused')).toBeNull();
  });

  test('give what waits to another when one is forgotten', async () => {
    const forget = vi.fn<OptionsActions['forget']>().mockResolvedValue({ ok: true, value: null });
    await editing({ view: TWO }, { forget });
    await press('Remove');
    document.querySelector<HTMLElement>('dialog .is-danger')?.click();
    expect(forget.mock.calls).toEqual([[CONNECTION.id, { moveTo: SECOND_CONNECTION.id }]]);
  });

  test('what is stored in another tab appears in the form, unless something was typed', async () => {
    await editing();
    await rerender(
      <OptionsPage
        {...DEFAULTS}
        view={queuesView([queue({ connection: { ...CONNECTION, baseUrl: 'https://b.example' } })])}
      />,
    );
    expect(address().value).toBe('https://b.example');
  });
});

describe('after an import, where nothing was connected', () => {
  const keyless = { ...EMPTY_STATE, halt: 'key_missing' as const };

  test('the form is that of the connection which needs its key, not of another one', async () => {
    await options({ view: NONE });
    await rerender(<OptionsPage {...DEFAULTS} view={queuesView([queue({ state: keyless })])} />);
    expect(forms()).toHaveLength(1);
    expect(address().value).toBe(CONNECTION.baseUrl);
  });

  test('of several connections, the first one is open', async () => {
    await options({ view: NONE });
    const two = [queue({ state: keyless }), queue({ connection: SECOND_CONNECTION, state: keyless })];
    await rerender(<OptionsPage {...DEFAULTS} view={queuesView(two)} />);
    expect(heads().map((head) => head.getAttribute('aria-expanded'))).toEqual(['true', 'false']);
  });
});

test('a new connection keeps its result and its row when it is stored', async () => {
  const view = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
  const handlers: OptionsActions = {
    ...DEFAULTS.handlers,
    save: async () => {
      await rerender(<OptionsPage {...DEFAULTS} view={view} handlers={handlers} />);
      return { ok: true, value: { ...FOUND, connectionId: SECOND_CONNECTION.id } };
    },
  };
  await options({ handlers });
  await press('Add connection');
  await type(address(), SECOND_CONNECTION.baseUrl);
  await type(field('API key'), `terse_${SECOND_CONNECTION.lastFour}`);
  await press('Connect');
  await vi.waitFor(() => expect(heads().map((head) => head.getAttribute('aria-expanded'))).toEqual(['false', 'true']));
  expect(outcome()).toBe('Connected. You can shorten links now.');
  expect(forms()).toHaveLength(1);
});

test('the sections are listed at the side, in their order', async () => {
  await options();
  const titles = [...document.querySelectorAll('.section h2')].map(textOf);
  expect(titles).toEqual(['Connections', 'General', 'Link defaults', 'Shortcuts', 'Your data']);
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.section-nav a')];
  expect(links.map(textOf)).toEqual(titles);
  for (const link of links) expect(document.querySelector(link.getAttribute('href') ?? '')).not.toBeNull();
});

test('the word for the address bar is shown', async () => {
  await options();
  expect([...document.querySelectorAll('kbd')].map(textOf)).toEqual(['Alt+Shift+U', 'terse']);
});

test('a browser without keyboard shortcuts is not asked to change them', async () => {
  await options({ shortcuts: [] });
  expect(textOf(document.body)).not.toMatch(/shortcuts/i);
});

describe('behaviour', () => {
  test.each([
    ['Shorten pages when the popup opens', { shortenOnOpen: true }],
    ['Copy automatically', { autoCopy: false }],
    ['Dark', { theme: 'dark' }],
  ] as const)('%s', async (name, expected) => {
    const change = vi.fn<OptionsActions['change']>();
    await options({}, { change });
    if (name === 'Dark') document.querySelector<HTMLElement>('input[value="dark"]')?.click();
    else await press(name);
    expect(change).toHaveBeenCalledWith(expected);
  });

  test('notifications ask for their permission', async () => {
    const setNotifications = vi.fn<OptionsActions['setNotifications']>();
    await options({}, { setNotifications });
    await press('Notifications');
    expect(setNotifications).toHaveBeenCalledWith(true);
  });
});

test.each(Object.keys(OPTIONS_STATES))('%s uses no string that is missing', async (state) => {
  const page = await render(optionsIn(state));
  expect(page.outerHTML).not.toMatch(/\?\w+\?/);
});
