import { BatchAnswer, ErrorBody, INVALID_URL_MESSAGE, Link, ShortenAnswer } from '@terse/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile, problems } from '../support/imports.ts';
import { post, startTestService, type TestService } from '../support/service.ts';
import { holder, textOf, type Visitor } from '../support/visitor.ts';

let terse: TestService;
let key: string;
let ada: Visitor;
beforeAll(async () => {
  terse = await startTestService({
    TERSE_THROTTLE: '1000',
    TERSE_DAILY_QUOTA: '1000',
    TERSE_ALLOW_PRIVATE_TARGETS: 'true',
  });
  key = await terse.newKey();
  ada = await holder(terse);
  await ada.post('/links', { url: 'https://example.com/', code: 'edited' });
  await ask('/api/v1/urls', { url: 'https://example.com/', shortCode: 'patched' });
});
afterAll(() => terse.stop());

function ask(path: string, body: unknown, method = 'POST'): Promise<Response> {
  terse.clock.now += 1000;
  return terse.ask(path, { ...post(key, body), method });
}
const imports = Array.from({ length: 100 }).keys();
const csvCell = (text: string) => `"${text}"`;

type Result = { url: string } | { refused: string };

async function apiResult(response: Response): Promise<Result> {
  const body = await response.json();
  return response.ok ? { url: Link.parse(body).url } : { refused: ErrorBody.parse(body).error };
}

const target = async (code: string, account = 1) => (await terse.store.links.find(account, code))?.url ?? '';

/** Every entrance of the service for a long URL. Each returns the stored URL or the message. */
const ENTRANCES: [string, (url: string) => Promise<Result>][] = [
  [
    'POST /api/shorten',
    async (url) => {
      const response = await ask('/api/shorten', { url });
      const body = await response.json();
      if (!response.ok) return { refused: ErrorBody.parse(body).error };
      return { url: (await terse.visit(ShortenAnswer.parse(body).shortUrl)).headers.get('location') ?? '' };
    },
  ],
  ['POST /api/v1/urls', async (url) => apiResult(await ask('/api/v1/urls', { url }))],
  [
    'POST /api/v1/urls/batch',
    async (url) => {
      const answer = await ask('/api/v1/urls/batch', { urls: [{ url }] });
      const [result] = BatchAnswer.parse(await answer.json()).results;
      return result && 'link' in result ? { url: result.link.url } : { refused: result?.error ?? '' };
    },
  ],
  ['PATCH /api/v1/urls/{shortCode}', async (url) => apiResult(await ask('/api/v1/urls/patched', { url }, 'PATCH'))],
  ['the form for new links', async (url) => formResult(await ada.post('/links', { url }))],
  ['the form for edits', async (url) => formResult(await ada.post('/links/edited', { url, title: '', expiresAt: '' }))],
  [
    'an import',
    async (url) => {
      const code = `import-${imports.next().value}`;
      const html = await importFile(ada, `code,url\n${code},${csvCell(url)}\n`);
      const [problem] = problems(html);
      return problem ? { refused: problem.join(' ') } : { url: await target(code) };
    },
  ],
];

async function formResult(response: Response): Promise<Result> {
  if (response.status !== 303) return { refused: textOf(await response.text()) };
  const path = response.headers.get('location') ?? '';
  return { url: await target(new URLSearchParams(path.split('?')[1]).get('made') ?? 'edited') };
}

describe.each(ENTRANCES)('%s', (_entrance, send) => {
  it.each([
    'https://a.example/\nhttps://b.example/',
    'https://a.example/\r\nhttps://b.example/',
    'https://a.example/\thttps://b.example/',
    'https://a.example/x\ty',
    'https://a.exa\nmple/',
    'ht\ntps://a.example/',
  ])('refuses a URL with a line break or tab: %j', async (url) => {
    expect(await send(url)).toEqual({ refused: expect.stringContaining(INVALID_URL_MESSAGE) });
  });

  it.each([
    ['\t https://a.example/x\r\n', 'https://a.example/x'],
    ['\u00a0https://a.example/x\u00a0', 'https://a.example/x'],
    ['\ufeffhttps://a.example/x\u200b', 'https://a.example/x'],
    ['https://a.example/Annual Report!', 'https://a.example/Annual%20Report!'],
    ['http://wiki/Home', 'http://wiki/Home'],
  ])('stores %j without the white space around it', async (url, stored) => {
    expect(await send(url)).toEqual({ url: stored });
  });
});

it.each(['https://a.example/ https://b.example/', 'https://a.example/ b.example/x'])(
  'a form refuses two URLs, which browsers paste with a space between them: %s',
  async (url) => {
    const answer = await ada.post('/links', { url });
    expect([answer.status, textOf(await answer.text())]).toEqual([400, expect.stringContaining(INVALID_URL_MESSAGE)]);
  },
);
