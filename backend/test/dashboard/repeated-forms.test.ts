import { describe, expect, it } from 'vitest';
import { preview, startImport } from '../support/imports.ts';
import { ownerForEach, textOf, visit } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

const links = () => terse.store.links.list(1, null, 10);

/** Opens a page and returns the key of the form with this action. */
async function formKey(path: string, action: string): Promise<string> {
  const form = (await ada.page(path)).split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  return /name="formKey" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

describe('a form for a new link', () => {
  it.each(['/links/new', '/links', '/overview'])('on %s that is sent again creates one link', async (path) => {
    const fields = {
      formKey: await formKey(path, '/links'),
      url: 'https://example.com/',
      title: 'Twice',
      tags: 'a, b',
    };
    const answers = [await ada.post('/links', fields), await ada.post('/links', fields)];
    const [first, again] = answers.map((answer) => [answer.status, answer.headers.get('location')]);
    expect(first).toEqual([303, expect.stringMatching(/^\/links\?made=\w{7}$/)]);
    expect(again).toEqual(first);
    expect(await links()).toHaveLength(1);
  });

  it('with a chosen code does not say that its own code is taken', async () => {
    const fields = { formKey: await formKey('/links/new', '/links'), url: 'https://example.com/', code: 'promo' };
    for (const _ of [1, 2])
      expect((await ada.post('/links', fields)).headers.get('location')).toBe('/links?made=promo');
  });

  it('that was changed or opened again creates another link', async () => {
    const fields = { formKey: await formKey('/links/new', '/links'), url: 'https://example.com/' };
    await ada.post('/links', fields);
    await ada.post('/links', { ...fields, title: 'Changed' });
    await ada.post('/links', { ...fields, formKey: await formKey('/links/new', '/links') });
    expect(await links()).toHaveLength(3);
  });
});

it('a form for a new API key that is sent again creates one key, and says what to do', async () => {
  const fields = { formKey: await formKey('/keys', '/keys'), name: 'Laptop', 'scope-create': 'yes' };
  expect(await (await ada.post('/keys', fields)).text()).toContain('Your new API key');
  const again = await ada.post('/keys', fields);
  expect([again.status, again.headers.get('location')]).toEqual([303, '/keys?done=repeated']);
  expect(textOf(await ada.page('/keys?done=repeated'))).toContain(
    'If you did not copy it, revoke it and create another',
  );
  expect(await terse.store.keys.list(1)).toHaveLength(1);
});

it('a form that deletes a link and is sent again offers the same undo', async () => {
  await ada.post('/links', { url: 'https://example.com/', code: 'gone' });
  const send = () => ada.post('/selection', { code: 'gone', action: 'delete' });
  const first = (await send()).headers.get('location') ?? '';
  terse.clock.now += 1000;
  expect((await send()).headers.get('location')).toBe(first);
  expect(await ada.page(first)).toContain('/selection/restore');
});

it('an invitation form that is sent again creates one account, and shows a link that works', async () => {
  const fields = { formKey: await formKey('/account', '/account/invitations'), invitee: 'Grace' };
  await ada.post('/account/invitations', fields);
  const html = await (await ada.post('/account/invitations', fields)).text();
  expect((await terse.store.accounts.list()).map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  const [, path = ''] = /(\/welcome\/[\w-]{43})/.exec(html) ?? [];
  expect((await visit(terse).get(path)).status).toBe(200);
});

it('an import form that is pressed twice at once starts one import, and both presses show it', async () => {
  const rows = Array.from({ length: 2000 }, (_, at) => `https://example.com/${at}\n`).join('');
  const form = await preview(ada, `url\n${rows}`);
  const answers = await Promise.all([startImport(ada, form), startImport(ada, form), startImport(ada, form)]);
  const shown = answers.map((answer) => [answer.status, answer.headers.get('location')]);
  expect(new Set(shown.map(String))).toEqual(new Set([expect.stringMatching(/^303,\/links\/import\/\d+$/)]));
});
