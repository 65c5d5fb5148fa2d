import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { ShortenAnswer } from '@terse/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../src/config/environment.ts';
import { checkError, post, serviceForTest, startTestService, type TestService } from '../support/service.ts';
import { folderForEach } from '../support/test-folder.ts';

/** Interval between two checks of the file, in milliseconds. Tests that trigger a reload do not need these checks. */
const OFTEN = 20;
const NEVER = 2 ** 30;

const folder = folderForEach();
let file: string;
let key: string;
beforeEach(() => {
  file = folder.file('blocked.txt');
});

async function start(list: string, watch = NEVER): Promise<TestService> {
  writeFileSync(file, list);
  const terse = await serviceForTest({ TERSE_BLOCKED_HOSTS_FILE: file, TERSE_THROTTLE: '100000' }, { watch });
  key = await terse.newKey({ quota: 1000 });
  return terse;
}

async function shorten(service: TestService, url: string): Promise<string> {
  return ShortenAnswer.parse(await (await service.ask('/api/shorten', post(key, { url }))).json()).shortUrl;
}

describe('a blocked host', () => {
  it('is refused as a target, like every other refused target', async () => {
    const service = await start('evil.example.org\n');
    for (const url of ['https://evil.example.org/', 'http://WWW.Evil.Example.org.:8080/x']) {
      const response = await service.ask('/api/shorten', post(key, { url }));
      expect(await checkError(response)).toEqual({ error: 'Please enter a valid URL.', code: 'target_refused' });
      const link = await service.ask('/api/v1/urls', post(key, { url }));
      expect(await checkError(link)).toMatchObject({ code: 'target_refused' });
    }
    expect((await service.ask('/api/shorten', post(key, { url: 'https://example.org/' }))).status).toBe(200);
  });

  it('disables existing links until it is removed from the list', async () => {
    const service = await start('# nothing yet\n', OFTEN);
    const shortUrl = await shorten(service, 'https://evil.example.org/path');
    const other = await shorten(service, 'https://example.org/');
    expect((await service.visit(shortUrl)).status).toBe(302);

    writeFileSync(file, 'evil.example.org\n');
    await vi.waitFor(async () => expect((await service.visit(shortUrl)).status).toBe(410));
    const response = await service.visit(shortUrl);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).toContain('This link is blocked');
    expect((await service.visit(other)).status).toBe(302);

    writeFileSync(`${file}.new`, '# empty again');
    renameSync(`${file}.new`, file);
    await vi.waitFor(async () => expect((await service.visit(shortUrl)).status).toBe(302));
  });
});

describe('the file of blocked hosts', () => {
  it('that is missing or has an invalid line is logged, and the last valid list is kept', async () => {
    const service = await start('evil.example.org\n', OFTEN);
    const failures = () => service.log.filter((line) => line.includes('could not be reloaded'));
    writeFileSync(file, 'fine.example\nhttps://not-a-host/\n');
    await vi.waitFor(() => expect(failures()).toHaveLength(1));
    rmSync(file);
    await vi.waitFor(() => expect(failures()).toHaveLength(2));
    const refused = await service.ask('/api/shorten', post(key, { url: 'https://evil.example.org/' }));
    expect(refused.status).toBe(400);
    const logged = failures();
    expect(logged[0]).toContain('Line 2: \\"https://not-a-host/\\" is not a host.');
    expect(logged[1]).toContain('ENOENT');
  });

  it.each([
    ['contains an invalid host', 'example.org:80\n', /Line 1: "example.org:80" is not a host\.$/],
    ['does not exist', null, /^TERSE_BLOCKED_HOSTS_FILE cannot be read: ENOENT/],
  ])('that %s prevents the start', async (_, content, sentence) => {
    if (content !== null) writeFileSync(file, content);
    const started = startTestService({ TERSE_BLOCKED_HOSTS_FILE: file });
    await expect(started).rejects.toThrow(ConfigError);
    await expect(started).rejects.toThrow(sentence);
  });
});
