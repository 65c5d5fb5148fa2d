import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createUploads,
  readUploadForm,
  TooManyUploads,
  type Upload,
} from '../../src/dashboard/imports/receive-upload.ts';
import type { PageContext } from '../../src/dashboard/page-definition.ts';

const MB = 1024 * 1024;

let folder: string;
let server: Server;
let base: string;
/** Pending uploads that the service may delete to make room. */
let waiting: Upload[];
let received: (Upload | null | Error)[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terse-uploads-'));
  waiting = [];
  const makeRoom = async () => {
    const oldest = waiting.shift();
    await oldest?.close();
    return oldest !== undefined;
  };
  const uploads = createUploads({ uploadDirectory: folder, extendDeadline: () => {} }, 3 * MB, makeRoom);
  received = [];
  server = createServer(async (incoming, response) => {
    const req = { header: (name: string) => incoming.headers[name.toLowerCase()] };
    const context = { env: { incoming }, req } as unknown as PageContext;
    const result = await uploads.receive(context).catch((error: Error) => error);
    received.push(result);
    response.end(result instanceof Error ? result.name : 'received');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const one of received) if (one && !(one instanceof Error)) await one.close();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function send(content: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([content]), 'links.csv');
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  return (await fetch(base, { method: 'POST', body })).text();
}

/** Returns the upload files on disk, including unlinked files that are still open. */
function filesOfImports(): string[] {
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return [...open.filter((path) => path.startsWith(folder)), ...readdirSync(folder)];
}

describe('an upload', () => {
  it('is an unlinked file, which is deleted when it is closed', async () => {
    expect(await send('url\nhttps://example.com/\n', { again: 'yes' })).toBe('received');
    const [upload] = received as [Upload];
    expect(upload).toMatchObject({ name: 'links.csv', fields: new Map([['again', 'yes']]), size: 25 });
    expect((await upload.read(4, 1000)).toString()).toBe('https://example.com/\n');
    expect(filesOfImports()).toEqual([expect.stringMatching(/\.upload-.* \(deleted\)$/)]);
    await upload.close();
    received = [];
    expect(filesOfImports()).toEqual([]);
  });

  it('is received completely, for any content', async () => {
    const bytes = Uint8Array.from({ length: 2 * MB }, (_, at) => (at * 7919) % 251);
    await send(bytes);
    const [upload] = received as [Upload];
    expect(Buffer.compare(await upload.read(0, upload.size), Buffer.from(bytes))).toBe(0);
  });

  it('is refused while all uploads together exceed the limit', async () => {
    await send('x'.repeat(2 * MB));
    expect(await send('x'.repeat(2 * MB))).toBe('TooManyUploads');
    expect(await send('x'.repeat(MB / 2))).toBe('received');
    await (received[0] as Upload).close();
    expect(await send('x'.repeat(2 * MB))).toBe('received');
    expect(received[1]).toBeInstanceOf(TooManyUploads);
  });

  it('replaces a pending upload if there is no room', async () => {
    await send('x'.repeat(2 * MB));
    waiting.push(received[0] as Upload);
    expect(await send('x'.repeat(2 * MB))).toBe('received');
    expect(waiting).toEqual([]);
    await expect((received[0] as Upload).read(0, 1)).rejects.toThrow();
    received.shift();
  });

  it('without Content-Length is refused when all uploads together exceed the limit', async () => {
    const grow = (chunks: number) =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        async start(controller) {
          const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
          controller.enqueue(new TextEncoder().encode(head));
          for (let at = 0; at < chunks; at += 1) controller.enqueue(new Uint8Array(MB / 2));
          controller.close();
        },
      });
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const answer = await fetch(base, { method: 'POST', headers, body: grow(8), duplex: 'half' } as RequestInit);
    expect(await answer.text()).toBe('TooManyUploads');
    expect(filesOfImports()).toEqual([]);
    // The bytes of aborted uploads no longer count.
    expect(await send('x'.repeat(2 * MB))).toBe('received');
  });

  it.each<[string, string, string]>([
    ['no form', 'text/csv', 'url\n'],
    ['a form without a boundary', 'multipart/form-data', 'url\n'],
    [
      'an incomplete form',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nurl',
    ],
    [
      'a form without a file',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--\r\n',
    ],
    ['nonsense', 'multipart/form-data; boundary=b', 'nonsense'],
    ['nothing', 'multipart/form-data; boundary=b', ''],
  ])('of %s is refused and leaves no file', async (_, type, body) => {
    await fetch(base, { method: 'POST', headers: { 'Content-Type': type }, body });
    expect(received).toEqual([null]);
    expect(filesOfImports()).toEqual([]);
  });

  it('of a client that disconnects is discarded and leaves no file', async () => {
    const hangUp = new AbortController();
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          new TextEncoder().encode('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nurl\n'),
        ),
    });
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const sent = fetch(base, { method: 'POST', headers, body, signal: hangUp.signal, duplex: 'half' } as RequestInit);
    while (filesOfImports().length === 0) await pause(5);
    hangUp.abort();
    await sent.catch(() => {});
    while (received.length === 0) await pause(5);
    expect(received).toEqual([null]);
    expect(filesOfImports()).toEqual([]);
  });

  it('fails with the disk’s error if the disk is full', async () => {
    // Every write to this device fails as on a full disk.
    const full = await open('/dev/full', 'r+');
    async function* body() {
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n');
      for (let at = 0; at < 100; at += 1) yield Buffer.alloc(64 * 1024);
    }
    const end = readUploadForm(body(), 'multipart/form-data; boundary=b', full);
    await expect(end).rejects.toMatchObject({ code: 'ENOSPC' });
    await full.close();
  });
});
