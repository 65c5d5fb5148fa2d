import { readFileSync } from 'node:fs';
import { HEADER } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { importFile, type LinkOutcome, outcome, problems } from '../support/imports.ts';
import { holder, ownerForEach, textOf } from '../support/visitor.ts';

const folder = new URL('../fixtures/imports/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));
const sample = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));

const { terse, ada } = ownerForEach();

/** Sends GET and HEAD requests to a path, encoded as a browser encodes it. */
async function follow(path: string): Promise<[number, string | null]> {
  const url = new URL(path, terse.service.addresses.short).href;
  const [head, get] = [await terse.visit(url, { method: 'HEAD' }), await terse.visit(url)];
  expect([head.status, head.headers.get('location')]).toEqual([get.status, get.headers.get('location')]);
  return [get.status, get.headers.get('location')];
}

describe('an imported link', () => {
  it.each([
    'shlink-web-client-short_urls.csv',
    'dub-export-default-columns.csv',
    'bitly-api-v4-group-bitlinks.json',
    'kutt-api-links-postgres.json',
    'lynx-export.json',
  ])('with %s redirects as before', async (name) => {
    const links = (expected[name].links as LinkOutcome[]).filter(({ problem }) => !problem);
    const codes = new Set(links.map(({ code }) => code));
    const html = await importFile(ada, sample(name), name);
    expect(outcome(html)['New links']).toBe(String(codes.size));
    for (const wanted of codes) {
      // If several links have the same short code, the first one is imported.
      const { url, expiresAt } = links.find(({ code }) => code === wanted) as LinkOutcome;
      const isExpired = expiresAt && Date.parse(expiresAt) < terse.clock.now;
      expect(await follow(`/${wanted}`), String(wanted)).toEqual(
        isExpired ? [410, null] : [302, new URL(url ?? '').href],
      );
    }
  });

  it('of one character counts its clicks, and can be edited and deleted on the dashboard', async () => {
    await importFile(
      ada,
      'shortCode,url\na,https://a.example/\nteam/plan,https://plan.example/\nimport,https://i.example/\n',
    );
    for (const code of ['a', 'team/plan', 'import']) {
      await terse.visit(`/${code}`);
      const address = `/links/%2F${encodeURIComponent(code)}`;
      expect(await ada.page('/links')).toContain(`href="${address}"`);
      const html = await ada.page(address);
      expect(html).toContain(`href="${terse.service.addresses.shortBaseUrl}/${code}"`);
      expect((await ada.get(`${address}/qr.svg`)).headers.get('content-disposition')).toContain('attachment');
      const edited = await ada.post(address, { url: `https://new.example/${code}`, title: '', expiresAt: '' });
      expect([edited.status, edited.headers.get('location')]).toEqual([303, `${address}?done=saved`]);
      expect(await follow(`/${code}`)).toEqual([302, `https://new.example/${code}`]);
      const deleted = await ada.post('/selection', { code, action: 'delete' });
      expect(textOf(await ada.page(deleted.headers.get('location') ?? ''))).toMatch(/\d links? (was|were) deleted/);
      expect((await follow(`/${code}`))[0]).toBe(410);
    }
  });

  it('is shown, listed and deleted by the API', async () => {
    const codes = ['a', 'team/2026/plan', '🚀', 'x.pdf'];
    await importFile(ada, `shortCode,url\n${codes.map((code) => `${code},https://x.example/`).join('\n')}\n`);
    const headers = { [HEADER.apiKey]: await terse.newKey() };
    const list = (await (await terse.ask('/api/v1/urls?limit=1', { headers })).json()) as { nextCursor: string };
    expect((await terse.ask(`/api/v1/urls?cursor=${encodeURIComponent(list.nextCursor)}`, { headers })).status).toBe(
      200,
    );
    for (const code of codes) {
      const path = `/api/v1/urls/${encodeURIComponent(code)}`;
      const link = (await (await terse.ask(path, { headers })).json()) as { shortCode: string; shortUrl: string };
      expect(link.shortCode).toBe(code);
      expect((await terse.visit(link.shortUrl)).status).toBe(302);
      expect((await terse.ask(path, { method: 'DELETE', headers })).status).toBe(204);
    }
  });
});

describe('a reserved word', () => {
  const file =
    'shortCode,url\ndocs,https://docs.example/\nlogin/now,https://login.example/\n.well-known/x,https://w.example/\n';

  it('can be the code of a link that the owner imports', async () => {
    expect(problems(await importFile(ada, file)).map(([, code]) => code)).toEqual(['.well-known/x']);
    expect(await follow('/docs')).toEqual([302, 'https://docs.example/']);
  });

  it('cannot be imported by other accounts', async () => {
    const html = await importFile(await holder(terse, 'Grace'), file);
    expect(problems(html).map(([, code]) => code)).toEqual(['docs', 'login/now', '.well-known/x']);
  });
});
