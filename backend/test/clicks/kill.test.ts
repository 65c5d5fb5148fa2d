import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createKey } from '../../src/commands/manage.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { openStore } from '../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { countsOf } from '../support/clicks.ts';
import type { ServeProcess } from '../support/process.ts';
import { link, makeKey, submission } from '../support/store.ts';
import { folderForEach } from '../support/test-folder.ts';

const CODES = Array.from({ length: 40 }, (_, index) => `code-${index}`);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const folder = folderForEach();

const open = () => openStore({ engine: 'sqlite', path: folder.file('data', 'terse.db') }, Date.now());

it('counts every redirected click exactly once, even if the process is killed under load repeatedly', async () => {
  await makeLinks();
  const answered = new Map(CODES.map((code) => [code, 0]));
  for (const clicks of [30, 700, 250]) {
    await clickUntilKilled(await folder.serve(), clicks, answered);
  }
  const store = await open();
  await store.clicks.count();
  for (const code of CODES) {
    const { id = 0, clicks = 0 } = (await store.links.find(FIRST_ACCOUNT, code)) ?? {};
    const { clicks: counted } = await countsOf(store, id);
    const known = answered.get(code) ?? 0;
    // If the process dies while it sends a redirect, the click may or may not be counted. Each kill affects at most
    // one click.
    expect(counted, code).toBeGreaterThanOrEqual(known);
    expect(counted, code).toBeLessThanOrEqual(known + 3);
    expect(clicks).toBe(counted);
  }
  await store.close();
});

it('stores no IP address in any file, including those of a killed process', async () => {
  await makeLinks();
  const serving = await folder.serve({ TERSE_TRUSTED_PROXIES: '127.0.0.1' });
  const headers = { 'User-Agent': FIREFOX, 'X-Forwarded-For': '203.0.113.77' };
  const response = await fetch(`${serving.addresses.short}/code-1`, { redirect: 'manual', headers });
  expect(response.status).toBe(302);
  await serving.end('SIGKILL');
  const entries = readdirSync(folder.file('data'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain('terse.db-wal');
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    for (const form of ['203.0.113.77', Buffer.from([203, 0, 113, 77])]) expect(bytes.includes(form), name).toBe(false);
  }
  expect(serving.stderr()).not.toContain('203.0.113.77');
});

async function makeLinks(): Promise<void> {
  const store = await open();
  await createKey(store, systemRandom, { name: 'test', throttle: null, quota: null }, Date.now());
  await store.createRequests.submit(submission(await makeKey(store), { links: CODES.map((code) => link([code])) }));
  await store.close();
}

/** Only one client clicks each code, so at most one click per code is in progress when the process dies. */
async function clickUntilKilled({ addresses, end }: ServeProcess, clicks: number, answered: Map<string, number>) {
  let left = clicks;
  let killed: Promise<unknown> | null = null;
  const client = async (code: string) => {
    for (;;) {
      const options: RequestInit = { redirect: 'manual', headers: { 'User-Agent': FIREFOX } };
      const response = await fetch(`${addresses.short}/${code}`, options).catch(() => null);
      if (response?.status !== 302) return;
      answered.set(code, (answered.get(code) ?? 0) + 1);
      left -= 1;
      if (left === 0) killed = end('SIGKILL');
    }
  };
  await Promise.all(CODES.map(client));
  await killed;
}
