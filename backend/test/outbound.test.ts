import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { importFile } from './support/imports.ts';
import { post } from './support/service.ts';
import { folderForEach } from './support/test-folder.ts';
import { PASSWORD, type Visitor, visit } from './support/visitor.ts';

const RECORDER = fileURLToPath(new URL('support/record-outbound.ts', import.meta.url));
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

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
  // The service resolves its own address to listen. After that, it must not access the network.
  const before = recorded();
  expect(before).toMatch(/^(name "127\.0\.0\.1"\n)+$/);
  const key = (await folder.run(['keys', 'create', '--name', 'a'])).stdout.trim();
  const codes = await makeLinks(serving.addresses.api, key);
  await followLinks(serving.addresses.short, codes);
  await readEverything(serving.addresses.api, key, codes[0] ?? '');
  const visitor = visit({ service: serving });
  await signUp(visitor);
  await importLinks(visitor);
  await lookAtPages(visitor, codes[0] ?? '');
  await removeLinks(serving.addresses.api, key, codes);
  expect(await serving.end('SIGTERM')).toBe(0);
  expect(recorded()).toBe(before);
});

async function makeLinks(api: string, key: string): Promise<string[]> {
  const codes: string[] = [];
  for (const url of TARGETS) {
    const short = await fetch(`${api}/api/shorten`, post(key, { url }, { 'Idempotency-Key': url }));
    const made = await fetch(`${api}/api/v1/urls`, post(key, { url, title: url }));
    expect([short.status, made.status], url).toEqual([200, 201]);
    codes.push(((await made.json()) as { shortCode: string }).shortCode);
  }
  const batch = await fetch(`${api}/api/v1/urls/batch`, post(key, { urls: TARGETS.map((url) => ({ url })) }));
  expect(batch.status).toBe(207);
  return codes;
}

async function followLinks(short: string, codes: string[]): Promise<void> {
  const headers = { 'User-Agent': BROWSER, Referer: 'https://referrer.example/', 'X-Forwarded-For': '203.0.113.1' };
  for (const code of codes) {
    const answer = await fetch(`${short}/${code}`, { redirect: 'manual', headers });
    expect(answer.status).toBe(302);
  }
}

async function readEverything(api: string, key: string, code: string): Promise<void> {
  const paths = [
    '/api',
    '/api/v1/key',
    '/api/v1/urls?search=canary',
    `/api/v1/urls/${code}`,
    `/api/v1/analytics/${code}`,
    '/docs',
    '/openapi.json',
    '/readyz',
  ];
  for (const path of paths) expect((await fetch(api + path, { headers: { 'X-API-Key': key } })).status, path).toBe(200);
}

async function signUp(visitor: Visitor): Promise<void> {
  const { pathname } = new URL((await folder.run(['accounts', 'setup'])).stdout.trim());
  const answer = await visitor.post(pathname, { name: 'Ada', password: PASSWORD, again: PASSWORD });
  expect(answer.status).toBe(303);
}

async function importLinks(visitor: Visitor): Promise<void> {
  const rows = TARGETS.map((url, index) => `1${index},imported-${index},false,2024-05-01 12:30:00+00,,,,${url},1`);
  const head = 'id,address,banned,created_at,description,expire_in,password,target,visit_count';
  await importFile(visitor, `${[head, ...rows].join('\n')}\n`);
  expect(await visitor.page('/links')).toContain('imported-0');
}

async function lookAtPages(visitor: Visitor, code: string): Promise<void> {
  const link = `/links/${code}`;
  const paths = ['/links', link, `${link}/qr.svg`, '/links/export.csv'];
  for (const path of [...paths, '/keys', '/account']) expect((await visitor.get(path)).status, path).toBe(200);
  await visitor.post(link, { title: 'http://127.0.0.1:29999/' });
}

async function removeLinks(api: string, key: string, codes: string[]): Promise<void> {
  for (const code of codes) {
    const answer = await fetch(`${api}/api/v1/urls/${code}`, { method: 'DELETE', headers: { 'X-API-Key': key } });
    expect(answer.status).toBe(204);
  }
}
