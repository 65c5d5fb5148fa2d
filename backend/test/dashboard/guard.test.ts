import { beforeAll, describe, expect, it } from 'vitest';
import { parseAnswer, raw } from '../support/raw.ts';
import { ownerForFile, visit } from '../support/visitor.ts';

const { terse, ada } = ownerForFile();
beforeAll(async () => {
  await ada.post('/links', { url: 'https://example.com/', code: 'mine' });
});

const FORMS = [
  '/sign-in',
  '/sign-out',
  `/welcome/${'A'.repeat(43)}`,
  '/keys',
  '/keys/1',
  '/keys/1/revoke',
  '/links',
  '/links/mine',
  '/links/import',
  '/selection',
  '/selection/restore',
  '/account/password',
  '/account/delete',
  '/account/sessions/1/end',
  '/account/invitations',
  '/account/invitations/1',
];
const PAGES = [
  '/overview',
  '/links',
  '/links/new',
  '/links/mine',
  '/links/import',
  '/keys',
  '/account',
  '/links/export.csv',
];

describe('every form', () => {
  it.each(FORMS)('%s is refused unless a page of the dashboard sends it', async (path) => {
    const foreign: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: terse.service.addresses.api },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      {},
    ];
    for (const headers of foreign) {
      const answer = await ada.post(path, { url: 'https://example.com/' }, headers);
      expect([answer.status, JSON.stringify(headers)]).toEqual([403, JSON.stringify(headers)]);
      expect(await answer.text()).toContain('Nothing was changed');
    }
    expect(await ada.page('/links')).toContain('mine');
  });

  it('is accepted if the browser sends the correct Origin but no Sec-Fetch-Site', async () => {
    const headers = { Origin: terse.service.addresses.api };
    expect((await ada.post('/links', { url: 'https://example.com/' }, headers)).status).toBe(303);
  });

  it.each(FORMS.filter((path) => !/^\/(sign|welcome)/.test(path)))('%s needs a signed-in user', async (path) => {
    const answer = await visit(terse).post(path, { url: 'https://example.com/' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in(\?next=|$)/),
    ]);
  });

  it('has a maximum size', async () => {
    const answer = await ada.post('/links', { url: `https://example.com/${'x'.repeat(132_000)}` });
    expect(answer.status).toBe(413);
  });
});

describe('every page', () => {
  it.each(PAGES)('%s redirects to the sign-in page if no user is signed in', async (path) => {
    const answer = await visit(terse).get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
  });

  it.each([...PAGES, '/sign-in', '/nothing', '/links/unknown'])('%s has all security headers', async (path) => {
    const { headers } = await ada.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy.match(/default-src/g), 'one policy').toHaveLength(1);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('has no inline scripts or styles, which the content policy forbids', async () => {
    for (const path of PAGES.slice(0, 6)) {
      const html = await ada.page(path);
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i);
    }
  });

  it('has a button to sign out', async () => {
    for (const path of PAGES.slice(0, 7)) expect(await ada.page(path)).toMatch(/<form[^>]* action="\/sign-out"/);
  });

  it('hides passwords while they are typed, and allows password managers to fill them in', async () => {
    const pages = [await visit(terse).page('/sign-in'), await ada.page('/account')];
    const fields = pages.flatMap((html) => html.match(/<input[^>]*(?:current|password|again)"[^>]*>/g) ?? []);
    expect(fields).toHaveLength(4);
    for (const field of fields) {
      expect(field).toContain('type="password"');
      expect(field).toMatch(/autocomplete="(current|new)-password"/);
      expect(field).not.toContain('maxlength');
    }
  });

  it('responds to other methods with 405 and the allowed methods', async () => {
    const answer = await fetch(`${terse.service.addresses.api}/selection`, { headers: { Cookie: ada.cookie } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    const put = await fetch(`${terse.service.addresses.api}/keys`, {
      method: 'PUT',
      headers: { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    // TRACE changes nothing, so every site may send it. `fetch` does not support TRACE.
    const request = 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const trace = parseAnswer(await raw(terse.service.addresses.api, request));
    expect([trace.status, trace.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('that does not exist returns an HTML error to browsers and a JSON error to programs', async () => {
    const page = await ada.get('/nothing');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect((await terse.ask('/nothing')).headers.get('content-type')).toBe('application/json');
    expect((await ada.get('/api/nothing')).headers.get('content-type')).toBe('application/json');
  });
});

describe('files', () => {
  it('exist, come from this service and can be cached forever', async () => {
    const html = await ada.page('/links');
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(files).toHaveLength(6);
    const folder = files[0]?.replace(/[^/]*$/, '');
    for (const path of [
      ...files,
      `${folder}tokens.css`,
      `${folder}copy-buttons.js`,
      `${folder}click-chart.js`,
      `${folder}import-progress.js`,
    ]) {
      const answer = await visit(terse).get(path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(html).not.toMatch(/(?:src|href)="https?:\/\/(?!127\.0\.0\.1)/);
  });

  it('of another release, or outside the folder, are not found', async () => {
    for (const path of ['/assets/000000000000/base.css', '/assets/x/..%2f..%2fmain.ts']) {
      expect((await visit(terse).get(path)).status).toBe(404);
    }
  });
});
