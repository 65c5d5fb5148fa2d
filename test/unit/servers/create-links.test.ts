import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CreateRequest, Destination } from '../../../src/servers/adapter.ts';
import { probeServer, sendAttempt } from '../../../src/servers/call-server.ts';
import type { Fetch } from '../../../src/servers/http.ts';
import { aPost } from '../queue/support/queue-builders.ts';
import { shortenNextTimeout } from '../support/shorten-next-timeout.ts';
import { breaksOff, hangs, type Manner, MisbehavingServer, says, trickles } from './misbehaving-server.ts';
import { NOW, terseServer } from './terse-server.ts';

const OK = { message: 'ok', shortUrl: 'https://s.example/a' };
let server: MisbehavingServer;
let baseUrl: string;

beforeEach(async () => {
  server = new MisbehavingServer();
  baseUrl = await server.start();
});
afterEach(() => server.stop());

const SERVICE: Omit<Destination, 'baseUrl'> = { apiKey: 'the-key' };

/** Sends an attempt to a server with this behavior. */
function send(manner: Manner, service: Omit<Destination, 'baseUrl'> = SERVICE, attempt: CreateRequest = aPost(['a'])) {
  server.manner = manner;
  return sendAttempt(terseServer({ ...service, baseUrl }), attempt);
}

const refusedAs = (code: string, message = '') => ({ items: [{ kind: 'refused', code, message }] });
const notMadeAs = (code: string) => ({
  items: [{ kind: 'not_made', code, message: '' }],
  answered: false,
});
const unclearAs = (code: string) => ({ items: [{ kind: 'unclear', code, message: '' }] });
const laterAs = (code: string, retryAfterSeconds: number | null = null, message = '') => ({
  items: [{ kind: 'refused_for_now', code, message, retryAfterSeconds }],
  answered: true,
});

test('a request has the API key, its idempotency key and the exact bytes of the attempt', async () => {
  await send(says(200, OK), SERVICE, aPost(['a'], { body: '{"url":"ü"}', idempotencyKey: 'k-1' }));
  expect(server.heard).toMatchObject([
    {
      method: 'POST',
      path: '/api/shorten',
      headers: { authorization: 'Bearer the-key', 'content-type': 'application/json', 'idempotency-key': 'k-1' },
      body: '{"url":"ü"}',
    },
  ]);
  expect(server.heard[0]?.headers.cookie).toBeUndefined();
});

describe('a success', () => {
  test('returns the short URL and the reported limits', async () => {
    const headers = {
      date: 'Sat, 28 Mar 2026 09:30:07 GMT',
      'ratelimit-policy': '"quota";q=20;w=86400',
      ratelimit: '"quota";r=7;t=60',
    };
    expect(await send(says(200, OK, headers))).toEqual({
      items: [{ kind: 'created', shortUrl: 'https://s.example/a' }],
      answered: true,
      refusedAsWhole: false,
      limits: { throttle: null, quota: { limit: 20, windowSeconds: 86_400, remaining: 7, resetSeconds: 60 } },
    });
  });

  test.each([
    ['another shape', { url: 'https://s.example/a' }],
    ['a data URL as a short URL', { ...OK, shortUrl: 'data:text/html,<script>' }],
    ['a relative short URL', { ...OK, shortUrl: '/a' }],
  ])('with %s is not understood', async (_name, body) => {
    expect(await send(says(200, body))).toMatchObject({ ...unclearAs('not_understood'), answered: false });
  });

  test.each([
    ['without a message', { shortUrl: OK.shortUrl }],
    ['with a message that is not text', { ...OK, message: { text: 'ok' } }],
    ['of the versioned endpoint', { shortCode: 'a', shortUrl: OK.shortUrl, url: 'x', clicks: 0 }],
  ])('%s is a success too', async (_name, body) => {
    expect((await send(says(200, body))).items).toEqual([{ kind: 'created', shortUrl: OK.shortUrl }]);
  });
});

describe.each([300, 301, 302, 303, 307, 308])('a redirect (%d)', (status) => {
  test('is not followed, so that the key stays with its service', async () => {
    const outcome = await send(says(status, '', { location: `${baseUrl}/elsewhere` }));
    expect(outcome).toMatchObject(notMadeAs('redirected'));
    expect(server.heard.map(({ path }) => path)).toEqual(['/api/shorten']);
  });
});

