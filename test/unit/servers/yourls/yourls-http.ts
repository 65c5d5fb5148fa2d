import type { FakeAnswer, FakeRequest } from '../conformance/fake-server.ts';

/** Result of a create that came too soon after another one. */
export const TOO_FAST = {};

export function fail(code: string, message: string, status = '400') {
  return { status: 'fail', code, message, errorCode: status, statusCode: status };
}

export function output(format: string, body: object): FakeAnswer {
  const { statusCode, errorCode } = body as { statusCode?: string; errorCode?: string };
  // PHP turns an empty status into 500.
  const status = Number(statusCode ?? errorCode ?? 200) || 500;
  const as = (type: string, text: string) => ({
    status,
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: text,
  });
  if (format === 'json') return as('application/json', toJson(body));
  if (format === 'xml') return as('application/xml', toXml(body));
  const { version = '', shorturl = '' } = body as { version?: string; shorturl?: string };
  return as('text/plain', version || shorturl);
}

export function redirect(status: number, location: string): FakeAnswer {
  return { status, headers: { location, 'content-type': 'text/html; charset=UTF-8' } };
}

export function tooManyRequests(): FakeAnswer {
  const page = '<!DOCTYPE html><h2>Too Many Requests</h2><p>Too many URLs added too fast. Slow down please.</p>';
  return { status: 429, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: page };
}

/** Parameters from the query and from a form. Other bodies are not read. */
export function readParameters({ query, headers, body }: FakeRequest): URLSearchParams {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return new URLSearchParams([...query, ...(isForm ? new URLSearchParams(body) : [])]);
}

/** Messages contain at most 60 characters of a URL. */
export function trimUrl(url: string): string {
  return url.length > 60 ? `${url.slice(0, 55)}[...]` : url;
}

/** JSON as PHP writes it. */
function toJson(body: object): string {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(body)
    .replaceAll('/', '\\/')
    .replace(/[^\x20-\x7e]/g, toEscape);
}

function toXml(body: object): string {
  const tags = Object.entries(body).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<root>${tags.join('')}</root>\n`;
}
