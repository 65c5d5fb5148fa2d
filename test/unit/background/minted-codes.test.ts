import { beforeEach, describe, expect, test, vi } from 'vitest';
import { promisedShortUrl } from '../../../src/queue/codes.ts';
import type { AttemptResult } from '../../../src/servers/adapter.ts';
import { diskNow } from '../integration/sweep/disk-now.ts';
import { lost, NOW, refused, takesCodes } from '../queue/support/queue-builders.ts';
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
});

describe('a generated code that is taken', () => {
  test('fails its request visibly, and the next try has another code', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    refuses(worker, 'aaa');
    await worker.runOut();
    expect(worker.completed).toMatchObject([
      { links: [], stuck: [{ id: 'request-a', problem: { code: 'generated_code_taken' } }] },
    ]);
    expect(await shown(worker)).toEqual([null]);
    await worker.commands.retry('request-a');
    await worker.runOut();
    expect(worker.sent.map(({ body }) => JSON.parse(body).shortCode)).toEqual(['aaa', 'bbb']);
    expect(diskNow().links).toMatchObject([{ shortUrl: 'https://s.example/bbb' }]);
  });
});
