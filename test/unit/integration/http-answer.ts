import { formatRateLimit, HEADER } from '@terse/contract/http-headers';
import { dateOf, type ModelAnswer, type ModelService } from '../queue/model/service.ts';

export interface HttpAnswer {
  status: number;
  json: unknown;
  headers: Record<string, string>;
}

export interface HttpRequest {
  method: string;
  path: string;
  apiKey: string;
  idempotencyKey: string;
  body: string;
}

/** Returns the model service's HTTP response at the true time `at`. Returns null if the service does not respond. */
export function answerHttp(service: ModelService, at: number, request: HttpRequest): HttpAnswer | null {
  if (service.weather === 'down') return null;
  const answer =
    inFrontOf(service) ??
    (request.method === 'GET' ? documentOf(service, at, request) : postedTo(service, at, request));
  if (!answer) return null;
  const date = new Date(dateOf(at)).toUTCString();
  return { ...answer, headers: { 'content-type': 'application/json', date, ...answer.headers } };
}

/** Returns the page that a gateway sends in place of every response. */
function inFrontOf({ weather }: ModelService): HttpAnswer | null {
  if (weather === 'maintenance') return says(200, '<h1>Back soon</h1>');
  return weather === 'dead' ? says(530, '<h1>Origin is unreachable</h1>') : null;
}

function documentOf(service: ModelService, at: number, { path, apiKey }: HttpRequest): HttpAnswer {
  const { info, weather } = service;
  const code = /^\/api\/v1\/urls\/([^/]+)$/.exec(path)?.[1];
  const link = code === undefined ? null : service.linkOf(code);
  if (link && code !== undefined) return says(200, { ...linkOf(link.shortUrl), url: link.url, shortCode: code });
  if (!info || (path !== '/api' && path !== '/api/v1/key')) return says(404, { error: 'Not here.' });
  if (path === '/api') return says(200, { version: '1', ...info });
  if (weather === 'no-key') return says(401, { error: 'Who?', code: 'unauthorized' });
  const createdAt = '2026-03-28T09:30:00.000Z';
  return says(200, { name: 'key', lastFour: 'abcd', createdAt, ...service.limits(at, apiKey) });
}

function postedTo(service: ModelService, at: number, { path, apiKey, idempotencyKey, body }: HttpRequest) {
  if (service.weather === 'lost-before') return null;
  const attempt = { idempotencyKey, body, path };
  const answer = service.post(at, apiKey, attempt);
  if (answer.status === 'lost') return null;
  const isBatch = path === '/api/v1/urls/batch';
  return { ...rendered(answer, isBatch), headers: limitHeaders(answer) };
}

function rendered(answer: ModelAnswer, isBatch: boolean): HttpAnswer {
  if (answer.status === 'done') return isBatch ? batch(answer) : single(answer);
  if (answer.status === 'nonsense') return says(200, '<h1>Welcome to our hotel</h1>');
  const [status, code] = REFUSALS[answer.status as keyof typeof REFUSALS];
  return says(status, code ? { error: 'No.', code } : '<h1>Bad Gateway</h1>');
}

const REFUSALS = {
  busy: [503, 'busy'],
  quota: [429, 'quota_exceeded'],
  throttled: [429, 'throttled'],
  'no-key': [401, 'unauthorized'],
  'too-large': [413, 'too_large'],
  error: [502, null],
  filtered: [403, null],
  dead: [530, null],
} as const;

const TAKEN = { error: 'This short code is taken.', code: 'short_code_taken' };
const REFUSED = { error: 'Please enter a valid URL.', code: 'invalid_url' };

function single({ results: [shortUrl] }: ModelAnswer): HttpAnswer {
  if (shortUrl === 'taken') return says(409, TAKEN);
  return shortUrl ? says(201, { message: 'ok', ...linkOf(shortUrl) }) : says(400, REFUSED);
}

function batch({ results }: ModelAnswer): HttpAnswer {
  const itemOf = (shortUrl: ModelAnswer['results'][number], index: number) => {
    if (shortUrl === 'taken') return { index, status: 409, ...TAKEN };
    return shortUrl ? { index, status: 201, link: linkOf(shortUrl) } : { index, status: 400, ...REFUSED };
  };
  return says(207, { results: results.map(itemOf) });
}

function limitHeaders({ limits: { throttle, quota }, retryAfterSeconds }: ModelAnswer): Record<string, string> {
  const { policy, state } = formatRateLimit(throttle && quota ? { throttle, quota } : {});
  return {
    ...(policy ? { [HEADER.rateLimitPolicy]: policy, [HEADER.rateLimit]: state } : {}),
    ...(retryAfterSeconds === null ? {} : { [HEADER.retryAfter]: String(retryAfterSeconds) }),
  };
}

function linkOf(shortUrl: string) {
  const createdAt = '2026-03-28T09:30:00.000Z';
  return { shortCode: 'abc', shortUrl, url: 'https://x.example/', title: null, createdAt, expiresAt: null, clicks: 0 };
}

function says(status: number, json: unknown): HttpAnswer {
  return { status, json, headers: {} };
}
