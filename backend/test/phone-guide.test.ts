import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForFile } from './support/service.ts';

const GUIDE = readFileSync(new URL('../../docs/phone.md', import.meta.url), 'utf8');

/** Returns the requests and scripts of a section of the guide. */
function recipeOf(heading: string): { requests: string[]; scripts: string[] } {
  const [, rest = ''] = GUIDE.split(`\n## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  const blocks = (form: string) =>
    [...section.matchAll(new RegExp(`^\`\`\`${form}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
  return { requests: blocks('http'), scripts: blocks('js') };
}

const terse = serviceForFile();
let key: string;
beforeAll(async () => {
  key = await terse.newKey({ throttle: 1000, quota: 1000, scopes: ['create'] });
});

/** Sends a request of the guide as it is printed, with a URL instead of the placeholder. */
async function send(request: string, placeholder: string, url: string): Promise<string> {
  const [head = '', body = ''] = request.trim().split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [method, address = ''] = line.split(' ');
  expect([method, new URL(address).host]).toEqual(['POST', 'links.example.com']);
  expect(body).toContain(placeholder);
  const fields = headers.map((header) => header.split(': ') as [string, string]);
  const answer = await terse.ask(new URL(address).pathname, {
    method: 'POST',
    // Shortcuts of iOS adds the content type of the chosen body.
    headers: { 'Content-Type': 'application/json', ...Object.fromEntries(fields), Authorization: `Bearer ${key}` },
    body: body.replace(placeholder, url),
  });
  expect(Object.fromEntries(fields).Authorization).toBe('Bearer YOUR_KEY');
  expect([200, 201]).toContain(answer.status);
  return answer.text();
}

const targetOf = async (shortUrl: unknown) => (await terse.visit(String(shortUrl))).headers.get('location');

describe('docs/phone.md', () => {
  it('has a working request for Shortcuts on iPhone and iPad', async () => {
    const { requests } = recipeOf('iPhone and iPad: Shortcuts');
    expect(requests).toHaveLength(1);
    const body = await send(requests[0] ?? '', 'SHARED_URL', 'https://example.com/otters?a=b');
    expect(await targetOf((JSON.parse(body) as { shortUrl: string }).shortUrl)).toBe('https://example.com/otters?a=b');
  });

  it.each([
    'https://example.com/a?b=c',
    'Look at this: https://example.com/a?b=c',
    'A title\nhttps://example.com/a?b=c "x"',
  ])('has scripts and a request for HTTP Shortcuts that work with %j', async (shared) => {
    const { requests, scripts } = recipeOf('Android: HTTP Shortcuts');
    expect([requests.length, scripts.length]).toEqual([1, 2]);
    const [variables, clipboard]: [Record<string, string>, string[]] = [{ shared }, []];
    const app = {
      getVariable: (name: string) => variables[name],
      setVariable: (name: string, value: string) => {
        variables[name] = value;
      },
      copyToClipboard: (text: string) => clipboard.push(text),
    };
    runInNewContext(scripts[0] ?? '', app);
    const body = await send(requests[0] ?? '', '{{url}}', variables.url ?? '');
    runInNewContext(scripts[1] ?? '', { ...app, response: { body } });
    expect(clipboard).toHaveLength(1);
    expect(await targetOf(clipboard[0])).toBe('https://example.com/a?b=c');
  });
});
