import { describe, expect, it } from 'vitest';
import { raw } from '../support/raw.ts';
import { serviceForFile } from '../support/service.ts';

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
