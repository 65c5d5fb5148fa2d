import { beforeEach, describe, expect, test, vi } from 'vitest';
import { promisedShortUrl } from '../../../src/queue/short-code-generator.ts';
import type { AttemptResult } from '../../../src/services/service-adapter.ts';
import { diskNow } from '../integration/sweep/disk-now.ts';
import { lost, MINUTE, NOW, refused, takesCodes } from '../queue/support/queue-builders.ts';
import { freshDisk } from '../support/disk.ts';
import { answeredBy, created, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const CONNECTION = { ...takesCodes(), serviceReadAt: NOW };

async function connected(): Promise<TestWorker> {
  const worker = new TestWorker();
  await worker.connect(CONNECTION);
  worker.send = async ({ body }) => makes(JSON.parse(body).shortCode);
  return worker;
}

const makes = (code = 'own'): AttemptResult => created([code]);
/** Simulates a service that has already given these short codes to another user. */
const refuses = (worker: TestWorker, ...codes: string[]) => {
  worker.send = async (attempt) => {
    const { shortCode } = JSON.parse(attempt.body);
    return codes.includes(shortCode) ? answeredBy(attempt, refused('short_code_taken')) : makes(shortCode);
  };
};
const shown = async (worker: TestWorker) => {
  const { requests, connection } = await worker.queue();
  return requests.map((request) => promisedShortUrl(request, connection));
};

describe('a waiting request', () => {
  test('has its short URL as soon as it is accepted, and keeps it when it is sent', async () => {
    const worker = await connected();
    worker.online = false;
    await worker.accept('request-a');
    await worker.runOut();
    expect(await shown(worker)).toEqual(['https://s.example/aaa']);
    const later = new TestWorker();
    later.send = worker.send;
    expect(await shown(later)).toEqual(['https://s.example/aaa']);
    await later.runOut();
    expect(diskNow().links).toMatchObject([{ id: 'request-a', shortUrl: 'https://s.example/aaa' }]);
  });

  test('uses the same code and idempotency key again if its response was lost', async () => {
    const worker = await connected();
    worker.send = async () => lost();
    await worker.accept('request-a');
    await worker.runner.run();
    expect(await shown(worker)).toEqual(['https://s.example/aaa']);
    worker.send = async () => makes('aaa');
    await worker.commands.retry('request-a');
    await worker.runOut();
    expect(worker.sent.length).toBeGreaterThan(1);
    expect(new Set(worker.sent.map(({ body, idempotencyKey }) => body + idempotencyKey)).size).toBe(1);
    expect(diskNow().links).toMatchObject([{ shortUrl: 'https://s.example/aaa' }]);
  });

  test('of a private window has a short URL too, and nothing of it is stored on disk', async () => {
    const worker = await connected();
    await worker.shorten({ id: 'request-p' }, { private: true });
    expect(await shown(worker)).toEqual(['https://s.example/aaa']);
    await worker.commands.handedOut('c', 'request-p', 'https://s.example/aaa');
    expect((await worker.requests())[0]?.handedOut).toBe('https://s.example/aaa');
    expect(diskNow().requests).toEqual([]);
  });
});

describe('a short URL that the user copied early', () => {
  test('is recorded with the request, which then shows that the user has it', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    await worker.commands.handedOut('c', 'request-a', 'https://s.example/aaa');
    await worker.runOut();
    expect(worker.completed).toMatchObject([{ links: [{ handedOut: true }], renamed: [] }]);
    const [link] = diskNow().links;
    expect(link).not.toHaveProperty('replaces');
  });

  test('is reported immediately if it is taken, and recorded with the link that gets another short URL', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    await worker.commands.handedOut('c', 'request-a', 'https://s.example/aaa');
    refuses(worker, 'aaa');
    await worker.runner.run();
    expect(await shown(worker)).toEqual(['https://s.example/bbb']);
    expect(worker.completed).toMatchObject([
      { links: [], stuck: [], renamed: [{ id: 'request-a', handedOut: 'https://s.example/aaa' }] },
    ]);
    await worker.runOut();
    expect(diskNow().links).toMatchObject([{ shortUrl: 'https://s.example/bbb', replaces: 'https://s.example/aaa' }]);
  });

  test('is reported, but a taken short URL that was not copied is replaced silently', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    refuses(worker, 'aaa');
    await worker.runOut();
    expect(worker.completed.flatMap(({ renamed }) => renamed)).toEqual([]);
    const [link] = diskNow().links;
    expect(link).toMatchObject({ shortUrl: 'https://s.example/bbb' });
    expect(link).not.toHaveProperty('replaces');
  });

  test('is replaced by a short URL that the service chooses after two codes were taken', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    await worker.commands.handedOut('c', 'request-a', 'https://s.example/aaa');
    refuses(worker, 'aaa', 'bbb');
    await worker.runOut();
    expect(worker.sent.map(({ body }) => JSON.parse(body).shortCode)).toEqual(['aaa', 'bbb', undefined]);
    expect(worker.time.now - NOW).toBeLessThan(MINUTE);
    expect(diskNow().links).toMatchObject([{ shortUrl: 'https://s.example/own', replaces: 'https://s.example/aaa' }]);
  });

  test("is recorded even after the link was created, if the link's short URL differs", async () => {
    const worker = await connected();
    await worker.accept('request-a');
    await worker.runOut();
    await worker.commands.handedOut('c', 'request-a', 'https://s.example/aaa');
    expect(diskNow().links[0]).not.toHaveProperty('replaces');
    await worker.commands.handedOut('c', 'request-a', 'https://s.example/gone');
    expect(diskNow().links).toMatchObject([{ shortUrl: 'https://s.example/aaa', replaces: 'https://s.example/gone' }]);
  });
});