// With `redirect: 'manual'`, browsers return an opaque response instead of the redirect. Node's `fetch` returns the
// redirect.
const asInBrowsers: Fetch = (_url, { redirect }) => {
  const response = Response.error();
  Object.defineProperty(response, 'type', { value: redirect === 'manual' ? 'opaqueredirect' : 'error' });
  return Promise.resolve(response);
};

test('a redirect that the browser hides is detected', async () => {
  const hidden = terseServer({ ...SERVICE, baseUrl }, { fetch: asInBrowsers });
  expect(await sendAttempt(hidden, aPost(['a']))).toMatchObject(notMadeAs('redirected'));
  expect(await probeServer(hidden)).toEqual({ reached: false, problem: 'redirected' });
});

describe('a permanent error', () => {
  test.each([
    [400, { error: 'Please enter a valid URL.' }, 'invalid_url'],
    [422, { error: 'Please enter a valid URL.' }, 'invalid_url'],
    [400, { error: 'Bad.', code: 'invalid_url' }, 'invalid_url'],
    [400, { error: 'Bad.', code: 'target_refused' }, 'target_refused'],
    [400, { error: 'Bad.' }, 'refused'],
    [401, { error: 'Who?' }, 'unauthorized'],
    [403, { error: 'No.' }, 'unauthorized'],
    [403, { error: 'No.', code: 'unauthorized' }, 'unauthorized'],
    [403, { error: 'No.', code: 'forbidden' }, 'forbidden'],
    [403, { error: 'That host is blocked.', code: 'target_refused' }, 'target_refused'],
    [404, { error: 'Where?' }, 'not_a_service'],
    [405, { error: 'How?' }, 'not_a_service'],
    [409, { error: 'Taken.', code: 'short_code_taken' }, 'short_code_taken'],
    [409, { error: 'Taken.' }, 'refused'],
    [410, { error: 'Gone.' }, 'refused'],
    [413, { error: 'Large.', code: 'body_too_large' }, 'refused'],
    [415, { error: 'What?', code: 'unsupported_media_type' }, 'refused'],
    [422, { error: 'Reused.', code: 'idempotency_key_reused' }, 'refused'],
    [400, { error: 'Bad.', code: 'constructor' }, 'refused'],
    [400, { error: 'Please enter a valid URL.', code: 'toString' }, 'invalid_url'],
  ])('%d %j is %s, with the message of the service', async (status, body, code) => {
    expect(await send(says(status, body))).toMatchObject({ ...refusedAs(code, body.error), answered: true });
  });

  test('with the code target_refused omits the message for invalid URLs', async () => {
    const body = { error: 'Please enter a valid URL.', code: 'target_refused' };
    expect(await send(says(400, body))).toMatchObject(refusedAs('target_refused', ''));
  });

  test.each([400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425, 451, 499])(
    '(%d) means an invalid URL if the message or the code says so',
    async (status) => {
      const byWords = { error: 'Please enter a valid URL.' };
      expect(await send(says(status, byWords))).toMatchObject(refusedAs('invalid_url', byWords.error));
      const byCode = { error: 'Bad.', code: 'invalid_url' };
      expect(await send(says(status, byCode))).toMatchObject(refusedAs('invalid_url', 'Bad.'));
    },
  );

  test.each([404, 405])('(%d) of a gateway means that there is no service', async (status) => {
    expect(await send(says(status, '<h1>Nothing here</h1>'))).toMatchObject(notMadeAs('not_a_service'));
  });

  test('has a complete message even if a character arrives in two parts', async () => {
    const body = Buffer.from(JSON.stringify({ error: 'Größe' }));
    const split = body.indexOf('ö') + 1;
    const { items } = await send((response) => {
      response.writeHead(400, { connection: 'close' }).write(body.subarray(0, split), () => {
        setTimeout(() => response.end(body.subarray(split)), 20);
      });
    });
    expect(items).toMatchObject([{ message: 'Größe' }]);
  });

  test('has its message shortened to 300 characters', async () => {
    const { items } = await send(says(400, { error: 'x'.repeat(5_000) }));
    expect(items).toEqual([{ kind: 'refused', code: 'refused', message: 'x'.repeat(300) }]);
  });
});

