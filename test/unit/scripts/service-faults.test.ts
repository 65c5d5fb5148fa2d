import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { recordRun, type Sabotage } from '../../../scripts/torture/service-faults/record-run.ts';
import { tempFolder } from '../../e2e/harness/folders.ts';
import { listen } from '../../e2e/harness/listen.ts';

// With this seed, the service is killed twice, then suspended, then its clock shows midnight.
const SEED = 122;

/** Time limit in milliseconds. A busy machine needs long to start the service again. */
const TIMEOUT = 240_000;

/** Records a run with a real service and lets the checker judge it, as `npm run check-history FILE` does. */
async function recordAndCheck(faults: number, sabotage?: Sabotage) {
  const file = join(tempFolder('history'), 'calls.jsonl');
  writeFileSync(file, '');
  const text = await recordRun({ database: 'sqlite', seed: SEED, faults, file, ...(sabotage && { sabotage }) });
  const outcome = ({ code = 0, stdout = '' }: { code?: number; stdout?: string }) => ({ code, stdout });
  const checked = promisify(execFile)(process.execPath, ['scripts/check-request-history.ts', file]);
  return { text, ...(await checked.then(outcome, outcome)) };
}

describe.concurrent('the history of a service under faults', { timeout: TIMEOUT }, () => {
  test('shows that the service keeps its promises', async () => {
    const { text, code, stdout } = await recordAndCheck(4);
    expect(stdout).toMatch(/^Run 1, sqlite, seed \d+: calls: .*\nAll rules hold\.\n$/);
    expect(code).toBe(0);
    for (const fault of ['kill', 'suspend', 'clock']) expect(text).toContain(`"fault":"${fault}"`);
    expect(text).toContain('"error":"quota_exceeded"');
    // Each link was clicked before the last reading.
    expect(text).not.toContain('"clicks":0');
  });

  test('shows doubled requests, lost clicks, wrong redirects and a quota that is too high', async () => {
    const { code, stdout } = await recordAndCheck(1, { extraQuota: 60, openProxy: openBrokenProxy });
    for (const rule of ['links', 'one-link-per-request', 'quota', 'clicks'])
      expect(stdout).toContain(`BROKEN ${rule}: `);
    expect(stdout).toMatch(/BROKEN links: .* leads to .*, but a click to https:\/\/example\.net\/\./);
    expect(stdout).toMatch(/\nViolations: \d+\.\n$/);
    expect(code).toBe(1);
  });
});

/** Each click whose number is a multiple of this becomes a HEAD request, which the service does not count. */
const LOST_CLICK = 3;

/** Each click whose number is a multiple of this is redirected to another address. */
const MISLED_CLICK = 5;

/** Starts a proxy that sends each request for links twice, without idempotency, and loses or redirects some clicks. */
const openBrokenProxy: Sabotage['openProxy'] = async ({ api, short }) => {
  const doubling = await serve(async (received, response) => {
    const body = await buffer(received);
    const { 'idempotency-key': key, ...headers } = received.headers;
    const method = received.method ?? '';
    if (method === 'POST')
      await forward(api, received, method, { ...headers, 'idempotency-key': `${key}-again` }, body);
    respond(response, await forward(api, received, method, received.headers, body));
  });
  let clicks = 0;
  const losing = await serve(async (received, response) => {
    clicks += 1;
    const method = clicks % LOST_CLICK === 0 ? 'HEAD' : 'GET';
    const reply = await forward(short, received, method, received.headers);
    if (clicks % MISLED_CLICK === 0) reply.headers.location = 'https://example.net/';
    respond(response, reply);
  });
  return {
    api: doubling.origin,
    short: losing.origin,
    close: async () => void (await Promise.all([doubling.close(), losing.close()])),
  };
};

interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function forward(
  target: string,
  { url = '/' }: IncomingMessage,
  method: string,
  headers: IncomingMessage['headers'],
  body = Buffer.alloc(0),
): Promise<Reply> {
  const options = { method, headers: { ...headers, host: new URL(target).host } };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url, target), options, (answer) => {
      const { statusCode: status = 502, headers } = answer;
      buffer(answer).then((body) => resolve({ status, headers, body }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

function respond(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body);
}

/** Starts a server. If the handler fails, the connection breaks. */
function serve(handle: (received: IncomingMessage, response: ServerResponse) => Promise<void>) {
  return listen(
    createServer((received, response) => {
      handle(received, response).catch(() => response.destroy());
    }),
  );
}
