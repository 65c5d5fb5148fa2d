import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createChecker, DOCUMENT, ENDPOINTS, OPERATIONS } from '../support/described.ts';
import { raw } from '../support/raw.ts';
import { post, serviceForFile, serviceForTest } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('the OpenAPI document', () => {
  it('passes every rule of the linter in redocly.yaml', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terse-openapi-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(DOCUMENT));
    const linter = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const args = [linter, 'lint', file, '--format=json', '--config', join(ROOT, 'redocly.yaml')];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch((error) => error);
    rmSync(folder, { recursive: true });
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  }, 60_000);

  it('contains every endpoint under /api', () => {
    const paths = ENDPOINTS.filter(({ path }) => path.startsWith('/api')).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(OPERATIONS.map(({ name }) => name)).toEqual(expect.arrayContaining(paths));
  });

  it('is readable without a key, and contains the address of the service', async () => {
    const terse = await serviceForTest({ TERSE_BASE_URL: 'https://terse.example' });
    const response = await terse.ask('/openapi.json');
    expect(await response.json()).toEqual({
      ...DOCUMENT,
      info: { ...(DOCUMENT as unknown as { info: object }).info, version: '0.0.0-test' },
      servers: [{ url: 'https://terse.example', description: 'This service.' }],
    });
  });

  it('has examples of each request body, which the service accepts', async () => {
    const terse = await serviceForTest({ TERSE_THROTTLE: '1000' });
    const key = await terse.newKey();
    await terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/', shortCode: 'mine' }));
    for (const { method, template, operation } of OPERATIONS) {
      const schema = operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
      if (schema === undefined) continue;
      const examples = DOCUMENT.components.schemas[schema]?.examples ?? [];
      expect(examples, schema).not.toEqual([]);
      for (const body of examples) {
        const path = template.replace('{shortCode}', 'mine');
        expect((await terse.ask(path, { ...post(key, body), method })).ok, JSON.stringify(body)).toBe(true);
      }
    }
  });
});

// Other tests check every response with this checker.
it.each([
  ['an undocumented status', 302, {}],
  ['a missing field', 200, { name: 'Terse' }],
  ['an error without a code', 404, { error: 'No.' }],
])('a response with %s differs from the OpenAPI document', async (_, status, body) => {
  const response = Response.json(body, { status });
  await expect(createChecker(DOCUMENT)('GET', '/api', null, response)).rejects.toThrow();
});

const terse = serviceForFile();

describe('the documentation page', () => {
  it('has no inline scripts and loads nothing from other hosts', async () => {
    const response = await terse.ask('/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const page = await response.text();
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|https?:\/\//);
  });

  it('serves every file that it loads, compressed and plain, and revalidates them', async () => {
    const page = await (await terse.ask('/docs')).text();
    const files = [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(new Set(files).size).toBe(6);
    for (const path of new Set(files)) {
      const compressed = await terse.ask(path, { headers: { 'Accept-Encoding': 'br, gzip' } });
      const plain = await terse.ask(path, { headers: { 'Accept-Encoding': 'gzip;q=0' } });
      expect([compressed.status, plain.status], path).toEqual([200, 200]);
      expect(compressed.headers.get('content-encoding'), path).toBe('gzip');
      expect(plain.headers.get('content-encoding'), path).toBeNull();
      expect(await compressed.text(), path).toBe(await plain.text());
      const etag = plain.headers.get('etag') ?? '';
      const again = await terse.ask(path, { headers: { 'If-None-Match': etag } });
      expect([again.status, await again.text()], path).toEqual([304, '']);
    }
  });

  it.each([
    '/docs/package.json',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/',
    '/docs/a/b',
  ])('answers 404 for %s', async (path) => {
    expect((await terse.ask(path)).status).toBe(404);
  });

  it('serves no files outside its folder', async () => {
    const text = 'GET /docs/../package.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await raw(terse.service.addresses.api, text)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each(['/docs', '/docs/reference.js'])('%s answers HEAD, and other methods with 405', async (path) => {
    const head = await terse.ask(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const response = await fetch(terse.service.addresses.api + path, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