describe('a limit (429)', () => {
  const spent = { 'ratelimit-policy': '"day";q=20;w=86400', ratelimit: '"day";r=0;t=60' };
  const left = { ...spent, ratelimit: '"day";r=3;t=60' };

  test.each([
    ['without any information', '', {}, laterAs('throttled')],
    ['with a time', '', { 'retry-after': '7' }, laterAs('throttled', 7)],
    ['until a date', '', { 'retry-after': 'Sat, 28 Mar 2026 09:31:00 GMT', date: dateAt(0) }, laterAs('throttled', 60)],
    ['with epoch milliseconds', '', { 'retry-after': '1774690200000' }, laterAs('throttled')],
    ['of a gateway’s quota', '', spent, laterAs('throttled')],
    ['of a spent quota', { error: 'x' }, spent, laterAs('quota_exceeded', null, 'x')],
    ['with quota left', { error: 'x' }, left, laterAs('throttled', null, 'x')],
    ['with the code quota_exceeded', { error: 'x', code: 'quota_exceeded' }, {}, laterAs('quota_exceeded', null, 'x')],
    [
      'with the code throttled and a spent quota',
      { error: 'x', code: 'throttled' },
      spent,
      laterAs('throttled', null, 'x'),
    ],
  ])('%s is a temporary refusal', async (_name, body, headers, outcome) => {
    const isOwn = body !== '';
    const date = { date: dateAt(0), ...headers };
    const expected = { ...outcome, answered: isOwn };
    expect(await send(says(429, body, date))).toMatchObject(expected);
  });

  test("until a date counts from the response's own time, or else from local time", async () => {
    const until = { 'retry-after': 'Sat, 28 Mar 2026 09:31:00 GMT' };
    const gateway = { ...laterAs('throttled', 30), answered: false };
    expect(await send(says(429, '', { ...until, date: dateAt(30) }))).toMatchObject(gateway);
    const dateless: Manner = (response, request) => {
      response.sendDate = false;
      says(429, '', until)(response, request);
    };
    expect(await send(dateless)).toMatchObject({ ...laterAs('throttled', 60), answered: false });
  });
});

describe('an error page of a gateway', () => {
  // `fetch` treats status 407 as a network error, so these tests leave 407 out.
  test.each([400, 401, 403, 409, 410, 413, 422, 425, 451])('(%d) shows that no link was created', async (status) => {
    for (const body of ['<h1>Blocked</h1>', '', { error: { message: 'nested' } }, { message: 'Forbidden' }]) {
      expect(await send(says(status, body))).toMatchObject(notMadeAs('gateway_refused'));
    }
  });

  const uncertain = [408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530, 599];
  test.each(uncertain)('(%d) makes it uncertain if the link was created', async (status) => {
    const outcome = await send(says(status, '<h1>Bad Gateway</h1>'));
    expect(outcome).toMatchObject({ ...unclearAs('server_error'), answered: false });
  });
});

describe('a service with a problem', () => {
  test('(500) may have created the link', async () => {
    const outcome = await send(says(500, { error: 'Oh.', code: 'internal_error' }, { date: dateAt(0) }));
    expect(outcome).toMatchObject({
      items: [{ kind: 'unclear', code: 'server_error', message: 'Oh.' }],
      answered: true,
    });
  });

  test.each([503, 408, 425])('(%d) asks the client to retry later', async (status) => {
    const answer = says(status, { error: 'Later.' }, { 'retry-after': '9' });
    expect(await send(answer)).toMatchObject(laterAs('busy', 9, 'Later.'));
  });

  test('that still processes the first request is retried', async () => {
    const body = { error: 'Wait.', code: 'request_in_flight' };
    expect(await send(says(409, body))).toMatchObject(laterAs('busy', null, 'Wait.'));
  });
});

describe('a missing response', () => {
  const none = (code: string) => ({ ...unclearAs(code), answered: false });

  test('from a service that breaks off in the middle is reported as no answer', async () => {
    expect(await send(breaksOff)).toMatchObject(none('no_answer'));
  });

  test.each([
    ['hangs', hangs],
    ['trickles', trickles],
  ])('from a service that %s is reported after the time limit', async (_name, manner) => {
    shortenNextTimeout();
    expect(await send(manner)).toMatchObject(none('timeout'));
  });

  test('from a server that does not exist or cannot be reached is reported as no answer', async () => {
    await server.stop();
    expect(await send(hangs)).toMatchObject(none('no_answer'));
    const throws = () => Promise.reject('not even an error');
    const unreachable = terseServer({ ...SERVICE, baseUrl }, { fetch: throws });
    expect(await sendAttempt(unreachable, aPost(['a']))).toMatchObject(none('no_answer'));
    server = new MisbehavingServer();
    await server.start();
  });
});

function dateAt(seconds: number): string {
  return new Date(NOW + seconds * 1_000).toUTCString();
}
