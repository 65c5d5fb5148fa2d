import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { ERROR_STATUS } from '@terse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { awayFromMidnight } from './support/clock.ts';
import { compareAnswer, examplesOf } from './support/guide.ts';
import type { ServeProcess } from './support/process.ts';
import { installPackage } from './support/program.ts';
import { serviceForFile } from './support/service.ts';
import { folderForFile } from './support/test-folder.ts';

const GUIDE = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const EXAMPLES = examplesOf(GUIDE);

const folder = folderForFile();
let serving: ServeProcess;
let environment: Record<string, string | undefined>;
beforeAll(async () => {
  provideCurl();
  await awayFromMidnight();
  serving = await folder.serve({
    TERSE_BASE_URL: 'https://terse.example',
    TERSE_SHORT_BASE_URL: 'https://t.example',
  });
  const quick = ['--throttle', '1000', '--quota', '1000'];
  const { stdout } = await folder.run(['keys', 'create', '--name', 'laptop', ...quick]);
  environment = { ...process.env, TERSE: serving.addresses.api, KEY: stdout.trim() };
}, 10 * 60_000);

/** The examples use curl, which minimal systems lack. */
function provideCurl(): void {
  const isThere = () => spawnSync('curl', ['--version']).status === 0;
  if (!isThere()) installPackage('curl', (line) => process.stderr.write(`${line}\n`));
  if (!isThere()) throw new Error('The examples of docs/api.md need curl. Install it (sudo apt-get install curl).');
}

describe('docs/api.md', () => {
  it('has a response under every command', () => {
    expect(EXAMPLES.length).toBeGreaterThan(5);
    for (const { command, form } of EXAMPLES) expect(['json', 'http'], command).toContain(form);
  });

  // The examples run in order, because later examples use the links of earlier ones.
  it.each(EXAMPLES.map((example) => [example.command, example] as const))(
    'shows the actual response to %s',
    async (_, example) => {
      const options = { cwd: folder.path, env: environment };
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', example.command], options);
      compareAnswer(example, stdout);
    },
  );

  it('lists every error with its status', () => {
    const rows = [...GUIDE.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| [^|]+ \|$/gm)];
    expect(rows.map(([, code, status]) => [code, Number(status)])).toEqual(Object.entries(ERROR_STATUS));
  });
});

const PHONE_GUIDE = readFileSync(new URL('../../docs/phone.md', import.meta.url), 'utf8');

/** Returns the requests and scripts of a section of the guide. */
function recipeOf(heading: string): { requests: string[]; scripts: string[] } {
  const [, rest = ''] = PHONE_GUIDE.split(`\n## ${heading}\n`);
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
