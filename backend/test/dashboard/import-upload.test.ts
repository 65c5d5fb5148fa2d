import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { importFile, preview } from '../support/imports.ts';
import { raw, talk } from '../support/raw.ts';
import { serviceForFile } from '../support/service.ts';
import { holder, ownerForFile } from '../support/visitor.ts';

/** Timeouts in milliseconds. A slow machine may stall for a second or two, so the timeouts are longer. */
const SHORT = { headers: 3000, request: 3000, check: 20 };
/** Time between two chunks of a slow upload, in milliseconds. */
const PAUSE = 300;

const { terse, ada } = ownerForFile();
/** Service with short timeouts, to keep the test fast. */
const impatient = serviceForFile({}, SHORT);

const FORM = 'Content-Type: multipart/form-data; boundary=b\r\n';
const FROM_HERE = 'Sec-Fetch-Site: same-origin\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

const head = (path: string, ...headers: string[]) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('')}\r\n`;
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const formOf = (content: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="slow.csv"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n--b--\r\n`;

/** Sends a body in chunks, more slowly than the timeout of a request allows. Returns the response. */
async function trickle(start: string, pieces: string[]): Promise<string> {
  const { socket, heard, closed } = talk(impatient.service.addresses.api, start);
  socket.on('data', () => socket.end());
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece);
    await pause(PAUSE);
  }
  await closed;
  return heard.text;
}

const pieces = (text: string) => [...(text.match(/.{1,20}/gs) ?? [])];

describe('an endless body', () => {
  it.each([
    ['without a session', '/links/import', [FROM_HERE], '303'],
    ['from another site', '/links/import', ['Sec-Fetch-Site: cross-site\r\n'], '403'],
    ['of a form without a session', '/links', [FROM_HERE], '303'],
  ])('%s is refused before it is read', async (_, path, headers, status) => {
    const start = head(path, ...headers, FORM, CHUNKED);
    const answer = await raw(terse.service.addresses.api, start + chunk('x'.repeat(4096)));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it.each([
    ['a file', '/links/import', 33],
    ['another form', '/links', 1],
  ])('sent as %s is refused when it grows too large', async (_, path, megabytes) => {
    const start = head(path, FROM_HERE, FORM, CHUNKED, `Cookie: ${ada.cookie}\r\n`);
    const answer = await raw(terse.service.addresses.api, start + chunk('x'.repeat(1024 * 1024)).repeat(megabytes));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });
});

it('a file that is announced as too large is refused', async () => {
  const length = `Content-Length: ${33 * 1024 * 1024}\r\n`;
  const start = head('/links/import', FROM_HERE, FORM, length, `Cookie: ${ada.cookie}\r\n`);
  expect(await raw(terse.service.addresses.api, start)).toMatch(/^HTTP\/1.1 413 /);
});

// These tests mostly wait, so they run concurrently. Each test has its own account.
describe.concurrent('a slow connection', () => {
  const body = formOf(`url\n${'https://example.com/\n'.repeat(15)}`);

  it.each([
    ['a form', '/sign-in'],
    ['a file without a session', '/links/import'],
  ])('is closed if it sends %s', async (_, path) => {
    const length = `Content-Length: ${body.length}\r\n`;
    const answer = await trickle(head(path, FROM_HERE, FORM, length), pieces(body));
    expect(answer).toMatch(/^(HTTP\/1.1 (408|303) |$)/);
  });

  it('is closed if the file stalls', async () => {
    const grace = await holder(impatient, 'Grace');
    const headers = [FROM_HERE, FORM, `Content-Length: ${body.length}\r\n`, `Cookie: ${grace.cookie}\r\n`];
    const answer = await trickle(head('/links/import', ...headers), pieces(body).slice(0, 3));
    expect(answer).toMatch(/^(HTTP\/1.1 408 |$)/);
    // After the stalled upload was closed, the account can upload another file immediately.
    await preview(grace, 'url\nhttps://example.com/last\n');
  });
});

it('one of three simultaneous uploads is accepted', async () => {
  const eve = await holder(terse, 'Eve');
  const file = (name: string) =>
    `url\n${Array.from({ length: 20_000 }, (_, at) => `https://example.com/${name}/${at}\n`).join('')}`;
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => eve.upload('/links/import', `${name}.csv`, file(name))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const refused = answers.find(({ status }) => status === 400);
  expect(await refused?.text()).toContain('Another import is still running.');
});

it('the next file is accepted while the oldest imports are being deleted', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  vi.spyOn(terse.store.imports, 'forget').mockReturnValueOnce(promise);
  await importFile(ada, ONE_LINK);
  const { status } = await ada.upload('/links/import', 'next.csv', ONE_LINK);
  resolve(false);
  expect(status).toBe(200);
});

/** Starts uploads of four accounts that send `bytes` of their file, and no more. */
async function stall(names: string[], bytes: number): Promise<Socket[]> {
  const start = async (name: string) => {
    const { cookie } = await holder(terse, name);
    const headers = [FROM_HERE, FORM, `Content-Length: ${bytes + 1}\r\n`, `Cookie: ${cookie}\r\n`];
    const { socket } = talk(terse.service.addresses.api, head('/links/import', ...headers));
    await new Promise((written) => socket.write(Buffer.alloc(bytes, 'x'), written));
    return socket;
  };
  return Promise.all(names.map(start));
}

const ONE_LINK = 'url\nhttps://example.com/\n';

it('slow uploads do not keep another account from an upload', async () => {
  const sockets = await stall(['One', 'Two', 'Three', 'Four'], 1000);
  const fifth = await holder(terse, 'Five');
  await preview(fifth, ONE_LINK);
  for (const socket of sockets) socket.destroy();
});

it('a process holds at most 128 MB of files', async () => {
  const stillHeldOfLastTest = 4 * 1000;
  const bytes = 32 * 1024 * 1024 - stillHeldOfLastTest;
  const served = new Set<Socket>();
  subscribe('http.server.request.start', (message) => served.add((message as { socket: Socket }).socket));
  const sockets = await stall(['Six', 'Seven', 'Eight', 'Nine'], bytes);
  // A file that arrives before the last bytes of the others would be accepted, and one of the others refused.
  await expect.poll(() => [...served].filter(({ bytesRead }) => bytesRead > bytes).length).toBe(4);
  const tenth = await holder(terse, 'Ten');
  const send = () => tenth.upload('/links/import', 'links.csv', `url\n${'https://example.com/\n'.repeat(1_000)}`);
  const refused = await send();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('Retry-After')).toBe('60');
  expect(await refused.text()).toContain('Too many files are being imported right now.');
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send()).status).toBe(200);
});

it.each([
  ['no file', '--b--\r\n', 'Choose a file.'],
  ['no chosen file', formOf('').replace('slow.csv', ''), 'Choose a file.'],
  ['an empty file', formOf(''), 'This file is empty.'],
  ['another field', formOf('url').replace('name="file"', 'name="other"'), 'Choose a file.'],
  [
    'very many fields',
    `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(500_000)}--b--\r\n`,
    'Choose a file.',
  ],
])('a form with %s is refused', async (_, body, problem) => {
  const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const headers = { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin', ...type };
  const answer = await fetch(`${terse.service.addresses.api}/links/import`, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(problem)]);
});
