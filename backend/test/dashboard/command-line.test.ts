import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDatabase } from '../support/process.ts';
import { folderForEach } from '../support/test-folder.ts';
import { PASSWORD, visit } from '../support/visitor.ts';

const BASE = { TERSE_BASE_URL: 'https://links.example' };
const WELCOME = /^https:\/\/links\.example\/welcome\/[\w-]{43}\n$/;

const folder = folderForEach();
beforeEach(() => makeDatabase(folder.path));

const accounts = (...args: string[]) => folder.run(['accounts', ...args], BASE);

/** Accepts an invitation, as the web form does. */
const takeUp = async (api: string, path: string, name: string) => {
  const visitor = visit({ service: { addresses: { api } } });
  return (await visitor.post(path, { name, password: PASSWORD, again: PASSWORD })).status;
};

describe('accounts on the command line', () => {
  it('prints a setup link until the first account is set up', async () => {
    const made = await accounts('setup');
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toMatch(WELCOME);
    const { addresses, end } = await folder.serve();
    expect(await takeUp(addresses.api, new URL(made.stdout.trim()).pathname, 'Ada')).toBe(303);
    expect(await accounts('setup')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^The service is already set up\. .* "accounts reset ID".*\n$/),
    });
    await end('SIGTERM');
  });

  it('creates, resets, disables, enables and deletes an account while the service runs', async () => {
    const { addresses, end } = await folder.serve();
    const made = await accounts('create', '--name', ' Grace ');
    expect(made.stdout).toMatch(WELCOME);
    expect((await accounts('list')).stdout).toBe('ID  NAME   CAN SIGN IN\n1   owner  invited\n2   Grace  invited\n');
    const path = new URL(made.stdout.trim()).pathname;
    expect(await takeUp(addresses.api, path, 'Grace')).toBe(303);
    expect((await accounts('list')).stdout).toContain('2   Grace  yes\n');

    const reset = await accounts('reset', '2');
    expect(reset.stdout).toMatch(WELCOME);
    expect(await takeUp(addresses.api, path, 'Grace')).toBe(410);
    expect(await takeUp(addresses.api, new URL(reset.stdout.trim()).pathname, 'Grace')).toBe(303);

    const grace = visit({ service: { addresses } });
    const signIn = async () => (await grace.post('/sign-in', { name: 'Grace', password: PASSWORD })).status;
    expect([await signIn(), (await grace.get('/links')).status]).toEqual([303, 200]);
    expect(await accounts('disable', '2')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect([(await grace.get('/links')).status, await signIn()]).toEqual([303, 400]);
    expect((await accounts('list')).stdout).toContain('2   Grace  disabled\n');
    expect((await accounts('reset', '2')).stderr).toMatch(/^Account 2 is disabled\./);
    expect(await accounts('enable', '2')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await signIn()).toBe(303);

    expect(await accounts('delete', '2')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await grace.get('/links')).status).toBe(303);
    expect((await accounts('list')).stdout).not.toContain('Grace');
    expect((await accounts('delete', '2')).stderr).toMatch(/^There is no account 2\./);
    await end('SIGTERM');
  });

  it.each([
    [['create', '--name', ' ']],
    [['reset', '7']],
    [['reset', 'x']],
    [['disable', '7']],
    [['disable', '1']],
    [['enable', 'Grace']],
    [['delete', '1']],
  ])('accounts %j fails and prints only a reason', async (args) => {
    const { code, stdout, stderr } = await accounts(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^.+\.\n$/);
  });

  it('needs the URL of the service', async () => {
    const { code, stderr } = await folder.run(['accounts', 'setup'], { TERSE_LISTEN: '127.0.0.1:0' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('TERSE_BASE_URL')]);
  });
});

describe('links on the command line', () => {
  it('are deleted while the service runs, and users cannot restore them', async () => {
    const setup = new URL((await accounts('setup')).stdout.trim()).pathname;
    const { addresses, end } = await folder.serve();
    const ada = visit({ service: { addresses } });
    await ada.post(setup, { name: 'Ada', password: PASSWORD, again: PASSWORD });
    await ada.post('/links', { url: 'https://example.com/', code: 'trouble' });
    const follow = async () => (await fetch(`${addresses.short}/trouble`, { redirect: 'manual' })).status;
    expect(await follow()).toBe(302);
    expect(await folder.run(['links', 'delete', 'trouble'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    // The process caches the link for less than a second. `link-cache.test.ts` checks the exact time.
    let status = 302;
    while (status === 302) status = await follow();
    expect(status).toBe(410);
    expect(await ada.page('/links')).toContain('No links yet');
    await end('SIGTERM');
  });

  it.each([[['delete', 'nothing']], [['delete', '../x']]])('links %j fails and prints only a reason', async (args) => {
    const { code, stdout, stderr } = await folder.run(['links', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^.+\.\n$/);
  });
});

it('the first start prints a working setup link outside of the log, and later starts print none', async () => {
  const printing = ['sh', '-c', 'exec "$@" > printed', 'sh'];
  const printed = () => readFileSync(folder.file('printed'), 'utf8');
  const first = await folder.serve({}, printing);
  const link = /http:\S+\/welcome\/[\w-]{43}/;
  await expect.poll(printed).toMatch(link);
  expect(first.stderr()).not.toContain('/welcome/');
  const { pathname } = new URL(link.exec(printed())?.[0] ?? '');
  expect(await takeUp(first.addresses.api, pathname, 'Ada')).toBe(303);
  await first.end('SIGTERM');
  const second = await folder.serve({}, printing);
  await second.end('SIGTERM');
  expect(printed()).toBe('');
});
