import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { importFile } from './support/imports.ts';
import { post } from './support/service.ts';
import { FIREFOX } from './support/store.ts';
import { folderForEach } from './support/test-folder.ts';
import { PASSWORD, visit } from './support/visitor.ts';

const RECORDER = fileURLToPath(new URL('support/record-outbound.ts', import.meta.url));

/** Targets that cause a DNS query or a connection if a program opens them. */
const TARGETS = [
  'https://canary.example/a.png',
  'http://93.184.216.34/',
  'http://127.0.0.1:29999/',
  'http://[::1]:29999/',
];

const folder = folderForEach();
let record: string;
beforeEach(() => {
  record = folder.file('outbound');
});

const recorded = () => (existsSync(record) ? readFileSync(record, 'utf8') : '');
const recording = () => ({ NODE_OPTIONS: `--import=${RECORDER}`, RECORD_OUTBOUND: record });

it('the service opens no connections and resolves no names, for any request', async () => {
  const settings = { TERSE_ALLOW_PRIVATE_TARGETS: 'true', TERSE_THROTTLE: '100000', TERSE_DAILY_QUOTA: '1000' };
  const serving = await folder.serve({ ...recording(), ...settings, TERSE_METRICS_LISTEN: '127.0.0.1:0' });
  const { api, short } = serving.addresses;
  // The service resolves its own address to listen. After that, it must not access the network.
  const before = recorded();
  expect(before).toMatch(/^(name "127\.0\.0\.1"\n)+$/);
  const key = (await folder.run(['keys', 'create', '--name', 'a'])).stdout.trim();
  const ask = async (path: string, init: RequestInit = { headers: { 'X-API-Key': key } }) => {
    const answer = await fetch(api + path, init);
    expect(answer.status, path).toBeLessThan(300);
    return answer;
  };
  for (const [at, url] of TARGETS.entries()) {
    await ask('/api/shorten', post(key, { url }, { 'Idempotency-Key': url }));
    await ask('/api/v1/urls', post(key, { url, title: url, shortCode: `code-${at}` }));
  }
  await ask('/api/v1/urls/batch', post(key, { urls: TARGETS.map((url) => ({ url })) }));
  const headers = { 'User-Agent': FIREFOX, Referer: 'https://referrer.example/', 'X-Forwarded-For': '203.0.113.1' };
  for (const at of TARGETS.keys()) {
    expect((await fetch(`${short}/code-${at}`, { redirect: 'manual', headers })).status).toBe(302);
  }
  const read = ['', '/v1/key', '/v1/urls?search=canary', '/v1/urls/code-0', '/v1/analytics/code-0'];
  for (const path of [...read.map((path) => `/api${path}`), '/docs', '/openapi.json', '/readyz']) await ask(path);

  const visitor = visit({ service: serving });
  const { pathname } = new URL((await folder.run(['accounts', 'setup'])).stdout.trim());
  const signedUp = await visitor.post(pathname, { name: 'Ada', password: PASSWORD, again: PASSWORD });
  expect(signedUp.status).toBe(303);
  const rows = TARGETS.map((url, at) => `1${at},imported-${at},false,2024-05-01 12:30:00+00,,,,${url},1`);
  const head = 'id,address,banned,created_at,description,expire_in,password,target,visit_count';
  await importFile(visitor, `${[head, ...rows].join('\n')}\n`);
  expect(await visitor.page('/links')).toContain('imported-0');
  const pages = ['/links', '/links/code-0', '/links/code-0/qr.svg', '/links/export.csv', '/keys', '/account'];
  for (const path of pages) await visitor.page(path);
  await visitor.post('/links/code-0', { title: 'http://127.0.0.1:29999/' });
  for (const at of TARGETS.keys()) {
    await ask(`/api/v1/urls/code-${at}`, { method: 'DELETE', headers: { 'X-API-Key': key } });
  }
  expect(await serving.end('SIGTERM')).toBe(0);
  expect(recorded()).toBe(before);
});
